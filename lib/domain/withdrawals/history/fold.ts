import type { LineUnits } from '../../returns/money/line-units.ts';
import { type HeldRefund, subjectOfWithdrawal, type UnsignedWithdrawal, type Withdrawal } from '../model/withdrawal.ts';
import type { Declared, WithdrawalEntry, WithdrawalEvent } from './entry.ts';

const declare = ({ withdrawalId: id, ...data }: Declared, { at, hash, sequence }: WithdrawalEntry) => ({
  id,
  subject: subjectOfWithdrawal(id),
  ...data,
  status: 'declared' as const,
  version: sequence,
  head: hash,
  createdAt: at,
  changedAt: at,
  updatedAt: at,
});

/** Returns the units without those of `less`. Lines without units are left out. */
const lessUnits = (lines: readonly LineUnits[], less: readonly LineUnits[]): readonly LineUnits[] => {
  const fewer = new Map(less.map(({ orderLineId, quantity }) => [orderLineId, quantity]));
  return lines
    .map(({ orderLineId, quantity }) => ({ orderLineId, quantity: quantity - (fewer.get(orderLineId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
};

/** Returns the refund with a change; nothing when no refund is known. */
const changeRefund = ({ refund }: UnsignedWithdrawal, change: Partial<HeldRefund>): Partial<UnsignedWithdrawal> =>
  refund === undefined ? {} : { refund: { ...refund, ...change } };

type Later = Exclude<WithdrawalEvent, { readonly type: 'withdrawal.declared' }> & { readonly at: string };

/** Returns the fields that an event after the first one changes. */
const applyLater = (state: UnsignedWithdrawal, event: Later): Partial<UnsignedWithdrawal> => {
  const { at } = event;
  switch (event.type) {
    case 'withdrawal.receipt_due': {
      const { receipt, reminder: count } = event.data;
      return count === undefined
        ? { receipt, changedAt: at }
        : { receipt: { ...state.receipt, ...receipt, reminded: { count, at } } };
    }
    case 'withdrawal.receipt_sent': {
      const { withdrawalId: _, ...sent } = event.data;
      return state.receipt === undefined ? {} : { receipt: { ...state.receipt, sent }, changedAt: at };
    }
    case 'withdrawal.matched': {
      const { withdrawalId: _, ...match } = event.data;
      return { status: 'matched', match: { ...match, at }, changedAt: at };
    }
    case 'withdrawal.cancellation_due': {
      const { lines: cancelled, refundDueBy: dueBy } = event.data;
      return { cancelled, ...(dueBy !== undefined && { refund: { dueBy } }), changedAt: at };
    }
    case 'withdrawal.refunded':
      return { ...changeRefund(state, { paidAt: event.data.paidAt }), changedAt: at };
    case 'withdrawal.refund_overdue':
      return changeRefund(state, { overdueAt: at });
    case 'withdrawal.return_created': {
      const { withdrawalId: _, ...created } = event.data;
      const returns = [...(state.returns ?? []), created];
      return created.shippedAnyway === undefined
        ? { returns, changedAt: at }
        : { returns, cancelled: lessUnits(state.cancelled ?? [], created.lines), changedAt: at };
    }
    case 'withdrawal.answered': {
      const { withdrawalId: _, ...answer } = event.data;
      return { status: 'answered', answer: { ...answer, at }, changedAt: at };
    }
    case 'withdrawal.withdrawn':
      return { status: 'withdrawn', withdrawn: { reason: event.data.reason, at }, cancelled: [], changedAt: at };
  }
};

/**
 * Applies an entry to a withdrawal. A withdrawal is the fold of its history and nothing else.
 *
 * @throws Error when a history begins with anything but a declaration: such a history is broken
 */
export const foldWithdrawal = (state: UnsignedWithdrawal | undefined, entry: WithdrawalEntry): UnsignedWithdrawal => {
  if (entry.type === 'withdrawal.declared') return declare(entry.data, entry);
  if (state === undefined) throw new Error(`history begins with ${entry.type}`);
  const { at, sequence: version, hash: head } = entry;
  return { ...state, ...applyLater(state, entry), version, head, updatedAt: at };
};

/** Whether a withdrawal has its receipt. All stored ones do: the first two entries are written together. */
export const isSigned = (state: UnsignedWithdrawal): state is Withdrawal => state.receipt !== undefined;
