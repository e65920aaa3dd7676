import { derived } from '../derived.ts';
import type { Attempt, Refund, RefundResult } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { bookings, settledAssignedAmount, settledBookings, liveRefunds } from './bookings.ts';
import { goodsAmountLeft } from './deductions.ts';
import { payableDifference } from './differences.ts';
import { feesTaken, owed, recoveryDue } from './recovery.ts';
import { bookedForGoods } from './reductions.ts';
import { dueUnits, isPaidFor, isRefundTime, partOfWorth } from './refund-ceiling.ts';

/** The statuses that a payer may report for a booked refund. */
export type ReportedRefundStatus = Exclude<Refund['status'], 'pending'>;

/** The next statuses of a refund (contract section 4). */
export const nextRefundStatuses: Readonly<Record<Refund['status'], readonly ReportedRefundStatus[]>> = {
  pending: ['submitted', 'succeeded', 'failed', 'unknown', 'cancelled'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  failed: ['submitted', 'cancelled'],
  succeeded: ['reversed'],
  reversed: [],
  cancelled: [],
};

/** Returns whether a refund awaits a result. A refund recorded as a fact keeps its status. */
export const awaitsResult = ({ external, status }: Refund): boolean =>
  external === undefined && nextRefundStatuses[status].length > 0;

const updateAttempts = (
  attempts: readonly Attempt[],
  status: ReportedRefundStatus,
  { occurredAt, providerRef, code }: RefundResult,
): readonly Attempt[] => {
  const details = {
    ...(providerRef === undefined ? {} : { providerRef }),
    ...(code === undefined ? {} : { code }),
  };
  const last = attempts.at(-1);
  switch (status) {
    case 'submitted':
      return [...attempts, { status, submittedAt: occurredAt, ...details }];
    case 'succeeded':
    case 'failed':
    case 'unknown': {
      // A payment that is reported once, when it has a result, has no earlier report of the same attempt.
      const attempt = last ?? { submittedAt: occurredAt };
      return [...attempts.slice(0, -1), { ...attempt, status, settledAt: occurredAt, ...details }];
    }
    case 'reversed':
    case 'cancelled':
      return attempts;
  }
};

/** Applies a reported result to a refund. */
export const applyResult = (refund: Refund, status: ReportedRefundStatus, result: RefundResult): Refund => ({
  ...refund,
  status,
  attempts: updateAttempts(refund.attempts, status, result),
  ...(result.providerRef === undefined ? {} : { providerRef: result.providerRef }),
  ...(result.external === undefined ? {} : { settledBy: result.external }),
  ...(status === 'succeeded' ? { occurredAt: result.occurredAt } : {}),
});

/** The progress of the money. It is independent of the status, which is about the goods. */
export type RefundStatus =
  | 'none'
  | 'due'
  | 'pending'
  | 'partially_refunded'
  | 'refunded'
  | 'failed'
  | 'unknown'
  | 'recovery_due';

/** The refund status of a return by the status of an open refund, the worst first. */
const openStatuses: readonly (readonly [status: Refund['status'], of: RefundStatus])[] = [
  ['unknown', 'unknown'],
  ['failed', 'failed'],
  ['submitted', 'pending'],
  ['pending', 'pending'],
];

/** The booked refunds that are not paid. */
export const unsettledRefunds = (state: Pick<UnversionedReturn, 'refunds'>): readonly Refund[] =>
  liveRefunds(state).filter(({ status }) => status !== 'succeeded');

/** Whether refunds may still be due that the completion of the return did not waive. */
export const mayBeDue = (state: UnversionedReturn): boolean =>
  isRefundTime(state) && !(state.status === 'completed' && state.waiver !== undefined);

/** Returns what may already be booked for the goods and for differences, less fees, in minor units. */
export const payableNow = /* @__PURE__ */ derived((state: UnversionedReturn): number => {
  if (!mayBeDue(state)) return 0;
  const lines = state.lines.filter(isPaidFor);
  const worth = sum(lines.map((line) => Number(partOfWorth(line, BigInt(dueUnits(line, state))))));
  return Math.max(0, Math.min(owed(state), goodsAmountLeft(state, worth, payableDifference(state))));
});

type ReturnMoney = { readonly refunded: number; readonly due: number };

/**
 * Returns the money of a return, in minor units.
 * `refunded` is what the customer has, with shipping. `due` is what is booked and unpaid, plus what may already be
 * booked for the goods, less fees.
 */
export const moneyOf = /* @__PURE__ */ derived(
  (state: UnversionedReturn): ReturnMoney => ({
    refunded: Math.max(
      0,
      sum(settledBookings(state).map(({ amount }) => amount.amount)) - settledAssignedAmount(state),
    ),
    due: sum(unsettledRefunds(state).map(({ amount }) => amount.amount)) + payableNow(state),
  }),
);

/** Returns how much of the money for the goods the customer has, without shipping. */
export const refundStatus = (state: UnversionedReturn): RefundStatus => {
  if (recoveryDue(state) > 0) return 'recovery_due';
  const open = openStatuses.find(([status]) => state.refunds.some((refund) => refund.status === status));
  if (open !== undefined) return open[1];
  // All live refunds are paid here.
  const booked = bookings(state);
  const paid = bookedForGoods(state) + feesTaken(booked);
  if (booked.length === 0 || paid <= 0) return payableNow(state) > 0 ? 'due' : 'none';
  return owed(state) > 0 ? 'partially_refunded' : 'refunded';
};
