import { decodeTime } from 'ulid';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import { getItem } from '../engine/batch-get.ts';
import { jobDraftKey, jobKey, jobPartition, jobPartKey, jobsPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, type Write } from '../engine/transact.ts';
import type { Job, Part } from './job.ts';

type Packed = { readonly value: string | Uint8Array };
type Versioned = Packed & { readonly version: number };

/** Something as it was read: who writes it in place of that version fails when somebody else has. */
export type Kept<Value> = { readonly value: Value; readonly version: number };

/** For so long jobs are kept. */
export const keptSeconds = 90 * 24 * 3600;

/** All that is kept of a job goes at one time: epoch seconds. */
const expiryOf = (jobId: string): number =>
  Math.floor(decodeTime(jobId.slice(jobId.indexOf('_') + 1)) / 1000) + keptSeconds;

const keptOf = <Value>({ value, version }: Versioned): Kept<Value> => ({ value: unpack(value) as Value, version });

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
export const readJob = async (session: Session, jobId: string): Promise<Kept<Job> | undefined> => {
  const item = await getItem<Versioned>(session, jobKey(jobId));
  return item && keptOf<Job>(item);
};

/** A part of a job as last written, or undefined. */
export const readPart = async (session: Session, jobId: string, shard: number): Promise<Kept<Part> | undefined> => {
  const item = await getItem<Versioned>(session, jobPartKey(jobId, shard));
  return item && keptOf<Part>(item);
};

/** The draft as it was when the job was asked for, or undefined. */
export const readJobDraft = async (session: Session, jobId: string): Promise<PolicyDocument | undefined> => {
  const item = await getItem<Packed>(session, jobDraftKey(jobId));
  return item && (unpack(item.value) as PolicyDocument);
};

/** A job with all of its parts, whose kind is the job's. */
export type WholeJob = { readonly job: Kept<Job>; readonly parts: readonly Kept<Part>[] };

/** A job with all of its parts, or undefined; after 90 days there is none. */
export const readWholeJob = async (session: Session, jobId: string, nowMs: number): Promise<WholeJob | undefined> => {
  if (expiryOf(jobId) <= nowMs / 1000) return undefined;
  const [job, ...parts] = await queryAll<Versioned>(session, {
    KeyConditionExpression: 'pk = :pk AND sk >= :job',
    ExpressionAttributeValues: { ':pk': jobPartition(jobId), ':job': jobKey(jobId).sk },
    ConsistentRead: true,
  });
  return job && { job: keptOf<Job>(job), parts: parts.map((part) => keptOf<Part>(part)) };
};

/** A new job with its parts, which a document may come with as it is now: drafts change. */
export const writeNewJob = (job: Job, parts: readonly Part[], document?: PolicyDocument): readonly Write[] => [
  putNew('job', jobKey(job.id), jobAttributes(job, 1)),
  ...(document === undefined
    ? []
    : [putNew('jobDraft', jobDraftKey(job.id), { value: pack(document), expiresAt: expiryOf(job.id) })]),
  ...parts.map((part) => putNew('jobPart', jobPartKey(job.id, part.shard), attributesOf(job.id, part, 1))),
];

/** A job in place of the version before it. */
export const writeJob = (job: Job, version: number): Write =>
  putVersion('job', jobKey(job.id), jobAttributes(job, version + 1), version);

/** A part of a job in place of the version before it. */
export const writePart = (jobId: string, part: Part, version: number): Write =>
  putVersion('jobPart', jobPartKey(jobId, part.shard), attributesOf(jobId, part, version + 1), version);
