import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail } from '../../../lib/runtime/result.ts';
import { verifyChains } from '../../../lib/service/schedules/verify-chains.ts';
import { domainEventKey, withdrawalKey } from '../../../lib/store/engine/keys.ts';
import { backendCall } from '../../support/backend-call.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith } from '../../support/time.ts';
import { startSchedules } from './support.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
afterEach(() => void vi.useRealTimers());

const declare = async (): Promise<string> => {
  const own = randomUUID();
  const declared = await backend.declareWithdrawal(
    { name: 'Ada', email: 'ada@example.com', contract: own },
    backendCall(),
  );
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

const removeEntry = async (id: string, sequence: number) =>
  table.send(new DeleteCommand({ TableName: engines.table, Key: domainEventKey(withdrawalKey(id).pk, sequence) }));

const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);

/** Runs the function once and returns its result and its log entries. */
const run = async (changes: Partial<Backend> = {}) => {
  const lines: Record<string, unknown>[] = [];
  const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const verified: string[] = [];
  const verifyWithdrawalHistory: Backend['verifyWithdrawalHistory'] = async (input, call) => {
    verified.push(input.withdrawalId);
    return (changes.verifyWithdrawalHistory ?? backend.verifyWithdrawalHistory)(input, call);
  };
  const ports = { ...backend, ...changes, verifyWithdrawalHistory };
  const result = await verifyChains(ports)({}, contextWith()).catch((error: unknown) => error);
  writing.mockRestore();
  const reports = lines.filter(({ message }) => message === 'history broken');
  const metrics = lines.flatMap(({ ChainBroken: broken, VerificationLate: late }) =>
    broken === undefined ? [] : [[broken, late]],
  );
  return { result, verified, reports, metrics };
};

describe('verifyChains', () => {
  test('verifies all withdrawals, then the changed ones, and reports a broken history', async () => {
    const [sound, broken] = [await declare(), await declare()];
    await removeEntry(broken, 1);
    const first = await run();
    expect(first.result).toMatchObject({ done: 0, broken: 1, withdrawals: { done: 2, failed: 0, through: true } });
    expect(first.verified.toSorted()).toEqual([sound, broken].toSorted());
    expect(first.reports).toEqual([
      expect.objectContaining({ level: 'error', withdrawalId: broken, code: 'sequence_gap', sequence: 1 }),
    ]);
    expect(first.metrics).toEqual([[1, 0]]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect((await run()).verified).toHaveLength(2);
    const fresh = await declare();
    expect(await run()).toMatchObject({ verified: [fresh], reports: [], metrics: [[0, 0]] });
  });

  test('reports a missing withdrawal, and verifies one that failed in the next run', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    await run();
    const [missing, stuck] = [await declare(), await declare()];
    const failing = await run({
      verifyWithdrawalHistory: async (input, call) => {
        if (input.withdrawalId === missing) return fail({ code: 'withdrawal_not_found', detail: 'No withdrawal.' });
        if (input.withdrawalId === stuck) return fail({ code: 'timeout', detail: 'Try again.' });
        return backend.verifyWithdrawalHistory(input, call);
      },
    });
    expect(failing.result).toMatchObject({ name: 'ScheduleFailed', message: '1 withdrawals were not processed' });
    expect(failing.reports).toEqual([expect.objectContaining({ withdrawalId: missing, code: 'withdrawal_missing' })]);
    hours(1);
    expect((await run()).verified).toContain(stuck);
  });

  test('verifies all withdrawals repeatedly, and finds a change of the table without a command', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    await run();
    const untouched = await declare();
    await run();
    hours(1);
    await run();
    await removeEntry(untouched, 2);
    hours(1);
    expect((await run()).reports).toEqual([]);
    hours(4 * 24);
    const found = await run();
    expect(found.reports).toContainEqual(expect.objectContaining({ withdrawalId: untouched, code: 'tail_removed' }));
    expect(found.result).toMatchObject({ withdrawalsCircle: { through: true } });
    hours(1);
    expect((await run()).verified).toEqual([]);
  });

  test('verifies withdrawals also when returns cannot be listed, and counts a late round over them', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90 * 86_400_000 });
    await run();
    const fresh = await declare();
    const down = async () => fail({ code: 'timeout' as const, detail: 'Try again.' });
    const failing = await run({ listReturns: down });
    expect(failing.verified).toContain(fresh);
    expect(failing.result).toMatchObject({ message: 'returns were not listed: timeout' });
    hours(4 * 24);
    /** Runs with pages so slow that a round over everything reads one. */
    const slow = async () =>
      run({
        listWithdrawals: async (input, call) => {
          const listed = await backend.listWithdrawals({ ...input, limit: 1 }, call);
          if (listed.ok && input.sort === 'createdAt') vi.setSystemTime(Date.now() + 450_000);
          return listed;
        },
      });
    expect((await slow()).metrics).toEqual([[0, 0]]);
    hours(8 * 24);
    expect((await slow()).metrics[0]?.[1]).toBe(1);
  });
});
