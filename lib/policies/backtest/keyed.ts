/** What is counted under a name; lists of it are sorted by name, each name once. */
type Named = { readonly name: string };

const byName = (a: Named, b: Named): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Two lists as one; what both name is joined. */
export const joined = <Item extends Named>(
  a: readonly Item[],
  b: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const items = new Map(a.map((item) => [item.name, item]));
  for (const item of b) {
    const known = items.get(item.name);
    items.set(item.name, known === undefined ? item : join(known, item));
  }
  return [...items.values()].toSorted(byName);
};

/** A list of what came in any order, sorted and joined. */
export const collected = <Item extends Named>(
  items: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => items.reduce<readonly Item[]>((list, item) => joined(list, [item], join), []);
