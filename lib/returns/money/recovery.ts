import { outstanding, refundable, undecided } from '../goods/quantities.ts';
import type { Order } from '../model/order.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';
import { sum } from '../units-by-line.ts';
import { type Booking, paidForGoods, settledAssignedAmount, settledBookings } from './bookings.ts';
import { totalDeductions } from './deductions.ts';
import { excessExchangeCredit } from './exchanges.ts';
import { goodsAmountLeft } from './goods-amount-left.ts';
import { type Ledger, ledgerLine, returnable, taken } from './ledger.ts';
import { isPaidFor } from './refund-ceiling.ts';

/**
 * Order lines of which more units are held than there are. A unit that was refunded without a return belongs to no
 * other return: a return may hold it all the same. What is refunded without being held is a fact.
 */
export const overdrawnErrors = (order: Order, before: Ledger, next: Ledger): readonly FieldError[] =>
  order.facts.lines.flatMap((line) => {
    const { lineId } = line;
    const held = ledgerLine(next, lineId).held - ledgerLine(before, lineId).held;
    const more = Math.min(held, taken(next, lineId) - taken(before, lineId));
    const free = returnable(before, line);
    return more > free
      ? [{ path: '/lines', code: 'maximum', message: `must take at most ${free} more units of ${lineId}` }]
      : [];
  });

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'terms' | 'waivers' | 'recoveries' | 'exchanges'>;

/** What refunds kept back of the worth of the goods for fees, in minor units. */
export const feesTaken = (booked: readonly Booking[]): number =>
  sum(
    booked
      .flatMap(({ breakdown }) => breakdown.deductions)
      .filter(({ type }) => type !== 'paid_before')
      .map(({ amount }) => amount.amount),
  );

/**
 * What the customer may keep for lines of one order line, which share its rounding. While no more units were paid for than
 * may be refunded, up to one minor unit for each was rounded to another return: that is nobody's debt.
 */
const retainableForOrderLine = (lines: readonly Line[]): number => {
  const worth = sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const paid = sum(lines.map(({ amounts }) => amounts.refunded.amount));
  const units = sum(lines.map(({ quantities }) => quantities.refunded));
  return units <= sum(lines.map(refundable)) ? Math.max(worth, Math.min(paid, worth + units)) : worth;
};

/** What the customer may keep for lines of a return, in minor units. */
export const retainableAmount = (lines: readonly Line[]): number =>
  sum([...Map.groupBy(lines, ({ orderLineId }) => orderLineId).values()].map(retainableForOrderLine));

/** What the customer has to give back, in minor units; 0 while units are still undecided or outstanding. */
export const recoveryDue = (state: State): number => {
  const { lines, recoveries } = state;
  if (lines.some(({ quantities }) => undecided(quantities) > 0 || outstanding(quantities) > 0)) return 0;
  const given = paidForGoods(settledBookings(state)) + excessExchangeCredit(state, ['fulfilled']);
  // What was given for the order, no return of it asks back.
  const kept = Math.max(settledAssignedAmount(state), retainableAmount(lines) - totalDeductions(state));
  const writtenOff = recoveries.filter(({ type }) => type === 'written_off');
  return Math.max(0, given - kept - sum(writtenOff.map(({ amount }) => amount.amount)));
};

/**
 * What the customer is still owed for the goods, in minor units of the order's currency, shipping apart: below zero when
 * more was given. While goods are still to come or to be looked at, it is what may come to be owed.
 */
export const owed = (state: UnversionedReturn): number => {
  const lines = state.lines.filter(isPaidFor);
  const maximum = goodsAmountLeft(state, retainableAmount(lines));
  const isPaid = lines.every((line) => line.quantities.refunded >= refundable(line));
  // A cent that rounding once gave too much of, and that came back, is nobody's debt either.
  const worth = sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
  return maximum > 0 && isPaid ? Math.max(0, goodsAmountLeft(state, worth)) : maximum;
};
