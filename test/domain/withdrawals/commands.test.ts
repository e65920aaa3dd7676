import { describe, expect, it } from 'vitest';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import { answer, checkMatch, recordReceiptSent, withdraw } from '../../../lib/domain/withdrawals/commands/decide.ts';
import { remindOfReceipt, reminderDueAt } from '../../../lib/domain/withdrawals/commands/remind.ts';
import type { WithdrawalEvent } from '../../../lib/domain/withdrawals/history/entry.ts';
import type { Withdrawal } from '../../../lib/domain/withdrawals/model/withdrawal.ts';
import { applied, at, declaredWithdrawal } from './support.ts';

const order = { facts: { lines: [{ lineId: '1', quantity: 2 }] } } as unknown as Order;
const matched = { order: { platform: 'web', orderId: '1001' }, lines: [{ orderLineId: '1', quantity: 1 }] };
const given = { answer: 'no_right', rule: '2011/83/EU#16.e', source: 'https://law.example/16' } as const;
const bounds = { earliest: at(-1), latest: at(2) };
const report = { sentAt: at(1), channel: 'email' } as const;

/** Returns the withdrawal after a decision that has an event. */
const after = (state: Withdrawal, decision: ReturnType<typeof withdraw>, day = 1): Withdrawal => {
  if (!decision.ok || decision.value === undefined) throw new Error('no event');
  return applied(state, decision.value, day);
};
const resultOf = (checked: ReturnType<typeof checkMatch>) => (checked.ok ? checked.value : checked.failure.code);
const codeOf = (decision: ReturnType<typeof withdraw>) => (decision.ok ? 'ok' : decision.failure.code);

describe('commands on a withdrawal', () => {
  const declared = declaredWithdrawal();
  const matchedEvent = { type: 'withdrawal.matched', data: { withdrawalId: declared.id, ...matched } } as const;
  const afterMatch = applied(declared, matchedEvent, 1);
  const answered = after(afterMatch, answer(afterMatch, given));
  const withdrawn = after(afterMatch, withdraw(afterMatch, 'mistake'));

  it('are allowed in their statuses only', () => {
    const results = [declared, afterMatch, answered, withdrawn].map((state) => [
      state.status,
      resultOf(checkMatch(state, order, { order: matched.order })),
      codeOf(answer(state, given)),
      codeOf(withdraw(state, 'mistake')),
      codeOf(recordReceiptSent(state, report, bounds)),
    ]);
    const no = 'invalid_transition';
    expect(results).toEqual([
      ['declared', 'allowed', no, 'ok', 'ok'],
      ['matched', 'allowed', 'ok', 'ok', 'ok'],
      ['answered', 'allowed', no, no, 'ok'],
      ['withdrawn', no, no, 'ok', 'ok'],
    ]);
  });

  it('reject an answer and a mistake that contradict the effect of the match', () => {
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const data = { withdrawalId: declared.id, order: matched.order, lines, wholeOrder: false };
    const held = applied(afterMatch, { type: 'withdrawal.cancellation_due', data }, 2);
    const created = { withdrawalId: declared.id, returnId: 'ret_1', lines, shippedAnyway: true } as const;
    const shipped = applied(held, { type: 'withdrawal.return_created', data: created }, 3);
    expect([held.cancelled, shipped.cancelled, shipped.returns]).toEqual([
      lines,
      [],
      [{ returnId: 'ret_1', lines, shippedAnyway: true }],
    ]);
    for (const state of [held, shipped]) expect(codeOf(answer(state, given))).toBe('invalid_transition');
    expect([codeOf(withdraw(held, 'mistake')), codeOf(withdraw(shipped, 'mistake', 'ret_1'))]).toEqual([
      'ok',
      'invalid_transition',
    ]);
  });

  it('change nothing when they are repeated', () => {
    const sent = after(declared, recordReceiptSent(declared, report, bounds));
    const data = { withdrawalId: declared.id, order: matched.order, lines: matched.lines, wholeOrder: false };
    const held = applied(afterMatch, { type: 'withdrawal.cancellation_due', data }, 2);
    expect(resultOf(checkMatch(held, order, matched))).toBe('unchanged');
    expect(resultOf(checkMatch(held, order, { order: matched.order }))).toBe('invalid_transition');
    const repeats = [withdraw(withdrawn, 'mistake'), recordReceiptSent(sent, report, bounds)];
    expect(repeats).toEqual(repeats.map(() => ({ ok: true, value: undefined })));
    expect(codeOf(recordReceiptSent(sent, { ...report, channel: 'letter' }, bounds))).toBe('invalid_transition');
  });

  it('keep times in order, and the time of callers apart from that of reminders', () => {
    expect([declared.changedAt, afterMatch.changedAt, afterMatch.updatedAt]).toEqual([at(0), at(1), at(1)]);
    const reminded = applied(declared, remindOfReceipt(declared, at(3)) as WithdrawalEvent, 3);
    expect([reminded.changedAt, reminded.updatedAt]).toEqual([at(0), at(3)]);
    const late = after(reminded, withdraw(reminded, 'mistake'), 2);
    expect(late.updatedAt).toBe(at(3));
  });
});

describe('reminders of a receipt', () => {
  /** Runs the schedule each hour and returns the days of the reminders. */
  const remindedDays = (days: number): readonly number[] => {
    let state = declaredWithdrawal();
    const found: number[] = [];
    for (let hour = 0; hour <= days * 24; hour += 1) {
      const event = remindOfReceipt(state, at(hour / 24));
      if (event === undefined) continue;
      state = applied(state, event, hour / 24);
      found.push(hour / 24);
    }
    return found;
  };

  it('come daily for a week, then weekly', () => {
    expect(remindedDays(30)).toEqual([1, 2, 3, 4, 5, 6, 7, 14, 21, 28]);
  });

  it('are counted, and end when the receipt is sent or the declaration withdrawn', () => {
    const declared = declaredWithdrawal();
    expect(remindOfReceipt(declared, at(1))).toMatchObject({ data: { reminder: 1, receipt: { keyId: 'first' } } });
    for (const ended of [recordReceiptSent(declared, report, bounds), withdraw(declared, 'mistake')]) {
      const state = after(declared, ended);
      expect([reminderDueAt(state), remindOfReceipt(state, at(9))]).toEqual([undefined, undefined]);
    }
  });
});
