import { paidForGoods, settledAssigned, settledBookings, type Booking } from './bookings.ts';
import { deductionsOf } from './deductions.ts';
import { overExchanged } from './exchanges.ts';
import { outstanding, refundable, undecided } from '../goods/quantities.ts';
import type { Line, Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';

type State = Pick<Unversioned, 'lines' | 'refunds' | 'terms' | 'waivers' | 'recoveries' | 'exchanges'>;

/** What refunds kept back of the worth of the goods for fees, in minor units. */
export const keptBack = (booked: readonly Booking[]): number =>
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
const keptForSharing = (lines: readonly Line[]): number => {
  const worth = sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const paid = sum(lines.map(({ amounts }) => amounts.refunded.amount));
  const units = sum(lines.map(({ quantities }) => quantities.refunded));
  return units <= sum(lines.map(refundable)) ? Math.max(worth, Math.min(paid, worth + units)) : worth;
};

/** What the customer may keep for lines of a return, in minor units. */
export const keptFor = (lines: readonly Line[]): number =>
  sum([...Map.groupBy(lines, ({ orderLineId }) => orderLineId).values()].map(keptForSharing));

/** What the customer has to give back, in minor units; 0 while units are still undecided or outstanding. */
export const recoveryDue = (state: State): number => {
  const { lines, recoveries } = state;
  if (lines.some(({ quantities }) => undecided(quantities) > 0 || outstanding(quantities) > 0)) return 0;
  const given = paidForGoods(settledBookings(state)) + overExchanged(state, ['fulfilled']);
  // What was given for the order, no return of it asks back.
  const kept = Math.max(settledAssigned(state), keptFor(lines) - deductionsOf(state));
  const writtenOff = recoveries.filter(({ type }) => type === 'written_off');
  return Math.max(0, given - kept - sum(writtenOff.map(({ amount }) => amount.amount)));
};
