import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import { macFailure } from '../../../lib/domain/returns/history/mac.ts';
import { remindReceipts } from '../../../lib/service/schedules/withdrawals/remind-receipts.ts';
import { withdrawalKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDomainEvents } from '../../../lib/store/events/outbox.ts';
import { eraseWithdrawal } from '../../../lib/store/personal/erasure.ts';
import { readDueReminders } from '../../../lib/store/withdrawals/withdrawal-list.ts';
import type { KeyedWithdrawalEntry } from '../../../lib/domain/withdrawals/history/entry.ts';
import { backendCall } from '../../support/backend-call.ts';
import { unitRing } from '../../support/history-keys.ts';
import { eur } from '../../support/orders.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../support/time.ts';
import { startSchedules } from './support.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});

const hourMs = 3_600_000;
const start = Date.parse('2026-11-22T12:00:00.000Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

/** Runs the schedule some hours after the start. */
const runAfter = async (hours: number) => {
  vi.setSystemTime(start + hours * hourMs);
  return remindReceipts({}, contextWith());
};

const declare = async (): Promise<string> => {
  const own = randomUUID();
  const declared = await backend.declareWithdrawal(
    { name: `Ada ${own}`, email: 'ada@example.com', contract: own },
    backendCall(),
  );
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

const entriesOf = async (withdrawalId: string): Promise<readonly KeyedWithdrawalEntry[]> => {
  using session = openSession(ampleDeadline());
  const events = await readDomainEvents(session, withdrawalKey(withdrawalId).pk, 0, 9_999);
  return events as unknown as readonly KeyedWithdrawalEntry[];
};
const typesOf = async (withdrawalId: string) => (await entriesOf(withdrawalId)).map(({ type }) => type);

/** Ends the reminders of a withdrawal, so that later tests do not find it. */
const send = async (withdrawalId: string): Promise<Output<'recordReceiptSent'>> => {
  const sent = await backend.recordReceiptSent(
    { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' },
    backendCall(),
  );
  if (!sent.ok) throw new Error(sent.failure.code);
  return sent.value.body;
};

/** Declares the withdrawal of an order that is not shipped, and matches them. */
const holdUnits = async () => {
  const ref = { platform: 'web', orderId: randomUUID() };
  const line = { lineId: '1', quantity: 1, fulfilledQuantity: 0, unitPrice: eur(1000) };
  const observedAt = new Date().toISOString();
  const facts = { currency: 'EUR', country: 'DE', placedAt: observedAt, observedAt, lines: [line] };
  const registered = await backend.registerOrder({ ...ref, ...facts }, backendCall());
  if (!registered.ok) throw new Error(registered.failure.code);
  const id = await declare();
  const matched = await backend.matchWithdrawal({ withdrawalId: id, order: ref }, backendCall());
  if (!matched.ok) throw new Error(matched.failure.code);
  const pay = async () => {
    const refund = { amount: eur(1000), occurredAt: new Date().toISOString() };
    const paid = await backend.recordRefund({ ...ref, ...refund, externalId: randomUUID() }, backendCall());
    if (!paid.ok) throw new Error(paid.failure.code);
  };
  return { id, pay };
};

const read = async (withdrawalId: string): Promise<Output<'getWithdrawal'>> => {
  const found = await backend.getWithdrawal({ withdrawalId }, backendCall());
  if (!found.ok) throw new Error(found.failure.code);
  return found.value.body;
};

describe('remindReceipts', () => {
  it('emits withdrawal.receipt_due after a day, at most daily, until the receipt is sent', async () => {
    const id = await declare();
    expect(await runAfter(23)).toMatchObject({ reminded: 0, failed: 0, through: true });
    expect(await runAfter(24)).toMatchObject({ reminded: 1 });
    expect(await runAfter(25)).toMatchObject({ reminded: 0 });
    expect(await runAfter(48)).toMatchObject({ reminded: 1 });
    const due = 'withdrawal.receipt_due';
    expect(await typesOf(id)).toEqual(['withdrawal.declared', due, due, due]);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      actor: { clientId: 'schedule:remind-receipts' },
      data: { withdrawalId: id, reminder: 2 },
    });
    expect(await send(id)).toMatchObject({ version: 5, receipt: { status: 'sent' } });
    expect(await runAfter(999)).toMatchObject({ reminded: 0 });
  });

  it('keys each reminder, so that adding one needs the key', async () => {
    const id = await declare();
    await runAfter(30);
    const entries = await entriesOf(id);
    expect(entries).toHaveLength(3);
    expect(entries.map(({ mac, hash }) => macFailure(mac, hash, unitRing))).toEqual([undefined, undefined, undefined]);
    await send(id);
  });

  it('reminds once when two runs are concurrent', async () => {
    const ids = await Promise.all([declare(), declare(), declare()]);
    vi.setSystemTime(start + 24 * hourMs);
    const both = await Promise.all([remindReceipts({}, contextWith()), remindReceipts({}, contextWith())]);
    expect(both.map(({ reminded }) => reminded).reduce((sum, one) => sum + one)).toBe(3);
    for (const id of ids) expect(await typesOf(id)).toHaveLength(3);
    await Promise.all(ids.map(send));
  });

  it('ends the reminders of an erased declaration, whose receipt cannot be made again', async () => {
    const id = await declare();
    using session = openSession(ampleDeadline());
    await eraseWithdrawal(session, id, false);
    expect(await runAfter(24)).toMatchObject({ reminded: 0, passed: 1 });
    expect(await typesOf(id)).toHaveLength(2);
    const due = [];
    for await (const ids of readDueReminders(session, new Date().toISOString(), 10)) due.push(...ids);
    expect(due).not.toContain(id);
  });

  it('reports unpaid held units once, and counts them in each run until they are paid', async () => {
    const { id, pay } = await holdUnits();
    await send(id);
    const days = 24;
    expect(await runAfter(14 * days)).toMatchObject({ reminded: 0, overdue: 0 });
    const lines: string[] = [];
    const heard = hearLines((line) => void lines.push(line));
    expect(await runAfter(15 * days)).toMatchObject({ reminded: 1, overdue: 1, failed: 0 });
    expect(await runAfter(16 * days)).toMatchObject({ reminded: 0, passed: 0, overdue: 1 });
    heard.mockRestore();
    expect(lines.filter((line) => line.includes('"RefundsOverdue":1'))).toHaveLength(2);
    expect((await typesOf(id)).filter((type) => type === 'withdrawal.refund_overdue')).toHaveLength(1);
    expect(await read(id)).toMatchObject({ refund: { status: 'overdue' } });
    await pay();
    expect((await typesOf(id)).at(-1)).toBe('withdrawal.refunded');
    expect(await read(id)).toMatchObject({ refund: { status: 'paid' } });
    expect(await runAfter(17 * days)).toMatchObject({ reminded: 0, overdue: 0 });
  });

  it('still counts unpaid held units of an erased declaration', async () => {
    const { id, pay } = await holdUnits();
    using session = openSession(ampleDeadline());
    await eraseWithdrawal(session, id, false);
    expect(await runAfter(24)).toMatchObject({ reminded: 0, passed: 1, overdue: 0 });
    expect(await runAfter(25)).toMatchObject({ reminded: 0, passed: 0, overdue: 0 });
    expect(await runAfter(15 * 24)).toMatchObject({ reminded: 1, passed: 0, overdue: 1 });
    expect(await runAfter(15 * 24 + 1)).toMatchObject({ reminded: 0, passed: 0, overdue: 1 });
    expect(await typesOf(id)).not.toContain('withdrawal.receipt_sent');
    await pay();
    await send(id);
  });

  it('still reminds of the receipt of an unpaid withdrawal, at its own times', async () => {
    const { id, pay } = await holdUnits();
    for (let day = 1; day <= 7; day += 1) await runAfter(day * 24);
    expect(await runAfter(14 * 24)).toMatchObject({ reminded: 1, overdue: 0 });
    expect(await runAfter(15 * 24)).toMatchObject({ reminded: 1, overdue: 1 });
    expect(await runAfter(20 * 24)).toMatchObject({ reminded: 0, passed: 0, overdue: 1 });
    expect(await runAfter(21 * 24)).toMatchObject({ reminded: 1, passed: 0, overdue: 1 });
    expect(await runAfter(21 * 24 + 1)).toMatchObject({ reminded: 0, passed: 0, overdue: 1 });
    expect((await typesOf(id)).filter((type) => type === 'withdrawal.receipt_due')).toHaveLength(10);
    await send(id);
    await pay();
    expect(await runAfter(40 * 24)).toMatchObject({ reminded: 0, passed: 0, overdue: 0 });
  });

  it('stops before its time is over, and continues in the next run', async () => {
    const id = await declare();
    vi.setSystemTime(start + 24 * hourMs);
    const early = await withTimeLeft(8_000, async (context) => remindReceipts({}, context));
    expect(early).toMatchObject({ reminded: 0, through: false });
    expect(await runAfter(25)).toMatchObject({ reminded: 1, through: true });
    await send(id);
  });
});
