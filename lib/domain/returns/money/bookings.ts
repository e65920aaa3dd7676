import { proportion } from '../../money/proration.ts';
import type { Recovery, Refund } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';

/** The live refunds: all but those that never moved money or were reversed. */
export const liveRefunds = ({ refunds }: Pick<UnversionedReturn, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');

/** The succeeded refunds. */
export const succeededRefunds = ({ refunds }: Pick<UnversionedReturn, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status === 'succeeded');

/** Booked money and what it was for. A negative amount came back from the customer. */
export type Booking = Pick<Refund, 'amount' | 'returnLines' | 'breakdown'>;

/** Money of the order that refunds assigned to a return. It counts as recorded for the return without lines. */
const assignmentBookings = (refunds: readonly Refund[]): readonly Booking[] =>
  refunds.flatMap(({ breakdown: { assigned } }) => {
    if (assigned === undefined) return [];
    const zero = { ...assigned, amount: 0 };
    return [
      { amount: assigned, returnLines: [], breakdown: { lines: [], deductions: [], shipping: zero, other: assigned } },
    ];
  });

/** The money of the order that live refunds assigned to a return, in minor units. */
export const assignedAmount = (state: Pick<UnversionedReturn, 'refunds'>): number =>
  sum(assignmentBookings(liveRefunds(state)).map(({ amount }) => amount.amount));

type State = Pick<UnversionedReturn, 'refunds' | 'recoveries'>;
type Line = Recovery['lines'][number];

const zeroUnits = { quantity: 0, gross: 0 };
const unitsOf = (lines: readonly Pick<Line, 'lineId' | 'quantity' | 'gross'>[], lineId: string) =>
  lines
    .filter((line) => line.lineId === lineId)
    .reduce(
      (total, { quantity, gross }) => ({ quantity: total.quantity + quantity, gross: total.gross + gross.amount }),
      zeroUnits,
    );

/** Limits a line of a recovery to what live earlier refunds paid for its units. Earlier recoveries took their part. */
const livePart = (line: Line, paid: Refund['returnLines'], taken: readonly Line[]): Line => {
  const [maximum, less] = [unitsOf(paid, line.lineId), unitsOf(taken, line.lineId)];
  const quantity = Math.max(0, Math.min(line.quantity, maximum.quantity - less.quantity));
  const gross = Math.max(0, Math.min(line.gross.amount, maximum.gross - less.gross));
  const tax = gross === 0 ? 0 : proportion(line.tax.amount, gross, line.gross.amount);
  return { ...line, quantity, gross: { ...line.gross, amount: gross }, tax: { ...line.tax, amount: tax } };
};

/** Returns the booking that reverses refunds after a recovery. The units of its lines count as not refunded. */
const reversalOf = ({ amount, fees, exchange }: Recovery, lines: readonly Line[]): Booking => {
  const money = (of: number) => ({ ...amount, amount: of });
  const worth = sum(lines.map(({ gross }) => gross.amount));
  const withheld = sum(fees.map((fee) => fee.amount.amount));
  return {
    amount: money(-amount.amount),
    returnLines: lines.map(({ lineId, quantity, gross }) => ({
      lineId,
      quantity: -quantity,
      gross: money(-gross.amount),
    })),
    breakdown: {
      lines: lines.map(({ orderLineId, quantity, gross, tax }) => ({
        orderLineId,
        quantity: -quantity,
        gross: money(-gross.amount),
        tax: money(-tax.amount),
      })),
      deductions: fees,
      shipping: money(0),
      // Money of no units. A negative amount came back for a part of a unit or for exchanged units. It may also belong
      // to units whose refund was reversed since.
      other: money(worth + withheld - amount.amount - (exchange?.amount ?? 0)),
      ...(exchange === undefined ? {} : { exchange }),
    },
  };
};

const recoveryBookings = ({ refunds, recoveries }: State): readonly Booking[] => {
  if (recoveries.length === 0) return [];
  const taken: Line[] = [];
  return recoveries
    .filter(({ type }) => type === 'recovered')
    .map((recovery) => {
      const before = liveRefunds({ refunds }).filter(({ recordedAt }) => recordedAt <= recovery.at);
      const paid = before.flatMap(({ returnLines }) => returnLines);
      const lines = recovery.lines.map((line) => livePart(line, paid, taken));
      taken.push(...lines);
      return reversalOf(recovery, lines);
    });
};

/** Returns all bookings of a return: its live refunds, assigned money of the order, and recoveries. */
export const bookings = (state: State): readonly Booking[] => {
  const live = liveRefunds(state);
  return [...live, ...assignmentBookings(live), ...recoveryBookings(state)];
};

/** Returns the settled bookings: succeeded refunds, less recoveries. */
export const settledBookings = (state: State): readonly Booking[] => {
  const succeeded = succeededRefunds(state);
  return [...succeeded, ...assignmentBookings(succeeded), ...recoveryBookings(state)];
};

/** The money of the order that succeeded refunds assigned to a return, in minor units. */
export const settledAssignedAmount = (state: Pick<UnversionedReturn, 'refunds'>): number =>
  assignedAmount({ refunds: succeededRefunds(state) });

/** Returns what a refund pays on top of what was paid for the order, in minor units. */
const paidOnTop = ({ breakdown: { extras = [] } }: Pick<Booking, 'breakdown'>): number =>
  sum(extras.map(({ amount }) => amount.amount));

/** Returns what a refund pays of what was paid for the order, in minor units. */
export const paidBack = (booking: Pick<Booking, 'amount' | 'breakdown'>): number =>
  booking.amount.amount - paidOnTop(booking);

/**
 * Returns the money for goods that pays dearer items, in minor units. It takes of the payments of the order and does not
 * go back. What the customer pays for such an item is no payment of the order.
 */
export const setOff = ({ breakdown: { exchange } }: Pick<Booking, 'breakdown'>): number =>
  Math.max(0, 0 - (exchange?.amount ?? 0));

/** The amount paid for goods, in minor units. Money recorded without lines counts as paid for goods. */
export const paidForGoods = (booked: readonly Booking[]): number =>
  sum(
    booked.map(
      (booking) => paidBack(booking) - booking.breakdown.shipping.amount - (booking.breakdown.charges?.amount ?? 0),
    ),
  );
