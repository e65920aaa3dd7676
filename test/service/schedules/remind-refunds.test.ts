import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail } from '../../../lib/runtime/result.ts';
import { remindRefunds } from '../../../lib/service/schedules/remind-refunds.ts';
import { backendCall } from '../../support/backend-call.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith, withTimeLeft } from '../../support/time.ts';
import { approvedReturn, readCurrent, startSchedules } from './support.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({ refundDueDays: 14, inspectByDays: 30 });

afterEach(() => void vi.useRealTimers());

const days = 86_400_000;
let now = Date.now();
const goOn = (count: number) => void vi.useFakeTimers({ toFake: ['Date'], now: (now += count * days) });

const run = async (changes: Partial<Backend> = {}, context = contextWith()) =>
  remindRefunds({ ...backend, ...changes })({}, context);

/** Creates a return whose goods have just arrived. Its refund is due in two weeks. */
const owing = async (): Promise<string> => {
  const returnId = await approvedReturn(backend);
  const { lines } = await readCurrent(backend, returnId);
  const all = lines.map(({ lineId: id, quantities }) => ({ lineId: id, quantity: quantities.approved }));
  const received = await backend.receive({ returnId, lines: all }, backendCall());
  if (!received.ok) throw new Error(received.failure.code);
  return returnId;
};

const reminders = async (returnId: string) =>
  (await readCurrent(backend, returnId)).types.filter(
    (type) => type === 'refund.due_soon' || type === 'refund.overdue',
  );

/** Runs the schedule, and returns the values of RefundsOverdue that it writes. */
const overdueIn = async (changes: Partial<Backend> = {}): Promise<unknown[]> => {
  const lines: Record<string, unknown>[] = [];
  const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await run(changes).catch(() => undefined);
  writing.mockRestore();
  return lines.flatMap(({ RefundsOverdue: value }) => (value === undefined ? [] : [value]));
};

describe('remindRefunds', () => {
  test('emits one reminder three days before the due date and one after it, in repeated and late runs too', async () => {
    goOn(0);
    const id = await owing();
    await run();
    goOn(10.9);
    expect(await run()).toMatchObject({ done: 0, failed: 0 });
    expect(await reminders(id)).toEqual([]);
    goOn(0.2);
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await reminders(id)).toEqual(['refund.due_soon']);
    goOn(1);
    expect(await run()).toMatchObject({ done: 0 });
    // The refund becomes due during two days without a run.
    goOn(3);
    await Promise.all([run(), run()]);
    await run();
    expect(await reminders(id)).toEqual(['refund.due_soon', 'refund.overdue']);
    const { deadlines, refundReminders } = await readCurrent(backend, id);
    expect(refundReminders).toEqual({ dueSoon: deadlines.refundDueBy, overdue: deadlines.refundDueBy });
  });

  test('emits nothing for a paid refund, and only the overdue event after a missed reminder', async () => {
    goOn(0);
    const [paid, late] = [await owing(), await owing()];
    const { order, lines } = await readCurrent(backend, paid);
    const units = lines.map(({ orderLineId, quantities }) => ({ orderLineId, quantity: quantities.received }));
    const amount = { amount: lines.reduce((all, line) => all + line.amounts.maxRefundable.amount, 0), currency: 'EUR' };
    const { platform, orderId } = order;
    const refund = { amount, occurredAt: new Date(now).toISOString(), returnId: paid, lines: units };
    await backend.recordRefund({ platform, orderId, externalId: paid, ...refund }, backendCall());
    goOn(20);
    await run();
    expect(await reminders(paid)).toEqual([]);
    expect(await reminders(late)).toEqual(['refund.overdue']);
  });

  test('continues with other refunds when one fails, and retries that one in the next run', async () => {
    goOn(0);
    const [stuck, other] = [await owing(), await owing()];
    goOn(12);
    const failing = run({
      remindRefund: async (input, call) =>
        input.returnId === stuck ? fail({ code: 'timeout', detail: 'Too late.' }) : backend.remindRefund(input, call),
    });
    await expect(failing).rejects.toMatchObject({ name: 'ScheduleFailed' });
    expect(await reminders(other)).toEqual(['refund.due_soon']);
    expect(await withTimeLeft(12_000, async (context) => run({}, context)).catch(() => undefined)).toMatchObject({
      failed: 0,
    });
    await run();
    expect(await reminders(stuck)).toEqual(['refund.due_soon']);
  });

  test('counts the returns with an overdue refund in every run, and no paid, early or unread one', async () => {
    goOn(0);
    const [before] = await overdueIn();
    const paid = await owing();
    expect(await overdueIn()).toEqual([before]);
    goOn(20);
    const [late = 0] = (await overdueIn()) as number[];
    expect(late).toBeGreaterThan(Number(before));
    await owing();
    const { order, lines } = await readCurrent(backend, paid);
    const units = lines.map(({ orderLineId, quantities }) => ({ orderLineId, quantity: quantities.received }));
    const amount = { amount: lines.reduce((all, line) => all + line.amounts.maxRefundable.amount, 0), currency: 'EUR' };
    const refund = { amount, occurredAt: new Date(now).toISOString(), returnId: paid, lines: units };
    expect(await overdueIn()).toEqual([late]);
    const { platform, orderId } = order;
    await backend.recordRefund({ platform, orderId, externalId: paid, ...refund }, backendCall());
    expect(await overdueIn()).toEqual([late - 1]);
    const failing = async () => fail({ code: 'timeout' as const, detail: 'Too late.' });
    expect(await overdueIn({ listReturns: failing })).toEqual([]);
    expect(await overdueIn({ getReturn: failing })).toEqual([]);
  });

  test('rejects the command without an owed refund, and changes nothing before the reminder is due', async () => {
    const id = await approvedReturn(backend);
    expect(await backend.remindRefund({ returnId: id }, backendCall())).toMatchObject({
      ok: false,
      failure: { code: 'invalid_transition', detail: 'The return has no open refund with a due date.' },
    });
    const early = await owing();
    const { version } = await readCurrent(backend, early);
    const reminded = await backend.remindRefund({ returnId: early }, backendCall());
    expect(reminded).toMatchObject({ ok: true, value: { status: 200, body: { version } } });
  });
});
