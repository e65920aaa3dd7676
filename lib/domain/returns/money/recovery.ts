import { derived } from '../derived.ts';
import { outstanding, undecided } from '../goods/quantities.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { type Booking, bookings, setOff, settledAssignedAmount, succeededRefunds } from './bookings.ts';
import { totalDeductions, goodsAmountLeft } from './deductions.ts';
import { appliedDifference, certainDifference, difference, itemsToPay, paidForItems } from './differences.ts';
import { excessExchangeWorth, isExchangedAtShop, shopExchangePrice } from './exchanges.ts';
import { agreedReductions, bookedForGoods, settledForGoods } from './reductions.ts';
import { isPaidFor } from './refund-ceiling.ts';
import { owedWorth, retainableAmount } from './rounding.ts';

type State = Pick<
  UnversionedReturn,
  'lines' | 'refunds' | 'terms' | 'waivers' | 'recoveries' | 'exchanges' | 'shopExchanges' | 'paymentsLeft'
>;

/** Returns what refunds deducted from the worth of the goods for fees, in minor units. */
export const feesTaken = (booked: readonly Booking[]): number =>
  sum(
    booked
      .flatMap(({ breakdown }) => breakdown.deductions)
      .filter(({ type }) => type !== 'paid_before')
      .map(({ amount }) => amount.amount),
  );

/** Returns what the customer owes for goods that the shop wrote off, in minor units. */
export const writtenOffGoods = ({ recoveries }: State): number =>
  sum(
    recoveries
      .filter(({ type }) => type === 'written_off')
      .map(({ amount, exchange }) => amount.amount + (exchange?.amount ?? 0)),
  );

/**
 * Returns what the customer keeps whatever the goods are worth, in minor units. No return of an order recovers what was
 * given for the order, or a part of the price of units.
 */
export const agreedAmount = (state: Pick<State, 'lines' | 'refunds'>): number =>
  settledAssignedAmount(state) + agreedReductions(state, succeededRefunds(state));

/**
 * Returns what the customer owes, in minor units. While units are undecided or outstanding, it is only the open
 * difference of dearer exchanges, as far as these units are not worth it.
 */
export const recoveryDue = /* @__PURE__ */ derived((state: State): number => {
  const { lines } = state;
  const isOpen = lines.some(({ quantities }) => undecided(quantities) > 0 || outstanding(quantities) > 0);
  const most = isOpen ? Math.max(0, appliedDifference(state) - difference(state)) : Infinity;
  if (most === 0) return 0;
  const paid = settledForGoods(state) + excessExchangeWorth(state, ['fulfilled']);
  const ofGoods = retainableAmount(lines) - totalDeductions(state) - shopExchangePrice(state);
  // Goods that were never paid settle nothing.
  const taken = bookedForGoods(state) + sum(bookings(state).map(setOff)) + paidForItems(state);
  const payments = taken + (state.paymentsLeft ?? Infinity);
  const retained = Math.max(agreedAmount(state), Math.min(ofGoods, payments));
  return Math.min(most, Math.max(0, paid - retained - certainDifference(state) - writtenOffGoods(state)));
});

/**
 * Returns what the customer is still owed for the goods, without shipping, in minor units.
 * It is negative when more was given. While goods are outstanding or uninspected, it is the amount that may become due.
 * What the customer never paid is not owed.
 */
export const owed = /* @__PURE__ */ derived((state: UnversionedReturn): number => {
  const lines = state.lines.filter(isPaidFor);
  const most = retainableAmount(lines);
  const maximum = goodsAmountLeft(state, most);
  if (isExchangedAtShop(state)) return Math.min(0, maximum);
  const worth = maximum > 0 ? owedWorth(lines) : most;
  const left = worth === most ? maximum : Math.max(0, goodsAmountLeft(state, worth));
  return state.paymentsLeft === undefined ? left : Math.min(left, state.paymentsLeft - itemsToPay(state));
});
