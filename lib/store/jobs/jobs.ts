import type { PolicyDocument } from '../../domain/policies/lifecycle/golden.ts';
import { getItem } from '../engine/batch-get.ts';
import { timeOfId } from '../engine/id-time.ts';
import { jobDraftKey, jobKey, jobPartition, jobPartitionItemKey, jobsPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, type Write } from '../engine/transact.ts';
import type { Job, JobPartition } from './job.ts';

type Packed = { readonly value: string | Uint8Array };
type Versioned = Packed & { readonly version: number };

/** A stored value and its version. A write on condition of the version fails when the value has changed. */
export type StoredVersion<Value> = { readonly value: Value; readonly version: number };

/** The retention of jobs. */
export const jobRetentionSeconds = 90 * 24 * 3600;

/** Returns the expiry of all rows of a job, in epoch seconds. */
const expiryOf = (jobId: string): number => Math.floor(timeOfId(jobId) / 1000) + jobRetentionSeconds;

const toStoredVersion = <Value>({ value, version }: Versioned): StoredVersion<Value> => ({
  value: unpack(value) as Value,
  version,
});

const attributesOf = (jobId: string, value: unknown, version: number) => ({
  version,
  value: pack(value),
  expiresAt: expiryOf(jobId),
});

/**
 * Returns the keys by which the index byCreation lists a job. They never change, so only a new job writes to the index.
 */
const listKeys = (jobId: string) => ({ id: jobId, listKey: jobsPartition });

const jobAttributes = (job: Job, version: number) => ({
  ...attributesOf(job.id, job, version),
  ...listKeys(job.id),
});

/** Returns a job as last written, or undefined. */
export const readJob = async (session: Session, jobId: string): Promise<StoredVersion<Job> | undefined> => {
  const item = await getItem<Versioned>(session, jobKey(jobId));
  return item && toStoredVersion<Job>(item);
};

/** Returns a partition of a job as last written, or undefined. */
export const readJobPartition = async (
  session: Session,
  jobId: string,
  partition: number,
): Promise<StoredVersion<JobPartition> | undefined> => {
  const item = await getItem<Versioned>(session, jobPartitionItemKey(jobId, partition));
  return item && toStoredVersion<JobPartition>(item);
};

/** Returns the draft as it was when the job was created, or undefined. */
export const readJobDraft = async (session: Session, jobId: string): Promise<PolicyDocument | undefined> => {
  const item = await getItem<Packed>(session, jobDraftKey(jobId));
  return item && (unpack(item.value) as PolicyDocument);
};

/** A job with all of its partitions, whose kind is the job's. */
export type WholeJob = { readonly job: StoredVersion<Job>; readonly parts: readonly StoredVersion<JobPartition>[] };

/** Returns a job with all of its partitions, or undefined; a job expires after 90 days. */
export const readWholeJob = async (session: Session, jobId: string, nowMs: number): Promise<WholeJob | undefined> => {
  if (expiryOf(jobId) <= nowMs / 1000) return undefined;
  const [job, ...parts] = await queryAll<Versioned>(session, {
    KeyConditionExpression: 'pk = :pk AND sk >= :job',
    ExpressionAttributeValues: { ':pk': jobPartition(jobId), ':job': jobKey(jobId).sk },
    ConsistentRead: true,
  });
  return job && { job: toStoredVersion<Job>(job), parts: parts.map((part) => toStoredVersion<JobPartition>(part)) };
};

/** Writes a new job with its partitions, and optionally a copy of the draft, because drafts change. */
export const writeNewJob = (job: Job, parts: readonly JobPartition[], document?: PolicyDocument): readonly Write[] => [
  putNew('job', jobKey(job.id), jobAttributes(job, 1)),
  ...(document === undefined
    ? []
    : [putNew('jobDraft', jobDraftKey(job.id), { value: pack(document), expiresAt: expiryOf(job.id) })]),
  ...parts.map((part) => putNew('jobPart', jobPartitionItemKey(job.id, part.shard), attributesOf(job.id, part, 1))),
];

/** Replaces a version of a job. */
export const writeJob = (job: Job, version: number): Write =>
  putVersion('job', jobKey(job.id), jobAttributes(job, version + 1), version);

/** Replaces a version of a partition of a job. */
export const writeJobPartition = (jobId: string, part: JobPartition, version: number): Write =>
  putVersion('jobPart', jobPartitionItemKey(jobId, part.shard), attributesOf(jobId, part, version + 1), version);
