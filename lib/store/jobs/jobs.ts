import { decodeTime } from 'ulid';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import { getItem } from '../engine/batch-get.ts';
import { jobDraftKey, jobKey, jobPartition, jobPartitionItemKey, jobsPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, type Write } from '../engine/transact.ts';
import type { Job, JobPartition } from './job.ts';

type Packed = { readonly value: string | Uint8Array };
type Versioned = Packed & { readonly version: number };

/** Something as it was read: who writes it in place of that version fails when somebody else has. */
export type StoredVersion<Value> = { readonly value: Value; readonly version: number };

/** For so long jobs are kept. */
export const jobRetentionSeconds = 90 * 24 * 3600;

/** All that is kept of a job goes at one time: epoch seconds. */
const expiryOf = (jobId: string): number =>
  Math.floor(decodeTime(jobId.slice(jobId.indexOf('_') + 1)) / 1000) + jobRetentionSeconds;

const toStoredVersion = <Value>({ value, version }: Versioned): StoredVersion<Value> => ({
  value: unpack(value) as Value,
  version,
});

const attributesOf = (jobId: string, value: unknown, version: number) => ({
  version,
  value: pack(value),
  expiresAt: expiryOf(jobId),
});

/** The keys by which the index byCreation lists a job. They never change: only a new job writes there. */
const listKeys = (jobId: string) => ({ id: jobId, listKey: jobsPartition });

const jobAttributes = (job: Job, version: number) => ({
  ...attributesOf(job.id, job, version),
  ...listKeys(job.id),
});

/** A job as last written, or undefined. */
export const readJob = async (session: Session, jobId: string): Promise<StoredVersion<Job> | undefined> => {
  const item = await getItem<Versioned>(session, jobKey(jobId));
  return item && toStoredVersion<Job>(item);
};

/** A part of a job as last written, or undefined. */
export const readJobPartition = async (
  session: Session,
  jobId: string,
  shard: number,
): Promise<StoredVersion<JobPartition> | undefined> => {
  const item = await getItem<Versioned>(session, jobPartitionItemKey(jobId, shard));
  return item && toStoredVersion<JobPartition>(item);
};

/** The draft as it was when the job was asked for, or undefined. */
export const readJobDraft = async (session: Session, jobId: string): Promise<PolicyDocument | undefined> => {
  const item = await getItem<Packed>(session, jobDraftKey(jobId));
  return item && (unpack(item.value) as PolicyDocument);
};

/** A job with all of its parts, whose kind is the job's. */
export type WholeJob = { readonly job: StoredVersion<Job>; readonly parts: readonly StoredVersion<JobPartition>[] };

/** A job with all of its parts, or undefined; after 90 days there is none. */
export const readWholeJob = async (session: Session, jobId: string, nowMs: number): Promise<WholeJob | undefined> => {
  if (expiryOf(jobId) <= nowMs / 1000) return undefined;
  const [job, ...parts] = await queryAll<Versioned>(session, {
    KeyConditionExpression: 'pk = :pk AND sk >= :job',
    ExpressionAttributeValues: { ':pk': jobPartition(jobId), ':job': jobKey(jobId).sk },
    ConsistentRead: true,
  });
  return job && { job: toStoredVersion<Job>(job), parts: parts.map((part) => toStoredVersion<JobPartition>(part)) };
};

/** A new job with its parts, which a document may come with as it is now: drafts change. */
export const writeNewJob = (job: Job, parts: readonly JobPartition[], document?: PolicyDocument): readonly Write[] => [
  putNew('job', jobKey(job.id), jobAttributes(job, 1)),
  ...(document === undefined
    ? []
    : [putNew('jobDraft', jobDraftKey(job.id), { value: pack(document), expiresAt: expiryOf(job.id) })]),
  ...parts.map((part) => putNew('jobPart', jobPartitionItemKey(job.id, part.shard), attributesOf(job.id, part, 1))),
];

/** A job in place of the version before it. */
export const writeJob = (job: Job, version: number): Write =>
  putVersion('job', jobKey(job.id), jobAttributes(job, version + 1), version);

/** A part of a job in place of the version before it. */
export const writeJobPartition = (jobId: string, part: JobPartition, version: number): Write =>
  putVersion('jobPart', jobPartitionItemKey(jobId, part.shard), attributesOf(jobId, part, version + 1), version);
