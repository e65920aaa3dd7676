import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { enqueueWorkers } from '../../../lib/service/jobs/queue.ts';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import {
  type BacktestPartition,
  newBacktestPartitions,
  mergePartitionReports,
} from '../../../lib/domain/policies/backtest/job.ts';
import type { PolicyDocument } from '../../../lib/domain/policies/lifecycle/golden.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import type { BacktestJob, JobFailure } from '../../../lib/store/jobs/job.ts';
import { readWholeJob, writeJob, writeNewJob } from '../../../lib/store/jobs/jobs.ts';
import { decisionPartitionCount, writeDecision } from '../../../lib/store/policies/decisions.ts';
import { writePolicyVersion } from '../../../lib/store/policies/policies.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { inSoak, runsEveryCase } from '../../support/samples.ts';
import { ampleDeadline } from '../../support/time.ts';
import { allowing, factsAfter, storedDecision, millisecondsOfDay } from './seed.ts';
import { hurried, workers } from './worker.ts';

const engines = await startEngines();

const { take, deliver, workOff, purge } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});
beforeEach(purge);

const actor = { clientId: 'test' };
const at = '2026-01-01T00:00:00.000Z';
const thirty = { policyId: `pol_${ulid()}`, version: 1, document: allowing(30) };
await transact(session, [
  writePolicyVersion({
    head: {
      policyId: thirty.policyId,
      version: 1,
      revision: 1,
      createdAt: at,
      createdBy: actor,
      updatedAt: at,
      updatedBy: actor,
      savedBy: [actor],
      published: { at, by: actor },
    },
    document: thirty.document,
  }),
]);

const noon = Date.parse('2026-10-20T12:00:00Z');
const days = runsEveryCase() ? 10 : 5;
/** The number of decisions. */
const size = 40 * days;
/** Forty decisions on each day, requested 1 to 40 days after delivery. Ten of each day are too late. */
const seeded = Array.from({ length: size }, (_, index) =>
  storedDecision(thirty, factsAfter((index % 40) + 1, noon - Math.floor(index / 40) * millisecondsOfDay + index)),
);
for (let index = 0; index < seeded.length; index += 100)
  await transact(session, seeded.slice(index, index + 100).map(writeDecision));

const partitions = Array.from({ length: decisionPartitionCount }, (_, partition) => partition);

const begin = async (document: PolicyDocument, request: Partial<BacktestJob['request']> = {}): Promise<string> => {
  const id = `job_${ulid()}`;
  const now = new Date().toISOString();
  const job: BacktestJob = {
    id,
    kind: 'backtest',
    status: 'open',
    request: {
      policyId: thirty.policyId,
      version: 2,
      revision: 1,
      from: new Date(noon - 12 * millisecondsOfDay).toISOString(),
      until: new Date(noon + 3_600_000).toISOString(),
      limit: 100_000,
      source: 'decisions',
      ...request,
    },
    createdAt: now,
    createdBy: actor,
    updatedAt: now,
  };
  await transact(session, writeNewJob(job, newBacktestPartitions(job.request.limit, decisionPartitionCount), document));
  return id;
};

const started = async (document: PolicyDocument, request: Partial<BacktestJob['request']> = {}): Promise<string> => {
  const id = await begin(document, request);
  await enqueueWorkers(id, partitions, session.signal);
  return id;
};

const outcome = async (id: string) => {
  const found = await readWholeJob(session, id, Date.now());
  if (found === undefined) throw new Error('the job is gone');
  const parts = found.parts.map(({ value }) => value as BacktestPartition);
  const { status, failure } = found.job.value;
  const examined = parts.reduce((sum, part) => sum + part.examined, 0);
  return { status, failure, examined, report: mergePartitionReports(parts), parts };
};

/** Thirty of forty decisions were approvals. The draft allows twenty, and denies ten of a day at 10.00 each. */
const shorter = {
  compared: size,
  unchanged: 30 * days,
  others: 0,
  money: [{ name: 'USD', up: 0, down: 10_000 * days }],
  verdicts: [
    { from: 'approved', to: 'approved', count: 20 * days },
    { from: 'approved', to: 'rejected', count: 10 * days },
    { from: 'rejected', to: 'rejected', count: 10 * days },
  ],
  byReason: {
    named: [{ name: 'other', better: 0, worse: 10 * days, worth: [{ name: 'USD', up: 0, down: 10_000 * days }] }],
  },
  failures: [],
};

describe('backtest', () => {
  it('compares every decision of its period, and is done when all partitions are', async () => {
    const id = await started(allowing(20));
    await workOff();
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: size, report: shorter });
  });

  it.each(inSoak('also finds the additional approvals of a longer window'))('%s', async () => {
    const id = await started(allowing(35));
    await workOff();
    expect((await outcome(id)).report).toMatchObject({
      unchanged: 35 * days,
      money: [{ name: 'USD', up: 5_000 * days, down: 0 }],
      examples: [{ name: 'rejected approved' }],
    });
  });

  it.each(inSoak('continues in another worker when the time is over, page after page'))('%s', async () => {
    const id = await started(allowing(20));
    expect(await workOff(hurried)).toBeGreaterThan(days - 1);
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: size, report: shorter });
  });

  it('continues after a worker died, when its message arrives again', async () => {
    const id = await started(allowing(20));
    const messages = await take();
    await deliver(messages, hurried);
    const { status, examined } = await outcome(id);
    expect(status).toBe('open');
    expect(examined).toBeGreaterThan(0);
    expect(examined).toBeLessThan(size);
    await purge();
    await deliver(messages);
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: size, report: shorter });
  });

  it('counts nothing twice when messages arrive twice, at once and later', async () => {
    const id = await started(allowing(20));
    const messages = await take();
    // One of two concurrent writers may have to retry.
    const failed = await deliver([...messages, ...messages]);
    const again = new Set(failed.map(({ itemIdentifier }) => itemIdentifier));
    await deliver(messages.filter(({ MessageId }) => again.has(MessageId ?? '')));
    await deliver(messages);
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: size, report: shorter });
  });

  it('stops at once after a cancellation', async () => {
    const id = await started(allowing(20));
    await deliver(await take(), hurried);
    const found = await readWholeJob(session, id, Date.now());
    const job = found?.job;
    if (job === undefined) throw new Error('the job is gone');
    await transact(session, [writeJob({ ...job.value, status: 'cancelled' }, job.version)]);
    const { examined } = await outcome(id);
    await workOff();
    expect(await outcome(id)).toMatchObject({ status: 'cancelled', examined });
  });

  it('examines the newest decisions up to its limit, with a share for each partition', async () => {
    const id = await started(allowing(20), { limit: 43 });
    await workOff();
    const { status, examined, parts } = await outcome(id);
    expect({ status, examined }).toEqual({ status: 'done', examined: 43 });
    expect(parts.map((part) => part.examined)).toEqual([6, 6, 6, 5, 5, 5, 5, 5]);
  });

  it('has partitions without a share when the limit is below their number', async () => {
    const id = await started(allowing(20), { limit: 3 });
    await workOff();
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: 3 });
  });

  it('examines decisions from its first instant until before its last', async () => {
    const [first, last] = [seeded[39]?.at ?? '', seeded[0]?.at ?? ''];
    const id = await started(allowing(20), { from: last, until: first });
    await workOff();
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: 39 });
  });

  it('is done when no decision exists', async () => {
    const id = await started(allowing(20), { from: '2020-01-01T00:00:00Z', until: '2020-03-01T00:00:00Z' });
    await workOff();
    expect(await outcome(id)).toMatchObject({ status: 'done', examined: 0, report: { compared: 0 } });
  });

  it.each(inSoak('skips decisions that the draft would not make'))('%s', async () => {
    const other = await started(allowing(20, 'another seller'));
    const narrower = await started(allowing(20, 'own'), { policyId: `pol_${ulid()}` });
    const asWide = await started(allowing(20), { policyId: `pol_${ulid()}` });
    await workOff();
    expect((await outcome(other)).report).toMatchObject({ compared: 0, others: size });
    expect((await outcome(narrower)).report).toMatchObject(shorter);
    expect((await outcome(asWide)).report).toMatchObject({ compared: 0, others: size });
  });

  it('names decisions that are not reproducible or whose version is deleted, and continues', async () => {
    const time = Date.parse('2026-08-01T12:00:00Z');
    const spoiled = { ...storedDecision(thirty, factsAfter(1, time)), digest: 'another' };
    const orphaned = storedDecision({ ...thirty, version: 9 }, factsAfter(1, time + 1));
    const sound = storedDecision(thirty, factsAfter(1, time + 2));
    await transact(session, [spoiled, orphaned, sound].map(writeDecision));
    const id = await started(allowing(20), { from: '2026-08-01T00:00:00Z', until: '2026-08-02T00:00:00Z' });
    await workOff();
    expect((await outcome(id)).report).toMatchObject({
      compared: 1,
      failures: [
        { name: 'not_reproduced', count: 1, decisionIds: [spoiled.id] },
        { name: 'version_missing', count: 1, decisionIds: [orphaned.id] },
      ],
    });
  });

  it('aggregates the stored decisions of a shadowed draft', async () => {
    const time = Date.parse('2026-08-10T12:00:00Z');
    const shadow = {
      policyId: thirty.policyId,
      version: 2,
      revision: 4,
      verdict: 'rejected' as const,
      lines: [{ verdict: 'ineligible' as const, code: 'final_sale' }],
      refund: 0,
    };
    const decisions = [
      { ...storedDecision(thirty, factsAfter(1, time)), shadow },
      { ...storedDecision(thirty, factsAfter(1, time + 1)), shadow: { ...shadow, version: 3 } },
      storedDecision(thirty, factsAfter(1, time + 2)),
    ];
    await transact(session, decisions.map(writeDecision));
    const id = await started(allowing(30), {
      from: '2026-08-10T00:00:00Z',
      until: '2026-08-11T00:00:00Z',
      source: 'shadow',
    });
    await workOff();
    expect((await outcome(id)).report).toMatchObject({
      compared: 1,
      others: 2,
      verdicts: [{ from: 'approved', to: 'rejected', count: 1 }],
      money: [{ name: 'USD', up: 0, down: 1000 }],
      examples: [{ examples: [{ decisionId: decisions[0]?.id, after: { codes: ['final_sale'] } }] }],
    });
  });

  describe('that cannot be done', () => {
    const broken = async (): Promise<string> => {
      const id = await started(allowing(20));
      await table.send(new DeleteCommand({ TableName: engines.table, Key: { pk: `JOB#${id}`, sk: 'DRAFT' } }));
      return id;
    };
    const failedWith = (failure: JobFailure) => ({ status: 'failed', failure });

    it('is tried three times, and fails with the failed partition', async () => {
      const id = await broken();
      const [message] = await take();
      if (message === undefined) throw new Error('nothing was sent');
      const { shard: partition } = JSON.parse(message.Body ?? '') as { shard: number };
      for (const receives of [1, 2]) {
        expect(await deliver([message], undefined, receives)).toHaveLength(1);
        expect(await outcome(id)).toMatchObject({ status: 'open' });
      }
      expect(await deliver([message], undefined, 3)).toHaveLength(1);
      expect(await outcome(id)).toMatchObject(failedWith({ code: 'internal_error', part: partition }));
    });

    it('fails in the next worker when three workers died without an error', async () => {
      const id = await started(allowing(20));
      const [message] = await take();
      if (message === undefined) throw new Error('nothing was sent');
      const { shard: partition } = JSON.parse(message.Body ?? '') as { shard: number };
      expect(await deliver([message], undefined, 4)).toHaveLength(1);
      expect(await outcome(id)).toMatchObject(failedWith({ code: 'timeout', part: partition }));
    });

    it('keeps its final status when a late message arrives', async () => {
      const id = await started(allowing(20));
      const messages = await take();
      await deliver(messages);
      await deliver(messages.slice(0, 1), undefined, 4);
      expect(await outcome(id)).toMatchObject({ status: 'done', failure: undefined });
    });
  });

  it('leaves a message of another kind to the dead-letter queue', async () => {
    const messages = ['', '{}', '{"jobId":"job_1","shard":0}'].map((Body) => ({ MessageId: Body, Body }));
    expect(await deliver(messages)).toHaveLength(3);
  });

  it('does nothing for a deleted job', async () => {
    await enqueueWorkers(`job_${ulid()}`, [0], session.signal);
    expect(await workOff()).toBe(1);
  });
});
