import { encodeTime } from 'ulid';
import type { Job } from './job.ts';
import { batchGet } from '../engine/batch-get.ts';
import { keptSeconds } from './jobs.ts';
import { jobKey, jobPartition, jobsPartition } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { walkOn, type Walked } from '../engine/walk.ts';

/*
 * How jobs are listed: by the index byCreation, in a partition of their own. Jobs are few, so that one partition takes
 * all of their writes.
 */

const byCreation: Walked = { name: 'byCreation', attribute: 'listKey', sort: 'id', partitions: [jobsPartition] };

const timeLetters = 10;

/** The least id of a job that is kept at a time: ids are ULIDs, which begin with the time. */
const leastId = (nowMs: number): string => `job_${encodeTime(Math.max(0, nowMs - keptSeconds * 1000), timeLetters)}`;

/** A job without its parts. `versions` of the parts of an open job tell whether a worker has begun. */
export type ListedJob = { readonly job: Job; readonly versions: readonly number[] };

/** Jobs from the newest on; `rest` tells that there are older ones, behind `last`. */
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

/**
 * The next jobs, at most `limit`. Eventually consistent, as indexes are. TTL deletes late: a job whose time is over is
 * left out.
 *
 * @param before the id that the page before ended with
 */
export const readJobs = async (
  session: Session,
  before: string | undefined,
  limit: number,
  nowMs: number,
): Promise<JobPage> => {
  const bounds = { from: leastId(nowMs), ...(before !== undefined && { before }) };
  const { items, rest } = await walkOn(session, byCreation, bounds, limit);
  const ids = items.map(({ position }) => position);
  const read = await batchGet(session, ids.map(jobKey), ['id', 'value']);
  const found = new Map(read.map(({ id, value }) => [id, unpack(value as string | Uint8Array) as Job]));
  const jobs = ids.flatMap((id) => found.get(id) ?? []);
  const last = ids.at(-1);
  return {
    jobs: await Promise.all(jobs.map(async (job) => ({ job, versions: await readVersions(session, job) }))),
    rest,
    ...(last !== undefined && { last }),
  };
};
