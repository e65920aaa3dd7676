import { outstanding, uninspected } from '../goods/quantities.ts';
import type { OrderLine } from '../model/order.ts';
import type { Return } from '../model/return.ts';
import { netGoodsAmount, orderLineOf, worthOf } from '../money/amounts.ts';
import { difference, payableDifference } from '../money/differences.ts';
import { exchangedAtShop, isExchangedAtShop } from '../money/exchanges.ts';
import { paymentsLeftFor, priceLeftFor } from '../money/paid-limit.ts';
import type { Quote } from '../money/quote.ts';
import { owed } from '../money/recovery.ts';
import {
  payableUnits,
  isPaidFor,
  isRefundTime,
  payableLaterUnits,
  waitsForInspection,
  unitsByDefault,
} from '../money/refund-ceiling.ts';
import { chargesLeft, shippingLeft } from '../money/shipping-share.ts';
import type { Situation } from '../situation.ts';
import { sum } from '../units-by-line.ts';
import type { Blocker, Guard } from './blocker.ts';
import { allowsCommand } from './states.ts';

const units = (count: number): string => (count === 1 ? '1 unit' : `${count} units`);

/**
 * Returns the blocker of a refund whose money becomes payable after an inspection or a receipt.
 *
 * @returns undefined when no money becomes payable later
 */
export const refundWait = (state: Return): Blocker | undefined => {
  const { lines, terms } = state;
  const hasLaterUnits = lines.some((line) => isPaidFor(line) && payableLaterUnits(line, terms) > 0);
  if (!hasLaterUnits && difference(state) <= payableDifference(state)) return undefined;
  // The shipping is refunded with the last goods, even when fees take their whole worth.
  if (terms.shipping === 'none' && owed(state) <= 0) return undefined;
  const toCome = sum(lines.map(({ quantities }) => outstanding(quantities)));
  const here = sum(lines.map(({ quantities }) => uninspected(quantities)));
  if (!waitsForInspection(state)) {
    const detail = `Nothing can be refunded now. The return has ${units(toCome)} not received. Refund it after the receipt.`;
    return { code: 'units_outstanding', detail };
  }
  const parts = [
    ...(here > 0 ? [`${units(here)} received and not inspected`] : []),
    ...(toCome > 0 ? [`${units(toCome)} not received`] : []),
  ];
  const detail = `Nothing can be refunded now. The return has ${parts.join(' and ')}. Refund it after the inspection.`;
  return { code: 'inspection_pending', detail };
};

/** Requires that the terms allow a refund now, and that the shop exchanges no units by itself. */
export const requireRefundTime: Guard = (state) => {
  if (isExchangedAtShop(state)) return exchangedAtShop;
  if (isRefundTime(state)) return undefined;
  const wait = refundWait(state);
  return wait?.code === 'inspection_pending'
    ? wait
    : {
        code: 'refund_timing',
        detail: `The terms allow a refund only after the return is ${state.terms.refundTiming}.`,
      };
};

/**
 * Returns the code of what blocks a quoted refund; undefined where it can be booked now. In a status without refunds the
 * goods and the terms do not matter, but what the shop exchanges does.
 *
 * @param total the amount of the quote, in minor units
 */
export const quoteBlocker = (state: Return, total: number): Blocker['code'] | undefined => {
  const blocker = requireRefundTime(state) ?? (total === 0 ? refundWait(state) : undefined);
  const isOfStatus = !allowsCommand(state.status, 'refund') && blocker !== exchangedAtShop;
  return isOfStatus ? 'invalid_transition' : blocker?.code;
};

type RefundInput = Pick<Situation, 'state' | 'order' | 'ledger'>;

/** The sums of a refund that decide whether it may be paid, in minor units. `extras` are its shipping and charges. */
type RefundSum = { readonly total: number; readonly extras: number; readonly hasUnits: boolean };

/** Returns the sums of a quoted refund. */
export const sumOf = ({
  total,
  returnLines,
  breakdown,
}: Pick<Quote, 'total' | 'returnLines' | 'breakdown'>): RefundSum => ({
  total: total.amount,
  extras: breakdown.shipping.amount + (breakdown.charges?.amount ?? 0),
  hasUnits: returnLines.length > 0,
});

/**
 * Returns whether a refund pays anything now. Shipping and charges alone do not precede goods that the money waits for.
 */
export const paysNow = ({ total, extras, hasUnits }: RefundSum, wait: Blocker | undefined): boolean =>
  total > 0 && (hasUnits || wait === undefined || total > extras);

/** Units of an order line that refunds may cover now. */
type PayableLine = { readonly sold: OrderLine; readonly units: number };

const payableLines = ({ state, order }: RefundInput): readonly PayableLine[] =>
  [...Map.groupBy(state.lines, ({ orderLineId }) => orderLineId).values()].flatMap(([first, ...others]) => {
    const units = sum([first, ...others].map((line) => (line === undefined ? 0 : payableUnits(line, state.terms))));
    return first === undefined || units === 0 ? [] : [{ sold: orderLineOf(order, first), units }];
  });

const grossOf = ({ ledger }: RefundInput, { sold }: PayableLine, units: number): number =>
  Number(worthOf(sold, ledger, units).gross);

/** The maximum number of unit combinations to compare. */
const maxCombinations = 1000;

/**
 * Returns the worths of all unit combinations that a refund may request.
 * They are in minor units, the lowest first.
 *
 * @returns undefined when there are too many combinations
 */
const possibleWorths = (facts: RefundInput, payable: readonly PayableLine[]): readonly number[] | undefined => {
  if (payable.reduce((modes, { units }) => modes * (units + 1), 1) > maxCombinations) return undefined;
  const named = payable.map((line) => Array.from({ length: line.units }, (_, more) => grossOf(facts, line, more + 1)));
  const worths = named.reduce<readonly number[]>(
    (sums, of) => [...new Set(sums.flatMap((worth) => [worth, ...of.map((more) => worth + more)]))],
    [0],
  );
  // A refund requests at least one unit.
  const isFree = named.some(([smallest]) => smallest === 0);
  return worths.filter((worth) => worth > 0 || isFree).toSorted((a, b) => a - b);
};

/**
 * Returns the amount for the lowest of these worths that pays anything.
 * The amount never falls when the worth rises.
 */
const lowestPaidAmount = (worths: readonly number[], goods: (gross: number) => number): number => {
  let [low, high] = [0, worths.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (goods(worths[middle] ?? 0) > 0) high = middle;
    else low = middle + 1;
  }
  return goods(worths[low] ?? 0);
};

/**
 * Returns what a refund may pay now, over all possible requests.
 *
 * @returns undefined when no refund pays anything. `minimum` returns the smallest sum in minor units. It is 1 when
 * there are too many combinations.
 */
export const refundableSums = (facts: RefundInput): { readonly minimum: () => number } | undefined => {
  const { state, order, ledger } = facts;
  const wait = refundWait(state);
  const left = priceLeftFor(facts);
  const payments = paymentsLeftFor(facts);
  const goods = (gross: number): number => {
    const { amount } = netGoodsAmount(state, gross);
    return Math.max(0, Math.min(left, amount, payments));
  };
  const payable = payableLines(facts);
  const hasUnits = payable.length > 0;
  const extras = Math.min(left, payments, Number(shippingLeft(order, ledger)) + chargesLeft(order, ledger));
  const maximum = goods(sum(payable.map((line) => grossOf(facts, line, line.units))));
  const extra = Math.min(extras, left - maximum, payments - maximum);
  if (!paysNow({ total: maximum + extra, extras: extra, hasUnits }, wait)) return undefined;

  /**
   * Returns the smallest amount for goods of one of these worths, or the smallest sum of extras.
   * Extras are shipping and charges.
   */
  const minOf = (worths: readonly number[], mayBeExtra: boolean): number => {
    const minimum = worths[0] === undefined ? 0 : goods(worths[0]);
    return minimum === 0 && mayBeExtra ? 1 : minimum || lowestPaidAmount(worths, goods);
  };
  const minimum = (): number => {
    const worths = possibleWorths(facts, payable);
    if (worths === undefined) return 1;
    const isUnnamedEmpty = state.lines.every((line) => unitsByDefault(line, state) === 0);
    const sums = [
      ...(hasUnits ? [minOf(worths, extras > 0)] : []),
      ...(isUnnamedEmpty ? [minOf([0], extras > 0 && wait === undefined)] : []),
    ];
    return Math.min(...sums.filter((total) => total > 0));
  };
  return { minimum };
};
