import { amountsOfParts } from './amounts.ts';
import type { Amounts } from '../model/refund.ts';
import { contributionOf } from './contribution.ts';
import { exchangesOf } from './exchanges.ts';
import { grant, type Ledger } from './ledger.ts';
import { orderLineOf } from './order-line-of.ts';
import type { Order } from '../model/order.ts';
import { claimable, live } from '../goods/quantities.ts';
import type { Line, Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';

/** The order's ledger as if nothing had been given for this return: its units are worth what they were before. */
const withoutOwnGrants = (state: Unversioned, ledger: Ledger): Ledger =>
  Object.entries(contributionOf(state).lines).reduce(
    (rest, [orderLineId, { granted }]) =>
      grant(rest, orderLineId, { units: -granted.units, gross: -granted.gross, tax: -granted.tax }),
    ledger,
  );

/**
 * What lines have left of their ceilings. Lines of one order line share its cents: where an exchange took one more than
 * its own line has, another of them has one less.
 */
const withinShared = (lines: readonly Line[], left: readonly number[]): readonly number[] => {
  const short = new Map<string, number>();
  lines.forEach(({ orderLineId }, index) =>
    short.set(orderLineId, (short.get(orderLineId) ?? 0) - Math.min(0, left[index] ?? 0)),
  );
  return lines.map(({ orderLineId }, index) => {
    const amount = Math.max(0, left[index] ?? 0);
    const less = Math.min(amount, short.get(orderLineId) ?? 0);
    short.set(orderLineId, (short.get(orderLineId) ?? 0) - less);
    return amount - less;
  });
};

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
  const left = withinShared(
    state.lines,
    state.lines.map((line, index) => {
      // Units that were exchanged and are not due anything are to be made good by the customer, not by other lines.
      if (line.quantities.exchanged > claimable(line)) return 0;
      const exchanged = sum(exchangesOf(state, line).map(({ gross }) => gross.amount));
      const rest = (most[index]?.gross.amount ?? 0) - exchanged;
      // Where all was exchanged no unit is left to be paid for.
      return line.quantities.exchanged === claimable(line) ? Math.min(0, rest) : rest;
    }),
  );
  return state.lines.flatMap((line, index) => {
    const [amounts, amount] = [whole[index], left[index]];
    if (amounts === undefined || amount === undefined) return [];
    const maxRefundable = { ...amounts.gross, amount };
    return [{ line, amounts: { ...amounts, maxRefundable, refunded: line.amounts.refunded } }];
  });
};
