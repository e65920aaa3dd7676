import { amountsOfParts, type Amounts } from './amounts.ts';
import { grant, type Ledger } from './ledger.ts';
import type { Order, OrderLine } from './order.ts';
import { liveRefunds } from './refund.ts';
import type { Line, Return } from './return.ts';

/** The order's ledger as if this return had been refunded nothing: its units are worth what they were before. */
const withoutOwnRefunds = (state: Return, ledger: Ledger): Ledger =>
  liveRefunds(state)
    .flatMap(({ breakdown }) => breakdown.lines)
    .reduce(
      (rest, { orderLineId, quantity, gross, tax }) =>
        grant(rest, orderLineId, { units: -quantity, gross: -gross.amount, tax: -tax.amount }),
      ledger,
    );

const orderLineOf = (order: Order, line: Line): OrderLine => {
  const found = order.facts.lines.find(({ lineId }) => lineId === line.orderLineId);
  if (found === undefined) throw new Error(`order lost line of return line ${line.id}`);
  return found;
};

/**
 * What the lines of a return are worth, once `units` of each are still to be returned or have been.
 *
 * @param units the units that a line keeps
 */
export const revalue = (
  state: Return,
  order: Order,
  ledger: Ledger,
  units: (line: Line) => number,
): readonly { readonly line: Line; readonly amounts: Amounts }[] => {
  const worth = amountsOfParts(
    state.lines.map((line) => ({ line: orderLineOf(order, line), units: units(line) })),
    withoutOwnRefunds(state, ledger),
  );
  return state.lines.flatMap((line, index) => {
    const amounts = worth[index];
    return amounts === undefined ? [] : [{ line, amounts: { ...amounts, refunded: line.amounts.refunded } }];
  });
};
