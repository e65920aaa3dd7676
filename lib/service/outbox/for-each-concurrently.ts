/** Calls a function for each item, with limited concurrency. Rejects with the first rejection. */
export const forEachConcurrently = async <Item>(
  items: readonly Item[],
  abreast: number,
  act: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = items.values();
  const run = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(abreast, items.length) }, run));
};
