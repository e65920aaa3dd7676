import type { SettledLine } from '../../history/life-events.ts';
import { undecided } from '../../goods/quantities.ts';
import type { Return } from '../../model/return.ts';

/**
 * Settles what was asked for: of each line the units approved, the rest rejected.
 *
 * @param units units to approve by line id; a line that is not named is rejected
 */
export const settleLines = (
  { lines, terms }: Pick<Return, 'lines' | 'terms'>,
  units: ReadonlyMap<string, number>,
): readonly SettledLine[] =>
  lines.map(({ id, quantities }) => {
    const more = units.get(id) ?? 0;
    return {
      lineId: id,
      approved: quantities.approved + more,
      rejected: quantities.rejected + undecided(quantities) - more,
      ...(terms.returnless === true && more > 0 ? { returnless: quantities.returnless + more } : {}),
    };
  });
