import { describe, expect, test } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail } from '../../../lib/runtime/result.ts';
import { expireReturns } from '../../../lib/service/schedules/expire-returns.ts';
import { backendCall } from '../../support/backend-call.ts';
import { contextWith, withTimeLeft } from '../../support/time.ts';
import { approvedReturn, readCurrent, startSchedules } from './support.ts';

const { backendWith } = await startSchedules();
const deadlines = { shipByDays: 0, answerByDays: 0 };
const backend = backendWith(deadlines);

const run = async (changes: Partial<Backend> = {}, context = contextWith()) =>
  expireReturns({ ...backend, ...changes })({}, context);

const several = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => approvedReturn(backend)));
const statuses = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await readCurrent(backend, id)).status));

describe('expireReturns', () => {
  test('expires each overdue return once, in concurrent runs too, and no other return', async () => {
    const ids = await several(3);
    const early = await approvedReturn(backendWith({ shipByDays: 30 }));
    backendWith(deadlines);
    const cancelled = await approvedReturn(backend);
    await backend.cancel({ returnId: cancelled }, backendCall());
    const both = await Promise.all([run(), run()]);
    expect(both.every(({ through, failed }) => through || failed === 0)).toBe(true);
    expect(await statuses([...ids, early, cancelled])).toEqual([
      'expired',
      'expired',
      'expired',
      'approved',
      'cancelled',
    ]);
    const current = await readCurrent(backend, ids[0] ?? '');
    expect(current.types).toEqual(['return.requested', 'return.approved', 'return.expired']);
    expect(await run()).toMatchObject({ done: 0, passed: 0, failed: 0, through: true });
  });

  test('acts as the schedule, with the least scopes', async () => {
    const [id] = await several(1);
    await run();
    const history = await backend.getHistory({ returnId: id ?? '' }, backendCall());
    expect(history.ok && history.value.body.items.at(-1)).toMatchObject({
      type: 'return.expired',
      actor: { clientId: 'schedule:expire-returns' },
    });
  });

  test('skips a return that does not expire, and one that has changed meanwhile', async () => {
    const [paid = '', moved = '', free = ''] = await several(3);
    const { order } = await readCurrent(backend, paid);
    const refund = { amount: { amount: 100, currency: 'EUR' }, occurredAt: '2026-11-20T08:00:00Z', returnId: paid };
    const { platform, orderId } = order;
    const booked = await backend.recordRefund({ platform, orderId, externalId: paid, ...refund }, backendCall());
    expect(booked.ok).toBe(true);
    const result = await run({
      listReturns: async (input, call) => {
        const listed = await backend.listReturns(input, call);
        await backend.addNote({ returnId: moved, text: 'marker: wait' }, backendCall());
        return listed;
      },
    });
    expect(result).toMatchObject({ done: 1, passed: 2, failed: 0 });
    expect(await statuses([paid, moved, free])).toEqual(['approved', 'approved', 'expired']);
    await run();
    expect(await statuses([moved])).toEqual(['expired']);
  });

  test('continues with other returns when one fails, and retries that one', async () => {
    const [poisoned = '', ...others] = await several(4);
    const failing = run({
      expire: async (input, call) => {
        if (input.returnId === poisoned) throw new TypeError('a defect');
        return backend.expire(input, call);
      },
    });
    await expect(failing).rejects.toMatchObject({ name: 'ScheduleFailed', message: '1 returns were not processed' });
    expect(await statuses(others)).toEqual(['expired', 'expired', 'expired']);
    expect(await run()).toMatchObject({ done: 1, failed: 0 });
    expect(await statuses([poisoned])).toEqual(['expired']);
  });

  test('starts no page without enough time, and leaves it to the next run', async () => {
    const [one = ''] = await several(1);
    expect(await withTimeLeft(12_000, async (context) => run({}, context))).toMatchObject({
      done: 0,
      passed: 0,
      failed: 0,
      through: false,
    });
    expect(await statuses([one])).toEqual(['approved']);
    expect(await run()).toMatchObject({ done: 1, through: true });
    expect(await statuses([one])).toEqual(['expired']);
  });

  test('continues after a run that died, and fails when the list is unreadable', async () => {
    const ids = await several(5);
    let pages = 0;
    const dying = run({
      listReturns: async (input, call) => {
        pages += 1;
        if (pages === 2) return fail({ code: 'dependency_unavailable', detail: 'down' });
        return backend.listReturns({ ...input, limit: 2 }, call);
      },
    });
    await expect(dying).rejects.toThrow('returns were not listed: dependency_unavailable');
    const before = (await statuses(ids)).filter((status) => status === 'expired');
    expect(before.length).toBeLessThan(ids.length);
    const cursors: (string | undefined)[] = [];
    await run({
      listReturns: async (input, call) => {
        cursors.push(input.cursor);
        return backend.listReturns(input, call);
      },
    });
    expect(cursors[0]).toBeTypeOf('string');
    expect(await statuses(ids)).toEqual(ids.map(() => 'expired'));
  });
});
