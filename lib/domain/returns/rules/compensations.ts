import type { ExtraType, PriceReduction, Refund } from '../model/refund.ts';
import type { Line, Return } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { orderLineOf, orderPriceLeft } from '../money/amounts.ts';
import { bookings, liveRefunds, paidForGoods } from '../money/bookings.ts';
import { appliedDifference, difference } from '../money/differences.ts';
import { ledgerLine } from '../money/order-ledger.ts';
import { paymentsLeftFor } from '../money/paid-limit.ts';
import { owed } from '../money/recovery.ts';
import { countedOfLine, keptOfLine, reductionsOf, unclaimed } from '../money/reductions.ts';
import { approvalLimitLeft } from '../money/refund-ceiling.ts';
import { paidTotal, soldLine } from '../money/sold-lines.ts';
import type { Situation } from '../situation.ts';
import { sum } from '../units-by-line.ts';

/*
 * Payments that are no refund of units: parts of a price, and payments on top of what was paid for the order. Each kind
 * on top has the payers without returns:admin, its methods and its limit. The approval limit of the terms counts all
 * kinds together with refunds.
 */

/** Why the goods came back that the shop is liable for. */
type Basis = NonNullable<Return['basis']>;

type ExtraRule = {
  /** Whether a writer may pay it for this return. */
  readonly isForWriters: (state: Return) => boolean;
  /** The allowed methods, the default first. Absent for any. */
  readonly methods?: readonly Refund['method'][];
  /** The maximum for the whole return without an admin, in minor units. Undefined for none. */
  readonly maximum: (terms: Terms, paidForGoods: number) => number | undefined;
};

/**
 * The bases of a return whose postage the shop bears. The trader brings goods into conformity free of charge (Directive
 * (EU) 2019/771, articles 14 and 16(3)).
 */
const shopsBases: ReadonlySet<Basis> = new Set(['defect', 'warranty', 'wrong_item', 'transit_damage', 'recall']);

export const extraRules: Readonly<Record<ExtraType, ExtraRule>> = {
  return_postage: {
    isForWriters: ({ basis }) => basis !== undefined && shopsBases.has(basis),
    maximum: ({ extras }) => extras?.returnPostage,
  },
  compensation: { isForWriters: () => false, maximum: () => undefined },
  bonus: {
    isForWriters: ({ terms }) => terms.extras?.bonusBps !== undefined,
    methods: ['store_credit', 'gift_card'],
    maximum: ({ extras }, paidForGoods) =>
      extras?.bonusBps === undefined
        ? undefined
        : Number((BigInt(Math.max(0, paidForGoods)) * BigInt(extras.bonusBps)) / 10_000n),
  },
};

/** Returns what a writer may still pay of a kind on top, in minor units; undefined without a limit. */
export const extraLeft = (state: Return, type: ExtraType): number | undefined => {
  const maximum = extraRules[type].maximum(state.terms, paidForGoods(bookings(state)));
  if (maximum === undefined) return undefined;
  const extras = liveRefunds(state).flatMap(({ breakdown }) => breakdown.extras ?? []);
  const paid = sum(extras.filter((extra) => extra.type === type).map(({ amount }) => amount.amount));
  return Math.max(0, maximum - paid);
};

type Facts = Pick<Situation, 'state' | 'order' | 'ledger'>;

/**
 * Returns the most that reductions of a line may take, so that the part for units that the return claims is at most what
 * the customer is still owed. Infinity when none of them is for such a unit.
 *
 * @param units the units of all of them
 */
const mostForClaimed = (state: Return, line: Line, reductions: readonly PriceReduction[], units: number): number => {
  const claimed = units - Math.min(units, unclaimed(line));
  if (claimed === 0) return Infinity;
  const forExchanges = Math.max(0, difference(state) - appliedDifference(state));
  const most = BigInt(countedOfLine(line, reductions) + Math.max(0, owed(state) - forExchanges));
  return Number((most * BigInt(units)) / BigInt(claimed));
};

/**
 * Returns what may still be paid of the price of units of a line, in minor units: their share of the price, what is left
 * of the share of the whole line, of the order line and of the order. For units that the return claims, it is at most what
 * the customer is still owed for the goods.
 */
export const reducibleAmount = ({ state, order, ledger }: Facts, line: Line, quantity: number): number => {
  const sold = soldLine(ledger, orderLineOf(order, line));
  const { granted, reduced } = ledgerLine(ledger, line.orderLineId);
  const price = (units: number) => Number((paidTotal(sold) * BigInt(units)) / BigInt(sold.quantity));
  const reductions = reductionsOf(state).filter(({ lineId }) => lineId === line.id);
  // The price of the other units is paid or reduced already. A second reduction of theirs would lower what was paid.
  const { requested } = line.quantities;
  const units = Math.min(sum(reductions.map((reduction) => reduction.quantity)) + quantity, requested);
  const others = (reduced?.units ?? 0) - keptOfLine(line, reductions).units;
  if (units > sold.quantity - granted.units - others) return 0;
  const whole = Math.min(price(requested), mostForClaimed(state, line, reductions, units));
  const left = [
    price(quantity),
    whole - sum(reductions.map(({ gross }) => gross.amount)),
    Number(paidTotal(sold)) - granted.gross - (reduced?.gross ?? 0),
    Number(orderPriceLeft(order, ledger)),
  ];
  return Math.max(0, Math.min(...left));
};

/** Whether a writer may pay some compensation now. An admin may pay a kind on top in any case. */
export const mayWriterCompensate = (facts: Facts): boolean => {
  const { state, order, ledger } = facts;
  if (order.facts.completeness === 'partial' || approvalLimitLeft(state, ledger) === 0) return false;
  const types = Object.keys(extraRules) as readonly ExtraType[];
  if (types.some((type) => extraRules[type].isForWriters(state) && extraLeft(state, type) !== 0)) return true;
  return (
    paymentsLeftFor(facts) > 0 &&
    state.lines.some((line) =>
      [1, line.quantities.requested].some((quantity) => reducibleAmount(facts, line, quantity) > 0),
    )
  );
};
