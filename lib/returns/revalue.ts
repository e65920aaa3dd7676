import { bookings } from './bookings.ts';
import { amountsOfParts, type Amounts } from './amounts.ts';
import { exchangesOf } from './exchanges.ts';
import { grant, type Ledger } from './ledger.ts';
import { orderLineOf } from './order-line-of.ts';
import type { Order } from './order.ts';
import { claimable, live } from './quantities.ts';
import type { Line, Unversioned } from './return.ts';
import { sum } from './sum.ts';

/** The order's ledger as if nothing had been given for this return: its units are worth what they were before. */
const withoutOwnGrants = (state: Unversioned, ledger: Ledger): Ledger =>
  [
    ...bookings(state).flatMap(({ breakdown }) => breakdown.lines),
    ...state.lines.flatMap((line) =>
      exchangesOf(state, line).map((exchange) => ({ ...exchange, orderLineId: line.orderLineId })),
    ),
  ].reduce(
    (rest, { orderLineId, quantity, gross, tax }) =>
      grant(rest, orderLineId, { units: -quantity, gross: -gross.amount, tax: -tax.amount }),
    ledger,
  );

/**
 * What the lines of a return are worth, by the units that it is still about and what the order was granted before. What
 * was exchanged can no longer be refunded.
 */
export const revalue = (
  state: Unversioned,
  order: Order,
  ledger: Ledger,
): readonly { readonly line: Line; readonly amounts: Amounts }[] => {
  const before = withoutOwnGrants(state, ledger);
  const worth = (units: (line: Line) => number) =>
    amountsOfParts(
      state.lines.map((line) => ({ line: orderLineOf(order, line), units: units(line) })),
      before,
    );
  const whole = worth(({ quantities }) => live(quantities));
  const most = worth(claimable);
  return state.lines.flatMap((line, index) => {
    const amounts = whole[index];
    const ceiling = most[index]?.gross;
    if (amounts === undefined || ceiling === undefined) return [];
    const exchanged = sum(exchangesOf(state, line).map(({ gross }) => gross.amount));
    const maxRefundable = { ...ceiling, amount: Math.max(0, ceiling.amount - exchanged) };
    return [{ line, amounts: { ...amounts, maxRefundable, refunded: line.amounts.refunded } }];
  });
};
