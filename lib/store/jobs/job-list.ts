import { encodeTime } from 'ulid';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { jobKey, jobPartition, jobsPartition, openJobsKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';
import { type Bounds, type IndexPartitions, readIndexPage } from '../engine/index-page.ts';
import type { Job } from './job.ts';
import { jobRetentionSeconds, readJob } from './jobs.ts';

type OpenJobs = { readonly jobIds: readonly string[]; readonly version: number };
/** The texts that identify the caller who created the jobs. */
type JobOwner = readonly string[];

/** Whether a job still works. */
export const isJobOpen = async (session: Session, jobId: string): Promise<boolean> =>
  (await readJob(session, jobId))?.value.status === 'open';

/** Returns the open jobs of a caller of a kind. The version is that of the list, 0 when there is none. */
export const readOpenJobs = async (session: Session, owner: JobOwner, kind: Job['kind']): Promise<OpenJobs> => {
  const stored = await getItem<OpenJobs>(session, openJobsKey(owner, kind));
  const { jobIds = [], version = 0 } = stored ?? {};
  const open = await Promise.all(jobIds.map(async (jobId) => isJobOpen(session, jobId)));
  return { jobIds: jobIds.filter((_, index) => open[index]), version };
};

/** Replaces the list on condition of its version. */
export const writeOpenJobs = (owner: JobOwner, kind: Job['kind'], { jobIds, version }: OpenJobs): Write =>
  putVersion('openJobs', openJobsKey(owner, kind), { jobIds, version: version + 1 }, version);

/*
 * Lists jobs by the index byCreation, in a partition of their own. Jobs are few, so one partition takes all of their
 * writes.
 */

const byCreation: IndexPartitions = {
  name: 'byCreation',
  attribute: 'listKey',
  sort: 'id',
  partitions: [jobsPartition],
};

const timeLetters = 10;

/** Returns the lowest id of a job that was created at a time or later: ids are ULIDs, which begin with the time. */
const minId = (atMs: number): string => `job_${encodeTime(Math.max(0, atMs), timeLetters)}`;

/** A job without its partitions. The `versions` of an open job's partitions show whether a worker has begun. */
export type ListedJob = { readonly job: Job; readonly versions: readonly number[] };

/** A page of jobs, newest first. `rest` reports that older jobs follow `last`. */
export type JobPage = { readonly jobs: readonly ListedJob[]; readonly last?: string; readonly rest: boolean };

const readVersions = async (session: Session, job: Job): Promise<readonly number[]> => {
  if (job.status !== 'open') return [];
  const parts = await queryAll<{ version: number }>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :part)',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':pk': jobPartition(job.id), ':part': 'PART#' },
    ProjectionExpression: '#version',
  });
  return parts.map(({ version }) => version);
};

const readPage = async (session: Session, bounds: Bounds, limit: number) => {
  const { items, rest } = await readIndexPage(session, byCreation, bounds, limit);
  const ids = items.map(({ position }) => position);
  const read = await batchGet(session, ids.map(jobKey), ['id', 'value']);
  const found = new Map(read.map(({ id, value }) => [id, unpack(value as string | Uint8Array) as Job]));
  return { jobs: ids.flatMap((id) => found.get(id) ?? []), last: ids.at(-1), rest };
};

/**
 * Returns the next jobs, at most `limit`. Eventually consistent, as indexes are. It omits expired jobs, because TTL
 * deletes late.
 *
 * @param before the last id of the previous page
 */
export const readJobs = async (
  session: Session,
  before: string | undefined,
  limit: number,
  nowMs: number,
): Promise<JobPage> => {
  const bounds = { from: minId(nowMs - jobRetentionSeconds * 1000), ...(before !== undefined && { before }) };
  const { jobs, last, rest } = await readPage(session, bounds, limit);
  return {
    jobs: await Promise.all(jobs.map(async (job) => ({ job, versions: await readVersions(session, job) }))),
    rest,
    ...(last !== undefined && { last }),
  };
};

const dayMs = 86_400_000;
/** An erasure takes minutes. After a day it is stuck, for example because its message is in the dead-letter queue. */
const stuckMs = dayMs;
/** Older jobs are not counted: the queues have deleted their messages after 14 days. */
const countedMs = 15 * dayMs;
const pageSize = 100;

/** Returns the number of erasures that were created more than a day ago and have not ended. Eventually consistent. */
export const countStuckErasures = async (session: Session, nowMs: number): Promise<number> => {
  const from = minId(nowMs - countedMs);
  let before: string | undefined = minId(nowMs - stuckMs);
  let stuck = 0;
  while (before !== undefined) {
    const { jobs, last, rest } = await readPage(session, { from, before }, pageSize);
    stuck += jobs.filter((job) => job.kind === 'erasure' && job.status === 'open' && !job.request.countOnly).length;
    before = rest ? last : undefined;
  }
  return stuck;
};
