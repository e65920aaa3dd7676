import { bookings, paidForGoods } from './bookings.ts';
import { deductionsOf } from './deductions.ts';
import { keptBack, recoveryDue } from './recovery.ts';
import { ceilingWorth, isRefundTime } from './refund-ceiling.ts';
import type { Refund } from '../model/refund.ts';
import type { Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';

/** How far the money is: an axis of its own beside the status, which tells of the goods. */
export type RefundStatus =
  | 'none'
  | 'due'
  | 'pending'
  | 'partially_refunded'
  | 'refunded'
  | 'failed'
  | 'unknown'
  | 'recovery_due';

/** What a refund that is under way makes of its return, the worst first. */
const underWay: readonly (readonly [status: Refund['status'], of: RefundStatus])[] = [
  ['unknown', 'unknown'],
  ['failed', 'failed'],
  ['submitted', 'pending'],
  ['pending', 'pending'],
];

/** Whether the first refund could be booked now, and would give the customer anything. */
const isDue = (state: Unversioned): boolean => isRefundTime(state) && ceilingWorth(state) > BigInt(deductionsOf(state));

/** How far the customer has the money for the goods back, shipping apart. */
export const refundStatus = (state: Unversioned): RefundStatus => {
  if (recoveryDue(state) > 0) return 'recovery_due';
  const open = underWay.find(([status]) => state.refunds.some((refund) => refund.status === status));
  if (open !== undefined) return open[1];
  const booked = bookings(state);
  const given = paidForGoods(booked) + keptBack(booked);
  if (booked.length === 0 || given <= 0) return isDue(state) ? 'due' : 'none';
  const most = sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount));
  return given < most ? 'partially_refunded' : 'refunded';
};
