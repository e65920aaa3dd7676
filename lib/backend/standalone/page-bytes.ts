/** A page is answered as text in JSON, of which a function may have 6 MiB. */
const largestPage = 4 * 1024 * 1024;

/** As many of the first items as one answer can carry, one at least. */
export const fitting = <Item>(items: readonly Item[]): Item[] => {
  let room = largestPage;
  const end = items.findIndex((item, index) => {
    room -= Buffer.byteLength(JSON.stringify(JSON.stringify(item)));
    return room < 0 && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
};
