import type { SettledLine } from '../history/entry.ts';
import { undecided } from '../goods/quantities.ts';
import type { Return } from '../return.ts';
import type { LineUnits } from '../rules/floor.ts';

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

/** Units that settled lines have rejected now, and not before. */
export const rejectedBy = ({ lines }: Return, settled: readonly SettledLine[]): readonly LineUnits[] =>
  lines.map(({ id, orderLineId, quantities }) => {
    const rejected = settled.find(({ lineId }) => lineId === id)?.rejected ?? quantities.rejected;
    return { orderLineId, units: rejected - quantities.rejected };
  });
