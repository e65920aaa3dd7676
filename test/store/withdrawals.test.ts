import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { personPartition, withdrawalKey } from '../../lib/store/engine/keys.ts';
import { openSession } from '../../lib/store/engine/session.ts';
import { transact } from '../../lib/store/engine/transact.ts';
import {
  findDeclaration,
  readWithdrawal,
  removeDeclarationMarker,
  writeDeclarationMarkers,
  writeWithdrawal,
} from '../../lib/store/withdrawals/withdrawals.ts';
import { listBounds, readWithdrawals } from '../../lib/store/withdrawals/withdrawal-list.ts';
import { addMacs } from '../../lib/domain/returns/history/mac.ts';
import { withdraw } from '../../lib/domain/withdrawals/commands/decide.ts';
import { startSchedules } from '../service/schedules/support.ts';
import { backendCall } from '../support/backend-call.ts';
import { setEnvironment } from '../support/environment.ts';
import { unitReceipts, unitRing } from '../support/history-keys.ts';
import { hearLines } from '../support/standard-output.ts';
import { ampleDeadline } from '../support/time.ts';
import { appendAll, declaredWithdrawal } from '../domain/withdrawals/support.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(() => session[Symbol.dispose]());
afterEach(() => vi.restoreAllMocks());

const declaration = () => {
  const own = randomUUID();
  return { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own, lines: `goods ${own}` };
};

const declare = async (content: object = {}): Promise<string> => {
  const declared = await backend.declareWithdrawal({ ...declaration(), ...content }, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

const rowsOf = async (partition: string) => {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: engines.table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
      ConsistentRead: true,
    }),
  );
  return Items;
};

const listed = async (filter: Parameters<typeof readWithdrawals>[1], limit = 100) =>
  (await readWithdrawals(session, filter, undefined, limit)).items.map(({ id }) => id);

describe('the rows of a withdrawal', () => {
  it('hold no text of the consumer, except in the partition of the person', async () => {
    const content = declaration();
    const id = await declare(content);
    const [rows, personal] = [await rowsOf(withdrawalKey(id).pk), await rowsOf(personPartition(`withdrawal:${id}`))];
    expect(rows.map(({ sk }) => String(sk))).toEqual([
      'HISTORY#0000000001',
      'HISTORY#0000000002',
      'SEARCH',
      'SNAPSHOT',
    ]);
    expect(personal).toHaveLength(1);
    const state = await readWithdrawal(session, id);
    for (const text of Object.values(content)) expect(JSON.stringify([state, rows])).not.toContain(text);
  });

  it('are replaced on condition of the version that was read', async () => {
    const id = await declare();
    const state = await readWithdrawal(session, id);
    const decided = state === undefined ? undefined : withdraw(state, 'mistake');
    if (state === undefined || decided?.ok !== true || decided.value === undefined) throw new Error('not decided');
    const next = appendAll(state, [decided.value]);
    const writes = writeWithdrawal(next.state, addMacs(next.entries, unitRing.current), state);
    expect(await transact(session, writes)).toEqual({ written: true });
    expect(await transact(session, writes)).toMatchObject({ written: false, failed: ['withdrawal', 'entry'] });
  });

  it('are listed by both statuses over all partitions, the newest first', async () => {
    setEnvironment({ LIST_PARTITIONS: '3' });
    const [one, two, three] = [await declare(), await declare(), await declare()];
    await backend.withdrawWithdrawal({ withdrawalId: two, reason: 'mistake' }, backendCall());
    const sent = { withdrawalId: three, sentAt: new Date().toISOString(), channel: 'letter' as const };
    await backend.recordReceiptSent(sent, backendCall());
    const own = new Set([one, two, three]);
    const found = async (filter: Parameters<typeof listed>[0]) => (await listed(filter)).filter((id) => own.has(id));
    expect(await found({})).toEqual([one, two, three].toSorted().toReversed());
    expect(await found({ status: 'withdrawn' })).toEqual([two]);
    expect(await found({ receipt: 'sent' })).toEqual([three]);
    expect(await found({ status: 'declared', receipt: 'due' })).toEqual([one]);
    expect(await found({ status: 'answered' })).toEqual([]);
    setEnvironment({ LIST_PARTITIONS: undefined });
  });

  it('are listed by their last change, within a period of changes', async () => {
    const [one, two] = [await declare(), await declare()];
    const sent = { withdrawalId: one, sentAt: new Date().toISOString(), channel: 'letter' as const };
    const before = new Date().toISOString();
    await backend.recordReceiptSent(sent, backendCall());
    const own = new Set([one, two]);
    const found = async (filter: Parameters<typeof listed>[0]) => (await listed(filter)).filter((id) => own.has(id));
    expect(await found({ sort: 'updatedAt' })).toEqual([one, two]);
    expect(await found({ sort: 'updatedAt', updatedFrom: before })).toEqual([one]);
    expect(await found({ updatedFrom: before })).toEqual([one]);
    expect(await found({ sort: 'updatedAt', to: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  it('are bounded by the time at which they were stored, and by the previous page', () => {
    const [from, to] = ['2026-11-21T08:00:00.000Z', '2026-11-22T08:00:00.000Z'];
    const whole = listBounds({ from, to }, undefined);
    expect(whole.from?.slice(0, 4)).toBe('wdr_');
    expect((whole.from ?? '') < (whole.before ?? '')).toBe(true);
    expect(listBounds({ from, to }, 'wdr_1')).toEqual({ from: whole.from, before: 'wdr_1' });
    expect(listBounds({ from: '0000-01-01T00:00:00Z' }, undefined)).toEqual({ from: 'wdr_0000000000' });
    const byUpdate = { sort: 'updatedAt', updatedFrom: '2026-11-21T09:00:00+01:00', from, to } as const;
    expect(listBounds(byUpdate, undefined)).toEqual({ from });
    expect(listBounds(byUpdate, 'position')).toEqual({ from, before: 'position' });
  });
});

describe('markers of declarations', () => {
  it('let one of two equal declarations be stored, until they are removed', async () => {
    const state = declaredWithdrawal();
    const [digest, source] = [randomUUID(), { platform: 'web', externalId: randomUUID() }];
    const writes = writeDeclarationMarkers(state, { digest, source });
    expect(await transact(session, writes)).toEqual({ written: true });
    expect(await transact(session, writes)).toMatchObject({ failed: ['declaration', 'declaration'] });
    expect(await findDeclaration(session, ['other', digest], undefined)).toBe(state.id);
    expect(await findDeclaration(session, ['other'], source)).toBe(state.id);
    await transact(session, [removeDeclarationMarker(digest)]);
    expect(await findDeclaration(session, [digest], undefined)).toBeUndefined();
    expect(await findDeclaration(session, [digest], source)).toBe(state.id);
  });

  it('belong to one withdrawal, also when many declare the same at once', async () => {
    const content = declaration();
    const ids = await Promise.all(Array.from({ length: 8 }, async () => declare(content)));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a declaration without keys', () => {
  it('gets 503 and is not stored, and no log has a text of the consumer', async () => {
    const lines: string[] = [];
    setEnvironment({ RECEIPT_KEYS_ID: 'missing' });
    hearLines((line) => void lines.push(line));
    const content = declaration();
    expect(await backend.declareWithdrawal(content, backendCall())).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable' },
    });
    setEnvironment(unitReceipts);
    vi.restoreAllMocks();
    expect(lines.join('')).toContain('receipt keys not read');
    for (const text of Object.values(content)) expect(lines.join('')).not.toContain(text);
    expect(await backend.declareWithdrawal(content, backendCall())).toMatchObject({ value: { status: 201 } });
  });
});
