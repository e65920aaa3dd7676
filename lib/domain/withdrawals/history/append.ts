import { entryHash, initialHash, type EventMetadata } from '../../returns/history/history.ts';
import type { UnsignedWithdrawal } from '../model/withdrawal.ts';
import type { WithdrawalEntry, WithdrawalEvent } from './entry.ts';
import { foldWithdrawal } from './fold.ts';

/** The actor, the time and the cause of an event of a withdrawal. No policy decides on it. */
export type WithdrawalMetadata = Omit<EventMetadata, 'policyVersion'>;

/** An entry, and the withdrawal after it. */
export type Appended = { readonly entry: WithdrawalEntry; readonly state: UnsignedWithdrawal };

/** Appends an event to the history of a withdrawal. It links the entry to the one before. */
export const appendWithdrawalEntry = (
  before: UnsignedWithdrawal | undefined,
  event: WithdrawalEvent,
  { at: now, actor, causationId, correlationId }: WithdrawalMetadata,
): Appended => {
  // Clocks differ, but times never decrease in a history.
  const at = before !== undefined && before.updatedAt > now ? before.updatedAt : now;
  const unhashed = {
    ...event,
    actor,
    causationId,
    correlationId,
    at,
    sequence: (before?.version ?? 0) + 1,
    previousHash: before?.head ?? initialHash,
  };
  const entry: WithdrawalEntry = { ...unhashed, hash: entryHash(unhashed) };
  return { entry, state: foldWithdrawal(before, entry) };
};
