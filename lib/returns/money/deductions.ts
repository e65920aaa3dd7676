import { basisPoints } from '../../money/proration.ts';
import { remainingApproved } from '../goods/quantities.ts';
import type { Money } from '../model/order.ts';
import type { Deduction, FeeType } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { bookings } from './bookings.ts';
import { ceilingWorth, partOfWorth } from './refund-ceiling.ts';

/**
 * What is kept of the money for the goods, one of each type for a return: `amount` in all, `applied` what refunds and
 * recoveries took of it so far, `waived` what is given up of it.
 */
export type Fee = {
  readonly type: FeeType;
  readonly amount: Money;
  readonly applied: Money;
  readonly waived: Money;
  /** Why it was waived. */
  readonly reason?: string;
};

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'terms' | 'waivers'>;

const inspection = ({ lines, terms }: State): bigint =>
  sumBigInts(
    lines.map((line) => {
      const found = line.inspections.filter(({ outcome }) => outcome === 'accept');
      const parts = found.map(({ quantity, deductionBps }) =>
        BigInt(quantity * Math.min(deductionBps, terms.fees.inspectionCapBps)),
      );
      return partOfWorth(line, sumBigInts(parts), 10_000n);
    }),
  );

const restocking = (state: State): bigint => {
  const { restockingBps, restockingCap } = state.terms.fees;
  const fee = basisPoints(ceilingWorth(state), restockingBps);
  return restockingCap !== null && fee > BigInt(restockingCap) ? BigInt(restockingCap) : fee;
};

/** It is a flat fee for the way back: where everything may stay with the customer, there is none. */
const returnShipping = ({ lines, terms }: State): bigint => {
  const comesBack = lines.some(({ quantities }) => remainingApproved(quantities) > quantities.returnless);
  return comesBack ? BigInt(terms.fees.returnShipping) : 0n;
};

/** What each fee comes to, in the order in which they are taken: what the goods have lost goes first. */
const feeAmounts: Readonly<Record<FeeType, (state: State) => bigint>> = {
  inspection,
  restocking,
  return_shipping: returnShipping,
};
const types = Object.keys(feeAmounts) as readonly FeeType[];

/** What a law gives the customer, fees cannot take. */
const isAllowed = ({ terms: { floor } }: State, type: FeeType): boolean =>
  floor === null || floor.fees.some((allowed) => allowed === type);

/** The fees of a return as it is, those that come to nothing left out. They follow from the return alone. */
export const feesOf = (state: State): readonly Fee[] =>
  types.flatMap((type) => {
    const money = (amount: bigint): Money => ({
      amount: Number(amount),
      currency: state.lines[0]?.amounts.gross.currency ?? '',
    });
    const amount = isAllowed(state, type) ? feeAmounts[type](state) : 0n;
    const taken = bookings(state).flatMap(({ breakdown }) => breakdown.deductions.filter((one) => one.type === type));
    const applied = sumBigInts(taken.map((deduction) => BigInt(deduction.amount.amount)));
    const waiver = state.waivers.find((one) => one.type === type);
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
  });

/** What a fee still has to take. */
export const openFeeAmount = ({ amount, applied, waived }: Fee): number =>
  Math.max(0, amount.amount - applied.amount - waived.amount);

/** What refunds take off the money for the goods in all, unless it is waived: minor units. */
export const totalDeductions = (state: State): number =>
  sum(feesOf(state).map(({ amount, waived }) => amount.amount - waived.amount));

/** Fees of which refunds took more than they come to now, below zero: goods that they were taken of did not come. */
export const excessFees = (state: State): readonly Deduction[] =>
  feesOf(state).flatMap(({ type, amount, applied }) =>
    applied.amount > amount.amount ? [{ type, amount: { ...amount, amount: amount.amount - applied.amount } }] : [],
  );

/** What a refund of goods worth `gross` takes of the fees that are open: never more than that, and never a part twice. */
export const takeFees = (state: State, gross: number): readonly Deduction[] => {
  let left = gross;
  return feesOf(state).flatMap((fee) => {
    const amount = Math.min(left, openFeeAmount(fee));
    left -= amount;
    return amount === 0 ? [] : [{ type: fee.type, amount: { ...fee.amount, amount } }];
  });
};
