import type { Money } from '../model/order.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { bookings } from './bookings.ts';
import { difference } from './differences.ts';
import { excessExchangeWorth, givenInAdvance, shopExchangePrice } from './exchanges.ts';
import { goodsAmountLeft, reductionsBeyondFees } from './deductions.ts';
import { countedReductions } from './reductions.ts';
import { hasOverpaidUnits, underpaidAmount } from './rounding.ts';

type State = Pick<
  UnversionedReturn,
  'lines' | 'refunds' | 'recoveries' | 'exchanges' | 'shopExchanges' | 'terms' | 'waivers'
>;

const grossOf = (lines: readonly { readonly gross: Money }[]): number => sum(lines.map(({ gross }) => gross.amount));

/**
 * Returns the money that belongs to no units of the return, in minor units. It was recorded without lines, for units that
 * the return does not have, or for units to keep that the return still claims. It is not yet counted as paid for goods.
 * It is negative when more was recovered, or counted as paid for goods, than was recorded.
 */
export const unassigned = (state: State): number =>
  countedReductions(state).gross +
  sum(
    bookings(state).map(({ returnLines, breakdown: { lines, other, deductions } }) => {
      const counted = deductions.filter(({ type }) => type === 'paid_before');
      const ofOthers = grossOf(lines) - grossOf(returnLines);
      return other.amount + ofOthers - sum(counted.map(({ amount }) => amount.amount));
    }),
  );

/**
 * Returns whether money or new items were given for goods of a return that are not due. The difference of an exchange is
 * paid before the new item is fulfilled, so it counts earlier. A new item of the shop pays for goods as money does.
 */
const isOverpaid = (state: State): boolean =>
  shopExchangePrice(state) > 0 ||
  hasOverpaidUnits(state.lines) ||
  excessExchangeWorth(state, difference(state) > 0 ? ['requested', 'ordered', 'fulfilled'] : ['fulfilled']) > 0;

/** Returns the worth of exchanged units that are not due, and whose new item the shop may still cancel, in minor units. */
const openItems = (state: State): number => givenInAdvance(state) - excessExchangeWorth(state, ['fulfilled']);

/**
 * Returns the part of a refund that the customer already has, in minor units.
 * That money was recorded without lines, or was given for goods of the return that are not due. Or the shop gave a new
 * item in its place, or a fee takes more than the goods of the refund. One minor unit for each unit is rounding.
 *
 * @param worth the total worth of the goods in question
 * @param net the refund by units, less fees
 */
export const amountPaidBefore = (state: State, worth: number, net: number): number => {
  const more = Math.max(0, net - Math.max(0, goodsAmountLeft(state, worth)));
  if (unassigned(state) > 0 || isOverpaid(state)) return more;
  const beyond = more - openItems(state);
  return beyond > sum(state.lines.map(({ quantities }) => quantities.requested)) ? beyond : 0;
};

/**
 * Returns what is owed in addition to units, in minor units. Goods may have arrived after the customer gave their money
 * back, or after it was counted for other goods. An external refund may also have paid less than the units are worth.
 * A part of the price that the customer got back pays for no goods whose fees take all of their worth.
 *
 * @param worth the total worth of the goods in question
 * @param net what the refund pays for their units now, less fees
 */
export const additionalAmountOwed = (state: State, worth: number, net: number): number => {
  const short = underpaidAmount(state.lines) - unassigned(state) + reductionsBeyondFees(state, worth);
  return short <= 0 ? 0 : Math.max(0, Math.min(short, goodsAmountLeft(state, worth) - net));
};
