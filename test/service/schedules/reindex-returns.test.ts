import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { reindexReturns } from '../../../lib/service/schedules/reindex-returns.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact, type Write } from '../../../lib/store/engine/transact.ts';
import { readReturns, writeMarkers, writeTrackingChanges } from '../../../lib/store/returns/returns.ts';
import { backendCall } from '../../support/backend-call.ts';
import { withoutIndex, writeUnindexed } from '../../support/before-index.ts';
import { forward, isFor } from '../../support/engine.ts';
import { setEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { register } from '../../support/life.ts';
import { generateReturns, type Listed } from '../../support/listed/returns.ts';
import { compareLists, walkList } from '../../support/listed/walk.ts';
import { inSoak } from '../../support/samples.ts';
import { openSigningSecret } from '../../support/signing-secret.ts';
import { slowLimits } from '../../support/slow-limits.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { packagedTemplate } from '../../support/bundles.ts';

slowLimits();
const dataDir = await mkdtemp(join(tmpdir(), 'reindex-'));
const engine = await startEngine(dataDir, 0);
const secret = await openSigningSecret();
secret.use();
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine.url });
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
afterAll(async () => {
  client.destroy();
  await secret[Symbol.asyncDispose]();
  await engine.close();
  await rm(dataDir, { recursive: true, force: true });
});

const template = await packagedTemplate('standalone');

const generated = generateReturns(110, 20261125);

/** Returns each return with the order numbers that the returns name: nothing else is known of earlier numbers. */
const withNamedNumbers = (returns: readonly Listed[]): readonly Listed[] => {
  const placeOf = ({ state: { order } }: Listed) => `${order.platform} ${order.orderId}`;
  const named = Map.groupBy(returns, placeOf);
  return returns.map((one) => ({
    ...one,
    orderNumbers: (named.get(placeOf(one)) ?? []).map(({ state: { order } }) => order.number ?? order.orderId),
  }));
};

const store = async (writes: readonly Write[]) => {
  using session = openSession(ampleDeadline());
  for (let first = 0; first < writes.length; first += 50)
    expect(await transact(session, writes.slice(first, first + 50))).toEqual({ written: true });
};

/**
 * Creates a table without an index and returns in it, and adds the index.
 *
 * @param name a part of the table's name
 * @param partitions the partitions of the lists, which the returns of one partition move to
 */
const grownTable = async (name: string, count: number, partitions = 1) => {
  const [table] = deploy(template, { mode: name, parameters: {}, sqs: '' }).ofType('AWS::DynamoDB::Table');
  if (table === undefined) throw new Error('the template has no table');
  setEnvironment({ TABLE_NAME: table.local.ref, LIST_PARTITIONS: '1' });
  expect(await createTables(engine, [withoutIndex(table)])).toBe(false);
  const returns = withNamedNumbers(generated.slice(0, count));
  await store(
    returns.flatMap(({ state, trackingNumbers }) => [
      ...writeUnindexed(state),
      ...writeMarkers(state),
      ...writeTrackingChanges([], trackingNumbers, state.id),
    ]),
  );
  setEnvironment({ LIST_PARTITIONS: String(partitions) });
  expect(await createTables(engine, [table])).toBe(true);
  return { table: table.local.ref, returns, adapt: async () => createTables(engine, [table]) };
};

const scan = async (table: string) => {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return new Map(items.map((item) => [`${String(item['pk'])} ${String(item['sk'])}`, item]));
};

const run = async (remaining?: number) => reindexReturns({}, contextWith(remaining));

describe('reindexReturns', () => {
  it('writes all returns to a new index, so that every list finds them', async () => {
    const { table, returns, adapt } = await grownTable('migrate', 60);
    expect(await walkList({ open: true }, [200])).toEqual([]);
    expect(await run()).toEqual({ written: 60, through: true });
    expect(await walkList({}, [50])).toHaveLength(60);
    expect(await compareLists(returns, 25, 1)).toBeGreaterThan(0.2);
    const before = await scan(table);

    expect(await run()).toEqual({ written: 0, through: true });
    expect(await adapt()).toBe(false);
    expect(await scan(table)).toEqual(before);
  });

  it.each(inSoak('spreads the returns over the partitions of the deployment'))('%s', async () => {
    const { returns } = await grownTable('spread', 60, 4);
    expect(await run()).toMatchObject({ through: true });
    expect(await compareLists(returns, 20, 2)).toBeGreaterThan(0.1);
  });

  it('begins no page without time for it, continues where its time ended, and writes each return once', async () => {
    const { returns } = await grownTable('continue', 110);
    const { url } = engine;
    expect(await run(19_000)).toEqual({ written: 0, through: false });
    // Each page takes 20 seconds.
    await using slow = await startServer(async (request) => {
      if (isFor(request, 'Query')) vi.setSystemTime(Date.now() + 20_000);
      return forward(request, url);
    });
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: slow.origin });
    vi.useFakeTimers({ toFake: ['Date'] });
    const written: number[] = [];
    for (let isThrough = false; !isThrough;) {
      const done = await run(60_000);
      written.push(done.written);
      isThrough = done.through;
    }
    vi.useRealTimers();
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: url });
    expect(written.length).toBeGreaterThan(4);
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(110);
    expect(await walkList({}, [200])).toHaveLength(returns.length);
  });

  it('lets one of two concurrent runs fail, and leaves all lists complete', async () => {
    const { returns } = await grownTable('twice', 20);
    const runs = await Promise.allSettled([run(), run()]);
    const failures = runs.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(failures).toEqual(failures.map(() => 'ScheduleFailed: another run was faster'));
    expect(failures.length).toBeLessThan(2);
    expect(await run()).toEqual({ written: 0, through: true });
    expect(await walkList({}, [200])).toHaveLength(returns.length);
  });

  it('does not overwrite a command that runs at the same time', async () => {
    const { returns } = await grownTable('busy', 12);
    const { url } = engine;
    const changed = returns.map(({ state }) => state);
    for (const { order } of changed) await executeRequest(backend, register(order, 9), backendCall());
    const tag = async (returnId: string, version: number) => {
      const answer = await backend.updateReturn(
        { returnId, tags: ['changed'] },
        { ...backendCall(), ifMatch: version },
      );
      if (!answer.ok) throw new Error(answer.failure.code);
    };
    let pending = true;
    await using between = await startServer(async (request) => {
      const answer = await forward(request, url);
      // The job has read the returns, and the commands write before the job does.
      if (pending && isFor(request, 'BatchGetItem')) {
        pending = false;
        await Promise.all(changed.map(async ({ id, version }) => tag(id, version)));
      }
      return answer;
    });
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: between.origin });
    expect(await run()).toEqual({ written: 12, through: true });
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: url });
    expect(pending).toBe(false);
    const items = new Map((await walkList({}, [200])).map((item) => [item.returnId, item]));
    for (const { id, version } of changed)
      expect(items.get(id)).toMatchObject({ version: version + 1, tags: ['changed'] });
    expect([...items.keys()].toSorted()).toEqual(returns.map(({ state }) => state.id).toSorted());
    using session = openSession(ampleDeadline());
    const stored = await readReturns(
      session,
      changed.map(({ id }) => id),
    );
    expect([...stored.values()].filter(({ tags }) => tags.includes('changed'))).toHaveLength(changed.length);
  });
});
