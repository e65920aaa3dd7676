/** Longer words are compared by their beginning, to limit the cost. */
const maxLength = 40;

/** Returns the edit distance of two words: letters to add, remove, replace or swap. */
export const editDistance = (word: string, other: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (word[row - 1] === other[column - 1] ? 0 : 1);
      const cost = Math.min(replaced, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
      const isSwap =
        row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      next.push(isSwap ? Math.min(cost, (before[column - 2] ?? 0) + 1) : cost);
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
};

/** Returns the known name that is nearest to a word; undefined when none is near. */
const nearest = (word: string, names: readonly string[]): string | undefined => {
  const typed = word.slice(0, maxLength).toLowerCase();
  const [best] = names
    .map((name) => ({ name, away: editDistance(typed, name.slice(0, maxLength).toLowerCase()) }))
    .toSorted((a, b) => a.away - b.away);
  return best !== undefined && best.away <= Math.max(1, Math.floor(typed.length / 3)) ? best.name : undefined;
};

/** Returns a sentence that suggests a name, to append to an error; empty when no name is near. */
export const suggestion = (word: string, names: readonly string[], show = (name: string) => name): string => {
  const meant = nearest(word, names);
  return meant === undefined ? '' : ` Did you mean ${show(meant)}?`;
};
