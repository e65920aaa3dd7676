import { derived } from '../derived.ts';
import { outstanding, refundable, undecided } from '../goods/quantities.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { type Booking, bookings, setOff, settledAssignedAmount, succeededRefunds } from './bookings.ts';
import { totalDeductions, goodsAmountLeft } from './deductions.ts';
import { appliedDifference, certainDifference, difference, itemsToPay, paidForItems } from './differences.ts';
import { excessExchangeWorth, isExchangedAtShop, shopExchangePrice } from './exchanges.ts';
import { agreedReductions, bookedForGoods, settledForGoods } from './reductions.ts';
import { isPaidFor, partOfWorth } from './refund-ceiling.ts';

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

/** Groups the lines of a return that share the rounding of an order line. */
const byOrderLine = (lines: readonly Line[]): readonly (readonly Line[])[] => [
  ...Map.groupBy(lines, ({ orderLineId }) => orderLineId).values(),
];

/**
 * Returns what the customer may keep for lines of one order line, which share its rounding.
 * Rounding may move up to one minor unit per refunded unit to another return. The customer does not owe these minor
 * units, unless more units were paid than are refundable.
 */
const retainableForOrderLine = (lines: readonly Line[]): number => {
  const worth = sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
  const paid = sum(lines.map(({ amounts }) => amounts.refunded.amount));
  const units = sum(lines.map(({ quantities }) => quantities.refunded));
  return units <= sum(lines.map(refundable)) ? Math.max(worth, Math.min(paid, worth + units)) : worth;
};

/** Returns what the customer may keep for lines of a return, in minor units. */
export const retainableAmount = (lines: readonly Line[]): number => sum(byOrderLine(lines).map(retainableForOrderLine));

/** The units of lines that are paid, and what they are worth beyond the money for them, in minor units. */
type PaidUnits = { readonly units: number; readonly short: number };

/** Returns the paid units of lines of one order line. */
const paidUnitsOf = (lines: readonly Line[]): PaidUnits => {
  const paid = lines.map((line) => {
    const units = Math.min(line.quantities.refunded, refundable(line));
    return { units, short: Number(partOfWorth(line, BigInt(units))) - line.amounts.refunded.amount };
  });
  return { units: sum(paid.map(({ units }) => units)), short: sum(paid.map(({ short }) => short)) };
};

/**
 * Returns by how much paid units were underpaid, in minor units. External refunds may state any amount. A difference of
 * one minor unit for each unit is rounding.
 */
export const underpaidAmount = (lines: readonly Line[]): number =>
  sum(
    byOrderLine(lines)
      .map(paidUnitsOf)
      .map(({ units, short }) => (short > units ? short : 0)),
  );

/** Returns the minor units that rounding moved here from another return, once all units of an order line are paid. */
const roundedUp = (lines: readonly Line[]): number => {
  if (lines.some((line) => line.quantities.refunded < refundable(line))) return 0;
  const { units, short } = paidUnitsOf(lines);
  return short > 0 && short <= units ? short : 0;
};

/**
 * Returns what the shop owes at most for lines of a return, in minor units. A minor unit of a paid unit that rounding
 * moves is not owed: neither one that another return gave back, nor one that was given too much and recovered.
 */
export const owedWorth = (lines: readonly Line[]): number => {
  const isAllPaid = lines.every((line) => line.quantities.refunded >= refundable(line));
  const worth = isAllPaid ? sum(lines.map(({ amounts }) => amounts.maxRefundable.amount)) : retainableAmount(lines);
  return worth - sum(byOrderLine(lines).map(roundedUp));
};

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
  const maximum = goodsAmountLeft(state, retainableAmount(lines));
  if (isExchangedAtShop(state)) return Math.min(0, maximum);
  const left = maximum > 0 ? Math.max(0, goodsAmountLeft(state, owedWorth(lines))) : maximum;
  return state.paymentsLeft === undefined ? left : Math.min(left, state.paymentsLeft - itemsToPay(state));
});
