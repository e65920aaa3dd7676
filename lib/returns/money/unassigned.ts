import { refundable } from '../goods/quantities.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { bookings } from './bookings.ts';
import { excessExchangeCredit } from './exchanges.ts';
import { goodsAmountLeft } from './goods-amount-left.ts';
import { partOfWorth } from './refund-ceiling.ts';

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges' | 'terms' | 'waivers'>;

/**
 * Money that belongs to no units, in minor units: recorded without lines and not yet counted against goods. Below zero,
 * more was given back or counted against goods than there was.
 */
export const unassigned = (state: State): number =>
  sum(
    bookings(state).map(({ breakdown: { other, deductions } }) => {
      const counted = deductions.filter(({ type }) => type === 'paid_before');
      return other.amount - sum(counted.map(({ amount }) => amount.amount));
    }),
  );

/**
 * What may still be given for the goods of a return, in minor units, where money was recorded without lines: counting
 * units misses it. Undefined where there is no such money, and counting units is enough.
 *
 * @param worth what the goods in question come to in all
 */
export const unassignedGoodsLimit = (state: State, worth: number): number | undefined =>
  unassigned(state) <= 0 ? undefined : Math.max(0, goodsAmountLeft(state, worth));

/** Whether something was given for goods of a return that turned out not to be due it. */
const isOverpaid = (state: State): boolean =>
  state.lines.some((line) => line.quantities.refunded > refundable(line)) ||
  excessExchangeCredit(state, ['fulfilled']) > 0;

/**
 * What of a refund the customer has already, in minor units: money that was recorded without its lines, or was given for
 * goods of the return that turned out not to be due it.
 *
 * @param worth what the goods in question come to in all
 * @param net what the refund would come to by units, less fees
 */
export const amountPaidBefore = (state: State, worth: number, net: number): number => {
  const isAhead = unassigned(state) > 0 || isOverpaid(state);
  return isAhead ? Math.max(0, net - Math.max(0, goodsAmountLeft(state, worth))) : 0;
};

/**
 * What refunded units are worth beyond what was paid for them, in minor units: refunds from outside may name any sum. A
 * minor unit for each of them is a matter of rounding.
 */
const underpaidAmount = ({ lines }: Pick<State, 'lines'>): number =>
  sum(
    lines.map((line) => {
      const units = Math.min(line.quantities.refunded, refundable(line));
      const short = Number(partOfWorth(line, BigInt(units))) - line.amounts.refunded.amount;
      return short > units ? short : 0;
    }),
  );

/**
 * What is owed beside units, in minor units: because goods came after all for which the customer gave money back, or for
 * which it was counted against other goods; and because less was paid outside than the units are worth.
 *
 * @param worth what the goods in question come to in all
 * @param net what is paid for them by units now, less fees
 */
export const additionalAmountOwed = (state: State, worth: number, net: number): number =>
  Math.max(0, Math.min(underpaidAmount(state) - unassigned(state), goodsAmountLeft(state, worth) - net));
