import { deductionsOf } from './deductions.ts';
import type { Instant, Money } from './order.ts';
import { outstanding, refundable, undecided } from './quantities.ts';
import { paidForGoods, type Refund } from './refund.ts';
import type { Line, Unversioned } from './return.ts';
import { sum } from './sum.ts';

/** Money that the customer gave back, or that nobody asks for any more. */
export type Recovery = {
  readonly id: string;
  readonly type: 'recovered' | 'written_off';
  readonly amount: Money;
  /** What it is known by where it was paid. */
  readonly reference?: string;
  /** Why it was written off. */
  readonly reason?: string;
  readonly at: Instant;
};

type State = Pick<Unversioned, 'lines' | 'refunds' | 'terms' | 'waivers' | 'recoveries'>;

/** What refunds kept back of the worth of the goods for fees, in minor units. */
export const keptBack = (refunds: readonly Refund[]): number =>
  sum(
    refunds
      .flatMap(({ breakdown }) => breakdown.deductions)
      .filter(({ type }) => type !== 'recorded')
      .map(({ amount }) => amount.amount),
  );

/**
 * What the customer may keep for a line. Units that were paid for and may still be refunded are worth what was paid for
 * them as far as that is rounding, a cent for each: one that fell to another return is nobody's debt.
 */
export const keptFor = (line: Line): number => {
  const { maxRefundable, refunded } = line.amounts;
  const units = line.quantities.refunded;
  return units <= refundable(line)
    ? Math.max(maxRefundable.amount, Math.min(refunded.amount, maxRefundable.amount + units))
    : maxRefundable.amount;
};

/** What the customer has to give back, in minor units, now that nothing more is decided or comes. */
export const recoveryDue = (state: State): number => {
  const { lines, refunds, recoveries } = state;
  if (lines.some(({ quantities }) => undecided(quantities) > 0 || outstanding(quantities) > 0)) return 0;
  const settled = refunds.filter(({ status }) => status === 'succeeded');
  const paid = paidForGoods(settled);
  const owed = Math.max(0, sum(lines.map(keptFor)) - deductionsOf(state));
  return Math.max(0, paid - owed - sum(recoveries.map(({ amount }) => amount.amount)));
};
