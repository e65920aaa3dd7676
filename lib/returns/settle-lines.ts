import { amountsOfParts } from './amounts.ts';
import type { SettledLine } from './entry.ts';
import { hold, type Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import type { Return } from './return.ts';

/**
 * Settles what was asked for: of each line the units approved, the rest rejected, and what the approved ones are worth.
 *
 * @param approved units by line id; a line that is not named is rejected
 * @returns the lines, and the ledger with the rejected units free for another return
 */
export const settleLines = (
  state: Return,
  order: Order,
  ledger: Ledger,
  approved: ReadonlyMap<string, number>,
): { lines: readonly SettledLine[]; ledger: Ledger } => {
  const parts = state.lines.map((line) => {
    const orderLine = order.facts.lines.find(({ lineId }) => lineId === line.orderLineId);
    if (orderLine === undefined) throw new Error(`order lost line of return line ${line.id}`);
    const units = approved.get(line.id) ?? 0;
    return { id: line.id, rejected: line.quantities.requested - units, line: orderLine, units };
  });
  const worth = amountsOfParts(parts, ledger);
  return {
    lines: parts.flatMap(({ id, rejected, units }, index) => {
      const amounts = worth[index];
      return amounts === undefined ? [] : [{ lineId: id, approved: units, rejected, amounts }];
    }),
    ledger: parts.reduce((rest, { line, rejected }) => hold(rest, line.lineId, -rejected), ledger),
  };
};
