import { isJobOpen } from '../../store/jobs/job-list.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { sum } from '../../runtime/sum.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact, type Write } from '../../store/engine/transact.ts';
import { writeUnlisted } from '../../store/events/outbox.ts';
import { putFile, readFile } from '../../store/jobs/exports.ts';
import { publicActor } from '../../domain/returns/model/actor.ts';
import {
  endJob,
  type ErasureJob,
  type ErasurePartition,
  type ExportedFile,
  type ExportJob,
  type ExportPartition,
  type Job,
  type JobFailure,
  type MergedFile,
  type JobPartition,
  type JobPartitionOf,
} from '../../store/jobs/job.ts';
import {
  type StoredVersion,
  readJob,
  readJobPartition,
  readWholeJob,
  type WholeJob,
  writeJob,
  writeJobPartition,
} from '../../store/jobs/jobs.ts';
import { backtest } from './backtest.ts';
import { type BulkBackend, runBulk } from './bulk.ts';
import { csvHeader } from './csv.ts';
import { erase } from './erase.ts';
import { exportReturns, fileBytes, fileTypeOf } from './export-returns.ts';
import type { Message } from './queue.ts';
import type { PartOutcome, OpenPart } from './work.ts';

/*
 * Each partition of an export writes its own files, so a small export has as many small files as partitions. The worker
 * that ends the job merges them. The files of the partitions never change. A worker that dies or is late leaves them
 * listed. The next worker merges the same bytes into the same object.
 */

/** The limit of a merge: it must fit into the remaining time of a worker. Other files stay unmerged. */
const maxMerged = { files: 64, bytes: 8 * fileBytes };

const bytesOf = (files: readonly ExportedFile[]): number => sum(files.map(({ bytes }) => bytes));

/** Returns the files that are small enough to merge, as many as one worker can merge. */
const smallOf = (files: readonly ExportedFile[]): readonly ExportedFile[] => {
  let bytes = 0;
  return files
    .filter((file) => file.bytes < fileBytes)
    .slice(0, maxMerged.files)
    .filter((file) => (bytes += file.bytes) <= maxMerged.bytes);
};

/** Returns groups of at least two files, each of which fits into one file. */
export const groupsOf = (files: readonly ExportedFile[]): readonly (readonly ExportedFile[])[] => {
  const groups: ExportedFile[][] = [];
  for (const file of smallOf(files)) {
    const group = groups.at(-1);
    if (group !== undefined && bytesOf(group) + file.bytes <= fileBytes) group.push(file);
    else groups.push([file]);
  }
  return groups.filter(({ length }) => length > 1);
};

/** Joins the rows of files under one header. */
const joinFiles = (contents: readonly Buffer[], format: ExportJob['request']['format']): Buffer => {
  if (format !== 'csv') return Buffer.concat(contents);
  const header = Buffer.from(csvHeader);
  return Buffer.concat([header, ...contents.map((content) => content.subarray(content.indexOf('\r\n') + 2))]);
};

/**
 * Merges the small files of an export, about 4 MB at a time.
 *
 * @returns the merged files with the names of the replaced ones; empty if there is nothing to merge
 * @throws {ObjectsUnavailable} if a file cannot be read or stored. The partitions are done, so the next worker merges
 */
const mergeFiles = async (
  session: Session,
  { id: jobId, request }: ExportJob,
  parts: readonly ExportPartition[],
): Promise<readonly MergedFile[]> => {
  const { format } = request;
  const files = parts.flatMap((part) => part.files);
  const groups = groupsOf(files);
  const isWhole = groups.length === 1 && groups[0]?.length === files.length;
  const merged: MergedFile[] = [];
  for (const [index, group] of groups.entries()) {
    const contents = await Promise.all(group.map(async (file) => readFile(session, jobId, file)));
    const type = fileTypeOf(format);
    const name = `${isWhole ? 'all' : `merged-${index}`}.${type}`;
    const rows = sum(group.map((file) => file.rows));
    const file = await putFile(session, { jobId, name, type }, joinFiles(contents, format), rows);
    merged.push({ file, of: group.map((part) => part.name) });
  }
  return merged;
};

/** Returns the event of an erasure. It has the counts, not the person. */
const erasedEvent = (job: ErasureJob, { erased, returns }: ErasurePartition, at: string): DomainEvent => ({
  sequence: 1,
  type: 'privacy.erased',
  at,
  actor: publicActor(job.createdBy),
  data: { jobId: job.id, ...erased, returns },
  causationId: job.id,
  correlationId: job.id,
});

/**
 * Writes on condition of the versions that were read.
 * Returns false if another worker has written since.
 *
 * @throws if another write is in progress, because its outcome is unknown
 */
const writeConditionally = async (session: Session, writes: readonly Write[]): Promise<boolean> => {
  const outcome = await transact(session, writes);
  if (!outcome.written && outcome.busy.length > 0) throw new Error('another one writes it at this moment');
  return outcome.written;
};

/** Returns the event of the end of a job. The transaction that ends the job writes it. */
const writesOfJobEnd = ({ job, parts }: WholeJob, at: string): readonly Write[] => {
  const { value } = job;
  if (value.kind !== 'erasure' || value.request.countOnly) return [];
  const [part] = parts as readonly StoredVersion<ErasurePartition>[];
  return part === undefined ? [] : writeUnlisted(`ERASURE#${value.id}`, erasedEvent(value, part.value, at));
};

/** Returns the job with its final changes: the small files of an export are merged. */
const withMergedFiles = async (session: Session, { job: { value }, parts }: WholeJob): Promise<Job> => {
  if (value.kind !== 'export') return value;
  const merged = await mergeFiles(
    session,
    value,
    parts.map((part) => part.value as ExportPartition),
  );
  return merged.length === 0 ? value : { ...value, merged };
};

/** Ends a job after all of its partitions are done. Of two concurrent workers, one succeeds. */
const settleJob = async (session: Session, jobId: string): Promise<void> => {
  const found = await readWholeJob(session, jobId, Date.now());
  if (found?.job.value.status !== 'open' || !found.parts.every(({ value }) => value.done)) return;
  const { version } = found.job;
  const value = await withMergedFiles(session, found);
  const at = new Date().toISOString();
  await writeConditionally(session, [
    writeJob(endJob(value, { status: 'done', updatedAt: at }), version),
    ...writesOfJobEnd(found, at),
  ]);
};

/** Returns a function that saves a partition, on condition that no other worker has since. */
const partSaver = <Kind extends Job['kind']>(
  session: Session,
  jobId: string,
  since: number,
): OpenPart<Kind>['save'] => {
  let version = since;
  return async (part) => {
    if (!(await isJobOpen(session, jobId))) return false;
    const written = await writeConditionally(session, [writeJobPartition(jobId, part, version)]);
    version += 1;
    return written;
  };
};

/** What a worker works with: the time of its end in epoch milliseconds, and the commands for bulk jobs. */
type Work = { readonly stopAt: number; readonly backend: BulkBackend };

const workOnPart = async (
  session: Session,
  job: Job,
  { value, version }: StoredVersion<JobPartition>,
  { stopAt, backend }: Work,
): Promise<PartOutcome> => {
  // A partition has the kind of its job, because one transaction writes both.
  const open = <Kind extends Job['kind']>(of: Extract<Job, { kind: Kind }>): OpenPart<Kind> => ({
    job: of,
    part: value as JobPartitionOf<Kind>,
    stopAt,
    isOpen: async () => isJobOpen(session, of.id),
    save: partSaver(session, of.id, version),
  });
  switch (job.kind) {
    case 'backtest':
      return backtest(session, open<'backtest'>(job));
    case 'export':
      return exportReturns(session, open<'export'>(job));
    case 'erasure':
      return erase(session, open<'erasure'>(job));
    case 'bulk':
      return runBulk(backend, open<'bulk'>(job));
  }
};

/**
 * Processes a partition until it is done, until `stopAt`, or until the job is cancelled.
 * It saves every page on condition that no other worker has written the partition. So the next worker continues after
 * the last page of one that died. Of two workers on the same partition, one stops.
 *
 * @throws errors of the store; no progress is lost
 * @throws {TooLarge} if the job is too large as requested
 */
export const runPart = async (session: Session, { jobId, shard }: Message, work: Work): Promise<PartOutcome> => {
  const [job, part] = await Promise.all([readJob(session, jobId), readJobPartition(session, jobId, shard)]);
  if (job?.value.status !== 'open' || part === undefined) return 'over';
  const left = part.value.done ? 'done' : await workOnPart(session, job.value, part, work);
  if (left === 'done') await settleJob(session, jobId);
  return left;
};

/** Marks a job as failed. The results of its partitions stay. */
export const failJob = async (session: Session, jobId: string, failure: JobFailure): Promise<void> => {
  const job = await readJob(session, jobId);
  if (job?.value.status !== 'open') return;
  const failed = endJob(job.value, { status: 'failed', failure, updatedAt: new Date().toISOString() });
  await writeConditionally(session, [writeJob(failed, job.version)]);
};
