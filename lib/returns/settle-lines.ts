import type { SettledLine } from './entry.ts';
import type { Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import { live, undecided } from './quantities.ts';
import { release } from './release.ts';
import type { Line, Return } from './return.ts';
import { revalue } from './revalue.ts';

/**
 * Settles what was asked for: of each line the units approved, the rest rejected, and what the approved ones are worth.
 *
 * @param units units to approve by line id; a line that is not named is rejected
 * @returns the lines, and the ledger with the rejected units free for another return, those that were refunded apart
 */
export const settleLines = (
  state: Return,
  order: Order,
  ledger: Ledger,
  units: ReadonlyMap<string, number>,
): { lines: readonly SettledLine[]; ledger: Ledger } => {
  const rejected = ({ id, quantities }: Line) => undecided(quantities) - (units.get(id) ?? 0);
  const lines = revalue(state, order, ledger, (line) => live(line.quantities) - rejected(line));
  return {
    lines: lines.map(({ line, amounts }) => ({
      lineId: line.id,
      approved: line.quantities.approved + (units.get(line.id) ?? 0),
      rejected: line.quantities.rejected + rejected(line),
      amounts,
    })),
    ledger: state.lines.reduce((rest, line) => release(rest, line, rejected(line)), ledger),
  };
};
