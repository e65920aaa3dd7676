import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { executeRequest, createSubject } from '../../support/life-of-backend.ts';
import { steps, type Subject } from '../../support/life.ts';
import type { Query } from '../../support/listed/queries.ts';
import { walkList } from '../../support/listed/walk.ts';
import { openSigningSecret } from '../../support/signing-secret.ts';
import { workers } from './worker.ts';

const engines = await startEngines();
const secret = await openSigningSecret();
secret.use();
afterAll(async () => {
  await secret[Symbol.asyncDispose]();
  await engines.stop();
});
const { workOff } = workers(engines.jobsUrl, jobRunner(backend));

const divide = (partitions: number) => setEnvironment({ LIST_PARTITIONS: String(partitions) });
const createMany = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => createSubject(backend)));
const idsOf = (returns: readonly Subject[]) => returns.map(({ returnId }) => returnId).toSorted();

const beginExport = async (): Promise<string> => {
  const started = await backend.createExport({ format: 'ndjson' }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  return started.value.body.jobId;
};

/** Returns the ids in the files of an export, sorted. */
const exportedIds = async (jobId: string): Promise<readonly string[]> => {
  const read = await backend.getJob({ jobId }, backendCall());
  if (!read.ok || read.value.body.kind !== 'export') throw new Error('no such export');
  const { status, files = [] } = read.value.body;
  expect(status).toBe('done');
  const contents = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
  return contents
    .flatMap((text) => text.trimEnd().split('\n'))
    .map((line) => (JSON.parse(line) as { returnId: string }).returnId)
    .toSorted();
};

describe('a deployment whose lists grow from one partition to four', () => {
  let [before, moved, after]: (readonly Subject[])[] = [[], [], []];
  let begunBefore = '';
  beforeAll(async () => {
    divide(1);
    before = await createMany(12);
    begunBefore = await beginExport();
    divide(4);
    moved = before.slice(0, 6);
    for (const subject of moved) await executeRequest(backend, steps.approve(subject, randomUUID()), backendCall());
    after = await createMany(12);
  });
  const all = () => idsOf([...(before ?? []), ...(after ?? [])]);

  it.each<readonly [name: string, query: Query]>([
    ['by creation', {}],
    ['of open returns', { open: true }],
    ['by last change', { sort: 'updatedAt' }],
    ['of a platform', { platform: 'web', status: 'requested,approved' }],
  ])('shows each return once in the list %s', async (_, query) => {
    for (const limit of [200, 5]) {
      const items = await walkList(query, [limit]);
      expect(items.map(({ returnId }) => returnId).toSorted()).toEqual(all());
    }
  });

  it('exports each return once', async () => {
    const jobId = await beginExport();
    await workOff();
    expect(await exportedIds(jobId)).toEqual(all());
  });

  it('exports each return once in an export that began before', async () => {
    await workOff();
    expect(await exportedIds(begunBefore)).toEqual(idsOf(before ?? []));
  });

  it('counts the same returns in its lists after the next change of each return', async () => {
    for (const subject of before ?? [])
      await executeRequest(backend, steps.addNote(subject, randomUUID()), backendCall());
    const items = await walkList({}, [7]);
    expect(items.map(({ returnId }) => returnId)).toEqual(all().toReversed());
  });
});
