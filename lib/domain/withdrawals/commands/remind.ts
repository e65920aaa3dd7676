import type { Instant } from '../../returns/model/order.ts';
import type { WithdrawalEvent } from '../history/entry.ts';
import { openRefundDueBy, refundStatusOf, type Withdrawal } from '../model/withdrawal.ts';

const dayMs = 86_400_000;

/** The number of daily reminders. The others follow weekly, so that a forgotten receipt costs little. */
const dailyReminders = 7;

/**
 * Returns when the next reminder of an unsent receipt is due; undefined when the receipt is sent or the consumer
 * withdrew the declaration.
 */
const receiptReminderDueAt = ({ receipt, status, createdAt }: Withdrawal): Instant | undefined => {
  if (receipt.sent !== undefined || status === 'withdrawn') return undefined;
  const { count, at } = receipt.reminded ?? { count: 0, at: createdAt };
  const days = count < dailyReminders ? 1 : 7;
  return new Date(Date.parse(at) + days * dayMs).toISOString();
};

/**
 * Returns when the schedule must read a withdrawal next; undefined for never. It reports an unpaid refund of held units
 * once, and does not read the withdrawal again for it.
 *
 * @param isErased whether the texts are erased: the receipt can then no longer be sent
 */
export const reminderDueAt = (state: Withdrawal, isErased = false): Instant | undefined =>
  [
    isErased ? undefined : receiptReminderDueAt(state),
    refundStatusOf(state) === 'due' ? state.refund?.dueBy : undefined,
  ]
    .filter((at) => at !== undefined)
    .toSorted()[0];

const isOver = (due: Instant | undefined, now: Instant): boolean => due !== undefined && due <= now;

/** Whether the money of held units is unpaid after its due date. */
export const isRefundOverdue = (state: Withdrawal, now: Instant): boolean => isOver(openRefundDueBy(state), now);

/** Reminds the sender of a receipt; undefined when no reminder is due at this time. */
export const remindOfReceipt = (state: Withdrawal, now: Instant): WithdrawalEvent | undefined => {
  if (!isOver(receiptReminderDueAt(state), now)) return undefined;
  const { sha256, keyId, reminded } = state.receipt;
  const reminder = (reminded?.count ?? 0) + 1;
  return { type: 'withdrawal.receipt_due', data: { withdrawalId: state.id, receipt: { sha256, keyId }, reminder } };
};

/** Reports once that the money of held units is overdue; undefined when it is not, or was reported. */
export const reportOverdueRefund = (state: Withdrawal, now: Instant): WithdrawalEvent | undefined =>
  state.refund === undefined || state.refund.overdueAt !== undefined || !isRefundOverdue(state, now)
    ? undefined
    : { type: 'withdrawal.refund_overdue', data: { withdrawalId: state.id, refundDueBy: state.refund.dueBy } };
