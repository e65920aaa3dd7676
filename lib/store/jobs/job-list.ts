import { encodeTime } from 'ulid';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { jobKey, jobPartition, jobsPartition, openJobsKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';
import { type IndexPartitions, readIndexPage } from '../engine/index-page.ts';
import type { Job } from './job.ts';
import { jobRetentionSeconds, readJob } from './jobs.ts';

type OpenJobs = { readonly jobIds: readonly string[]; readonly version: number };
type JobOwner = Pick<Job, 'createdBy' | 'kind'>;

const isOpen = async (session: Session, jobId: string): Promise<boolean> =>
  (await readJob(session, jobId))?.value.status === 'open';

/** The jobs of a kind that a client has open; the version is that of the list, 0 where there is none. */
export const readOpenJobs = async (session: Session, { createdBy, kind }: JobOwner): Promise<OpenJobs> => {
  const kept = await getItem<OpenJobs>(session, openJobsKey(createdBy.clientId, kind));
  const { jobIds = [], version = 0 } = kept ?? {};
  const open = await Promise.all(jobIds.map(async (jobId) => isOpen(session, jobId)));
  return { jobIds: jobIds.filter((_, index) => open[index]), version };
};

/** The list in place of its version. */
export const writeOpenJobs = ({ createdBy, kind }: JobOwner, { jobIds, version }: OpenJobs): Write =>
  putVersion('openJobs', openJobsKey(createdBy.clientId, kind), { jobIds, version: version + 1 }, version);

/*
 * How jobs are listed: by the index byCreation, in a partition of their own. Jobs are few, so that one partition takes
 * all of their writes.
 */

const byCreation: IndexPartitions = {
  name: 'byCreation',
  attribute: 'listKey',
  sort: 'id',
  partitions: [jobsPartition],
};

const timeLetters = 10;

/** The least id of a job that is kept at a time: ids are ULIDs, which begin with the time. */
const minId = (nowMs: number): string =>
  `job_${encodeTime(Math.max(0, nowMs - jobRetentionSeconds * 1000), timeLetters)}`;

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
  const bounds = { from: minId(nowMs), ...(before !== undefined && { before }) };
  const { items, rest } = await readIndexPage(session, byCreation, bounds, limit);
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
