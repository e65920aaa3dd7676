import { liveRefunds, type Refund } from './refund.ts';
import type { Recovery } from './recovery.ts';
import type { Unversioned } from './return.ts';
import { sum } from './sum.ts';

/** Money that went to the customer, or below zero came back, and what it was for. */
export type Booking = Pick<Refund, 'amount' | 'returnLines' | 'breakdown'>;

type State = Pick<Unversioned, 'refunds' | 'recoveries'>;

/** What came back undoes what was given: the units of its lines count as not refunded. */
const undone = ({ amount, lines, fees }: Recovery): Booking => {
  const money = (of: number) => ({ ...amount, amount: of });
  const worth = sum(lines.map(({ gross }) => gross.amount));
  const kept = sum(fees.map((fee) => fee.amount.amount));
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
      // The rest belongs to no units: below zero it came back for a part of a unit, or for what an exchange gave.
      other: money(worth + kept - amount.amount),
    },
  };
};

const recovered = ({ recoveries }: State): readonly Recovery[] => recoveries.filter(({ type }) => type === 'recovered');

/** All that counts of what was given for a return: its live refunds, and what the customer gave back of them. */
export const bookings = (state: State): readonly Booking[] => [...liveRefunds(state), ...recovered(state).map(undone)];

/** Of these, what the customer has in hand: refunds that have succeeded, less what came back. */
export const settledBookings = (state: State): readonly Booking[] => [
  ...state.refunds.filter(({ status }) => status === 'succeeded'),
  ...recovered(state).map(undone),
];

/** What was paid for goods, in minor units: all but shipping, so that money recorded without lines counts as well. */
export const paidForGoods = (booked: readonly Booking[]): number =>
  sum(booked.map(({ amount, breakdown }) => amount.amount - breakdown.shipping.amount));
