import { amountsOfParts, type Amounts } from './amounts.ts';
import { grant, type Ledger } from './ledger.ts';
import type { Order, OrderLine } from './order.ts';
import { live, refundable } from './quantities.ts';
import { liveRefunds } from './refund.ts';
import type { Line, Unversioned } from './return.ts';

/** The order's ledger as if this return had been refunded nothing: its units are worth what they were before. */
const withoutOwnRefunds = (state: Unversioned, ledger: Ledger): Ledger =>
  liveRefunds(state)
    .flatMap(({ breakdown }) => breakdown.lines)
    .reduce(
      (rest, { orderLineId, quantity, gross, tax }) =>
        grant(rest, orderLineId, { units: -quantity, gross: -gross.amount, tax: -tax.amount }),
      ledger,
    );

/** @throws Error when the order has lost a line that a return is of: such an order is broken */
export const orderLineOf = (order: Order, line: Line): OrderLine => {
  const found = order.facts.lines.find(({ lineId }) => lineId === line.orderLineId);
  if (found === undefined) throw new Error(`order lost line of return line ${line.id}`);
  return found;
};

/** What the lines of a return are worth, by the units that it is still about and what the order was granted before. */
export const revalue = (
  state: Unversioned,
  order: Order,
  ledger: Ledger,
): readonly { readonly line: Line; readonly amounts: Amounts }[] => {
  const before = withoutOwnRefunds(state, ledger);
  const worth = (units: (line: Line) => number) =>
    amountsOfParts(
      state.lines.map((line) => ({ line: orderLineOf(order, line), units: units(line) })),
      before,
    );
  const whole = worth(({ quantities }) => live(quantities));
  const most = worth(refundable);
  return state.lines.flatMap((line, index) => {
    const amounts = whole[index];
    const maxRefundable = most[index]?.gross;
    return amounts === undefined || maxRefundable === undefined
      ? []
      : [{ line, amounts: { ...amounts, maxRefundable, refunded: line.amounts.refunded } }];
  });
};
