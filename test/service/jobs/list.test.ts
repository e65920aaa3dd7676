import { ulid } from 'ulid';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import type { ExportJob, ExportPartition } from '../../../lib/store/jobs/job.ts';
import { writeNewJob, writeJobPartition } from '../../../lib/store/jobs/jobs.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { openSigningSecret } from '../../support/signing-secret.ts';
import { ampleDeadline } from '../../support/time.ts';
import { inSoak } from '../../support/samples.ts';

const engines = await startEngines();
const secret = await openSigningSecret();
secret.use();

const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await secret[Symbol.asyncDispose]();
  await engines.stop();
});

const day = 86_400_000;
const part: ExportPartition = { shard: 0, done: false, examined: 0, files: [], from: 'ret_0', before: 'ret_8' };

const putJob = async (ageMs: number, changes: Partial<ExportJob> = {}): Promise<string> => {
  const time = Date.now() - ageMs;
  const at = new Date(time).toISOString();
  const job: ExportJob = {
    id: `job_${ulid(time)}`,
    kind: 'export',
    status: 'open',
    request: { format: 'csv', until: at },
    createdAt: at,
    createdBy: { clientId: 'test' },
    updatedAt: at,
    ...changes,
  };
  await transact(session, writeNewJob(job, [part]));
  return job.id;
};

const list = async (input: Input<'listJobs'> = {}): Promise<Output<'listJobs'>> => {
  const read = await backend.listJobs(input, backendCall());
  if (!read.ok) throw new Error(read.failure.detail);
  return read.value.body;
};
const idsOf = ({ items }: Output<'listJobs'>): string[] => items.map(({ jobId: id }) => id);

describe('listJobs', () => {
  it('returns jobs in pages, without expired ones', async () => {
    await putJob(91 * day);
    const oldest = await putJob(89 * day, { status: 'done' });
    const waiting = await putJob(2 * day);
    const running = await putJob(day);
    await transact(session, [writeJobPartition(running, { ...part, examined: 1 }, 1)]);
    const all = await list();
    expect(idsOf(all)).toEqual([running, waiting, oldest]);
    expect(all.nextCursor).toBeNull();
    expect(all.items.map(({ status }) => status)).toEqual(['running', 'queued', 'done']);
    const first = await list({ limit: 2 });
    expect(idsOf(first)).toEqual([running, waiting]);
    expect(idsOf(await list({ limit: 2, cursor: first.nextCursor ?? '' }))).toEqual([oldest]);
    expect(idsOf(await list({ status: 'queued' }))).toEqual([waiting]);
    expect(idsOf(await list({ kind: 'erasure' }))).toEqual([]);
  });

  it.each(inSoak('returns a short page with a cursor when a filter matches few of the examined jobs'))(
    '%s',
    async () => {
      const wanted = await putJob(10 * day, { status: 'cancelled' });
      for (let index = 0; index < 101; index += 1) await putJob(3_600_000);
      const page = await list({ status: 'cancelled' });
      expect(page.items).toEqual([]);
      expect(idsOf(await list({ status: 'cancelled', cursor: page.nextCursor ?? '' }))).toEqual([wanted]);
    },
  );
});
