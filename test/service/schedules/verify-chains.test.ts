import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail } from '../../../lib/runtime/result.ts';
import { verifyChains } from '../../../lib/service/schedules/verify-chains.ts';
import { entryKey } from '../../../lib/store/engine/keys.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith } from '../../support/time.ts';
import { approvedReturn, startSchedules } from './support.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({ shipByDays: 30 });
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
afterEach(() => void vi.useRealTimers());

/** Runs the function once and returns its result and its log entries. */
const run = async (changes: Partial<Backend> = {}) => {
  const lines: Record<string, unknown>[] = [];
  const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const verified: string[] = [];
  const verifyHistory: Backend['verifyHistory'] = async (input, call) => {
    verified.push(input.returnId);
    return (changes.verifyHistory ?? backend.verifyHistory)(input, call);
  };
  const result = await verifyChains({ ...backend, verifyHistory })({}, contextWith()).catch((error: unknown) => error);
  writing.mockRestore();
  const reports = lines.filter(({ message }) => message === 'history broken');
  return { result, verified, reports, metrics: lines.flatMap(({ ChainBroken: count }) => count ?? []) };
};

describe('verifyChains', () => {
  test('verifies all returns, then the changed ones, and reports a broken history once per run', async () => {
    const [sound, broken] = [await approvedReturn(backend), await approvedReturn(backend)];
    await table.send(new DeleteCommand({ TableName: engines.table, Key: entryKey(broken, 1) }));
    const first = await run();
    expect(first.result).toMatchObject({ done: 2, failed: 0, through: true, broken: 1 });
    expect(first.verified.toSorted()).toEqual([sound, broken].toSorted());
    expect(first.reports).toEqual([
      expect.objectContaining({ level: 'error', returnId: broken, code: 'sequence_gap' }),
    ]);
    expect(first.metrics).toEqual([1]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect((await run()).verified).toHaveLength(2);
    // The previous round began an hour after those changes.
    const fresh = await approvedReturn(backend);
    const third = await run();
    expect(third).toMatchObject({ verified: [fresh], reports: [], metrics: [0] });
  });

  test('continues with other returns when one is unverifiable, and verifies that one in the next run', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    await run();
    const [stuck, other] = [await approvedReturn(backend), await approvedReturn(backend)];
    const failing = await run({
      verifyHistory: async (input, call) =>
        input.returnId === stuck
          ? fail({ code: 'timeout', detail: 'The store did not respond in time. Try again.' })
          : backend.verifyHistory(input, call),
    });
    expect(failing.result).toMatchObject({ name: 'ScheduleFailed' });
    expect(failing.verified).toContain(other);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await run()).verified).toContain(stuck);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await run()).verified).toEqual([]);
  });

  const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);

  test('verifies all returns repeatedly, and finds a change of the table in a return without commands', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    await run();
    const untouched = await approvedReturn(backend);
    await run();
    hours(1);
    await run();
    // Deletes a row directly in the table, without the service.
    await table.send(new DeleteCommand({ TableName: engines.table, Key: entryKey(untouched, 1) }));
    hours(1);
    expect((await run()).reports).toEqual([]);
    hours(4 * 24);
    const found = await run();
    expect(found.reports).toContainEqual(expect.objectContaining({ returnId: untouched, code: 'sequence_gap' }));
    expect(found.result).toMatchObject({ circle: { through: true } });
    // The next round begins after half of its period.
    hours(1);
    expect((await run()).verified).toEqual([]);
  });

  test('reports a listed return that is missing as broken', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 86_400_000 });
    await run();
    hours(1);
    const missing = await approvedReturn(backend);
    const { reports, result } = await run({
      verifyHistory: async (input, call) =>
        input.returnId === missing
          ? fail({ code: 'return_not_found', detail: 'No return has this id.' })
          : backend.verifyHistory(input, call),
    });
    expect(reports).toContainEqual(expect.objectContaining({ returnId: missing, code: 'return_missing' }));
    expect(result).toMatchObject({ broken: expect.any(Number), failed: 0 });
  });

  test('counts a round that exceeds its maximum duration', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90 * 86_400_000 });
    await run();
    for (let count = 0; count < 3; count += 1) await approvedReturn(backend);
    hours(4 * 24);
    /** Returns the metric of a run whose pages are so slow that it reads one. */
    const slow = async () => {
      const lines: Record<string, unknown>[] = [];
      const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
      const listReturns: Backend['listReturns'] = async (input, call) => {
        const listed = await backend.listReturns({ ...input, limit: 1 }, call);
        if (listed.ok && input.sort === 'createdAt') vi.setSystemTime(Date.now() + 450_000);
        return listed;
      };
      await verifyChains({ ...backend, listReturns })({}, contextWith());
      writing.mockRestore();
      return lines.flatMap(({ VerificationLate: count }) => count ?? []);
    };
    expect(await slow()).toEqual([0]);
    hours(8 * 24);
    expect(await slow()).toEqual([1]);
  });
});
