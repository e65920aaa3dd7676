import type { Line, Unversioned } from '../model/return.ts';

/** The lines of a return, those changed that an event names; one that it names several times as often. */
export const changedLines = <Named extends { readonly lineId: string }>(
  { lines }: Pick<Unversioned, 'lines'>,
  named: readonly Named[],
  change: (line: Line, named: Named) => Line,
): readonly Line[] => lines.map((line) => named.filter(({ lineId }) => lineId === line.id).reduce(change, line));
