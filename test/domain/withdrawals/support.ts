import type { TextReference } from '../../../lib/domain/returns/model/actor.ts';
import { appendWithdrawalEntry } from '../../../lib/domain/withdrawals/history/append.ts';
import type { WithdrawalEntry, WithdrawalEvent } from '../../../lib/domain/withdrawals/history/entry.ts';
import { isSigned } from '../../../lib/domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal, Withdrawal } from '../../../lib/domain/withdrawals/model/withdrawal.ts';

const start = Date.parse('2026-01-21T08:00:00.000Z');

/** Returns the instant some days after the declaration. */
export const at = (days: number): string => new Date(start + days * 86_400_000).toISOString();

const metadataAfter = (days: number) => ({
  at: at(days),
  actor: { clientId: 'test' },
  causationId: 'test',
  correlationId: '0'.repeat(32),
});

export const withdrawalId = 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5';
const text = (ref: string) => ({ ref, digest: ref.padEnd(64, '0') });

/** The first events of a withdrawal, as a declaration makes them. */
export const firstEvents: readonly WithdrawalEvent[] = [
  {
    type: 'withdrawal.declared',
    data: {
      withdrawalId,
      actorKey: 'key',
      declaredAt: at(0),
      language: 'en',
      timeZone: 'Europe/Berlin',
      texts: { name: text('name'), email: text('email'), contract: text('contract') },
    },
  },
  {
    type: 'withdrawal.receipt_due',
    data: { withdrawalId, receipt: { sha256: '1'.repeat(64), keyId: 'first' } },
  },
];

/** An answer with a note, which is a personal text. */
export const withNote = (note: TextReference): WithdrawalEvent => ({
  type: 'withdrawal.answered',
  data: { withdrawalId, answer: 'no_right', rule: '2011/83/EU#16.e', source: 'https://law.example/16', note },
});

/** An event of each type, in an order that a history may have; the last one is the answer. */
export const allEvents: readonly WithdrawalEvent[] = [
  ...firstEvents,
  { type: 'withdrawal.receipt_sent', data: { withdrawalId, sentAt: at(1), channel: 'email', reference: 'msg_1' } },
  {
    type: 'withdrawal.matched',
    data: {
      withdrawalId,
      order: { platform: 'web', orderId: '1001' },
      lines: [{ orderLineId: '1', quantity: 1 }],
    },
  },
  { type: 'withdrawal.withdrawn', data: { withdrawalId, reason: 'mistake' } },
  {
    type: 'withdrawal.answered',
    data: { withdrawalId, answer: 'no_right', rule: '2011/83/EU#16.e', source: 'https://law.example/16' },
  },
];

/** Appends events to a history, and returns its entries and the withdrawal after them. */
export const appendAll = (
  before: UnsignedWithdrawal | undefined,
  events: readonly WithdrawalEvent[],
  days = 0,
): { readonly entries: readonly WithdrawalEntry[]; readonly state: Withdrawal } => {
  const entries: WithdrawalEntry[] = [];
  let state = before;
  for (const event of events) {
    const next = appendWithdrawalEntry(state, event, metadataAfter(days));
    entries.push(next.entry);
    ({ state } = next);
  }
  if (state === undefined || !isSigned(state)) throw new Error('no signed withdrawal');
  return { entries, state };
};

/** Returns the withdrawal after one more event. */
export const applied = (state: Withdrawal, event: WithdrawalEvent, days: number): Withdrawal =>
  appendAll(state, [event], days).state;

/** Returns a new withdrawal with its receipt. */
export const declaredWithdrawal = (): Withdrawal => appendAll(undefined, firstEvents).state;
