import type { TraceEntry } from '../evaluation.ts';

/** An entry with the text of its rule, where a policy has one. */
export type ShownEntry = TraceEntry & { readonly text?: string };

/** Characters of JSON: an answer of Lambda may have 6 MiB, and says more than its trace. */
const mostCharacters = 2_500_000;

/** As many entries from the first as there is room for. */
const fitting = (entries: readonly ShownEntry[]): readonly ShownEntry[] => {
  let room = mostCharacters;
  const end = entries.findIndex((entry) => {
    room -= JSON.stringify(entry).length;
    return room < 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
};

/**
 * A trace as it is shown: all of it, or where that is more than an answer can carry, first without rules that did not
 * match, and of the rest as much as there is room for.
 */
export const shownTrace = (
  trace: readonly TraceEntry[],
  texts: ReadonlyMap<string, string>,
): { readonly shown: readonly ShownEntry[]; readonly omitted: number } => {
  const all = trace.map((entry): ShownEntry => {
    const text = texts.get(entry.rule);
    return text === undefined ? entry : { ...entry, text };
  });
  const whole = fitting(all);
  const shown = whole.length === all.length ? whole : fitting(all.filter(({ result }) => result !== 'not_matched'));
  return { shown, omitted: all.length - shown.length };
};
