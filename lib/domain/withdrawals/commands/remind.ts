import type { Instant } from '../../returns/model/order.ts';
import type { WithdrawalEvent } from '../history/entry.ts';
import type { Withdrawal } from '../model/withdrawal.ts';

const dayMs = 86_400_000;

/** The number of daily reminders. The others follow weekly, so that a forgotten receipt costs little. */
const dailyReminders = 7;

/**
 * Returns when the next reminder of an unsent receipt is due; undefined when the receipt is sent or the consumer
 * withdrew the declaration.
 */
export const reminderDueAt = ({ receipt, status, createdAt }: Withdrawal): Instant | undefined => {
  if (receipt.sent !== undefined || status === 'withdrawn') return undefined;
  const { count, at } = receipt.reminded ?? { count: 0, at: createdAt };
  const days = count < dailyReminders ? 1 : 7;
  return new Date(Date.parse(at) + days * dayMs).toISOString();
};

/** Reminds the sender of a receipt; undefined when no reminder is due at this time. */
export const remind = (state: Withdrawal, now: Instant): WithdrawalEvent | undefined => {
  const due = reminderDueAt(state);
  if (due === undefined || due > now) return undefined;
  const { sha256, keyId, reminded } = state.receipt;
  const reminder = (reminded?.count ?? 0) + 1;
  return { type: 'withdrawal.receipt_due', data: { withdrawalId: state.id, receipt: { sha256, keyId }, reminder } };
};
