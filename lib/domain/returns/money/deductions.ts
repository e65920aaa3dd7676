import { basisPoints } from '../../money/proration.ts';
import { derived } from '../derived.ts';
import { remainingApproved } from '../goods/quantities.ts';
import { inspectionCapOf } from '../line-fees.ts';
import type { Money } from '../model/order.ts';
import type { Deduction, FeeType } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { type Booking, bookings, liveRefunds } from './bookings.ts';
import { appliedDifference, difference } from './differences.ts';
import { givenInAdvance, shopExchangePrice } from './exchanges.ts';
import { agreedReductions, bookedForGoods } from './reductions.ts';
import { ceilingWorth, partOfWorth, payableUnits } from './refund-ceiling.ts';

/**
 * A deduction from the money for goods, one of each type for a return.
 * `amount` is the whole fee, `applied` the part that refunds and recoveries took, and `waived` the part given up.
 */
export type Fee = {
  readonly type: FeeType;
  readonly amount: Money;
  readonly applied: Money;
  readonly waived: Money;
  /** Why it was waived. */
  readonly reason?: string;
};

type State = Pick<
  UnversionedReturn,
  'lines' | 'refunds' | 'recoveries' | 'terms' | 'waivers' | 'exchanges' | 'shopExchanges' | 'promotion'
>;

const inspection = ({ lines, terms }: State): bigint =>
  sumBigInts(
    lines.map((line) => {
      const found = line.inspections.filter(({ outcome }) => outcome === 'accept');
      const parts = found.map(({ quantity, deductionBps }) =>
        BigInt(quantity * Math.min(deductionBps, inspectionCapOf(terms, line.id))),
      );
      return partOfWorth(line, sumBigInts(parts), 10_000n);
    }),
  );

/** Returns the restocking fee of lines together, which a maximum limits together. */
const restockingOf = (goods: Pick<State, 'lines' | 'terms'>, bps: number, cap: number | null): bigint => {
  const fee = basisPoints(ceilingWorth(goods), bps);
  return cap !== null && fee > BigInt(cap) ? BigInt(cap) : fee;
};

/** Returns the restocking fee: of each line with a fee of its own, and of all other lines together. */
const restocking = ({ lines, terms }: State): bigint => {
  const { restockingBps, restockingCap, byLine = {} } = terms.fees;
  const others: Line[] = [];
  let fee = 0n;
  for (const line of lines) {
    const { restockingBps: bps, restockingCap: cap = null } = byLine[line.id] ?? {};
    if (bps === undefined) others.push(line);
    else fee += restockingOf({ lines: [line], terms }, bps, cap);
  }
  return fee + restockingOf({ lines: others, terms }, restockingBps, restockingCap);
};

/** Returns the flat fee for return shipping. A return whose units may all stay with the customer has none. */
const returnShipping = ({ lines, terms }: State): bigint => {
  const comesBack = lines.some(({ quantities }) => remainingApproved(quantities) > quantities.returnless);
  return comesBack ? BigInt(terms.fees.returnShipping) : 0n;
};

/** The amount of each fee of the return alone, in the order of deduction. The inspection deductions come first. */
const feeAmounts: Readonly<Record<Exclude<FeeType, 'promotion'>, (state: State) => bigint>> = {
  inspection,
  restocking,
  return_shipping: returnShipping,
};
const types = Object.keys(feeAmounts) as readonly (keyof typeof feeAmounts)[];

/** Returns whether a fee is allowed. A fee cannot take what the law grants the customer. */
const isAllowed = ({ terms: { floor } }: State, type: FeeType): boolean =>
  floor === null || floor.fees.some((allowed) => allowed === type);

/** Returns what refunds and recoveries took of a fee. */
const appliedOf = (booked: readonly Booking[], type: FeeType): bigint =>
  booked.length === 0
    ? 0n
    : sumBigInts(
        booked
          .flatMap(({ breakdown }) => breakdown.deductions)
          .map((deduction) => (deduction.type === type ? BigInt(deduction.amount.amount) : 0n)),
      );

/** Returns a fee of a type; nothing for one that the return does not have. */
const feeOf = (state: State, type: FeeType, amount: bigint, applied: bigint): readonly Fee[] => {
  const money = (of: bigint): Money => ({ amount: Number(of), currency: state.lines[0]?.amounts.gross.currency ?? '' });
  const waiver = state.waivers.find((candidate) => candidate.type === type);
  if (amount === 0n && applied === 0n && waiver === undefined) return [];
  const waived = waiver === undefined || applied > amount ? 0n : amount - applied;
  return [
    {
      type,
      amount: money(amount),
      applied: money(applied),
      waived: money(waived),
      ...(waiver === undefined ? {} : { reason: waiver.reason }),
    },
  ];
};

const deductionsOf = (fees: readonly Fee[]): number =>
  sum(fees.map(({ amount, waived }) => amount.amount - waived.amount));

/** Returns the worth of what is still to be paid, in minor units: units, and differences of the shop. */
const unpaidWorth = (state: State): number =>
  Number(sumBigInts(state.lines.map((line) => partOfWorth(line, BigInt(payableUnits(line, state.terms)))))) +
  Math.max(0, difference(state) - appliedDifference(state));

/**
 * Returns what a return takes back of promotions. It grows only with goods that are still to be paid: what another return
 * ends later makes no debt here. What was taken too much is always paid back.
 *
 * @param others the other fees of the return
 */
const promotionAmount = (state: State, others: readonly Fee[], applied: bigint): bigint => {
  if (state.promotion === undefined) return 0n;
  const wanted = BigInt(state.promotion);
  if (wanted <= applied || state.waivers.some(({ type }) => type === 'promotion')) return wanted;
  if (state.terms.fees.promotion !== true || !isAllowed(state, 'promotion')) return applied;
  const left = amountLeft(state, Number(ceilingWorth(state)), deductionsOf(others) + Number(applied));
  const most = applied + BigInt(Math.max(0, Math.min(left, unpaidWorth(state))));
  return wanted < most ? wanted : most;
};

/** Returns the fees of a return, without those of zero. They follow from the return alone. */
export const feesOf = /* @__PURE__ */ derived((state: State): readonly Fee[] => {
  const booked = bookings(state);
  const own = types.flatMap((type) =>
    feeOf(state, type, isAllowed(state, type) ? feeAmounts[type](state) : 0n, appliedOf(booked, type)),
  );
  const applied = appliedOf(booked, 'promotion');
  return [...own, ...feeOf(state, 'promotion', promotionAmount(state, own, applied), applied)];
});

/** A fee of the terms that the law removes. */
export type RemovedFee = Pick<Fee, 'type' | 'amount'> & { readonly law: string };

/** Returns what the law removes of each fee. With the amounts of `feesOf`, these are the fees of the terms. */
export const removedFees = (state: State): readonly RemovedFee[] => {
  const { floor } = state.terms;
  if (floor === null) return [];
  const charged = new Map(feesOf(state).map(({ type, amount }) => [type, amount.amount]));
  return feesOf({ ...state, terms: { ...state.terms, floor: null } }).flatMap(
    ({ type, amount: { amount, currency } }) => {
      const removed = isAllowed(state, type) ? 0 : amount - (charged.get(type) ?? 0);
      return removed > 0 ? [{ type, amount: { amount: removed, currency }, law: floor.law }] : [];
    },
  );
};

/** Returns the amount that a fee still has to take. */
export const openFeeAmount = ({ amount, applied, waived }: Fee): number =>
  Math.max(0, amount.amount - applied.amount - waived.amount);

/** Returns the total deduction from the money for goods, without waived fees, in minor units. */
export const totalDeductions = (state: State): number => deductionsOf(feesOf(state));

/**
 * Returns the fees of which refunds took too much, as negative amounts.
 * The goods that they were taken of did not arrive.
 */
export const excessFees = (state: State): readonly Deduction[] =>
  feesOf(state).flatMap(({ type, amount, applied }) =>
    applied.amount > amount.amount ? [{ type, amount: { ...amount, amount: amount.amount - applied.amount } }] : [],
  );

/**
 * Returns the open fees that a refund of goods worth `gross` takes.
 * It never takes more than `gross`, and no part of a fee twice.
 */
export const takeFees = (state: State, gross: number): readonly Deduction[] => {
  let left = gross;
  return feesOf(state).flatMap((fee) => {
    const amount = Math.min(left, openFeeAmount(fee));
    left -= amount;
    return amount === 0 ? [] : [{ type: fee.type, amount: { ...fee.amount, amount } }];
  });
};

/**
 * Returns what was given for the goods of a return, less recoveries, in minor units.
 * It counts money, and the worth of exchanged units that are not due.
 */
export const goodsAmountPaid = (
  state: Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges'>,
): number => bookedForGoods(state) + givenInAdvance(state);

/** Returns the least that the customer has for the goods of a return: the parts of their price that they got back. */
const agreedLeast = (state: State): number => agreedReductions(state, liveRefunds(state));

/** Returns what may still be given for goods of this worth, less these deductions, in minor units. */
const amountLeft = (state: State, worth: number, deductions: number, exchanged = difference(state)): number =>
  Math.max(agreedLeast(state), worth - deductions - shopExchangePrice(state)) + exchanged - goodsAmountPaid(state);

/** Returns the parts of the price that fees of goods of this worth do not take, although they exceed it, in minor units. */
export const reductionsBeyondFees = (state: State, worth: number): number => {
  const net = Math.max(0, worth - totalDeductions(state) - shopExchangePrice(state));
  return Math.max(0, agreedLeast(state) - net);
};

/**
 * Returns what may still be given for goods of this total `worth`, less fees, in minor units. It includes the differences
 * of exchanges, and is negative when more was given. No fee takes a part of the price that the customer got back.
 *
 * @param exchanged the differences that count
 */
export const goodsAmountLeft = (state: State, worth: number, exchanged = difference(state)): number =>
  amountLeft(state, worth, totalDeductions(state), exchanged);
