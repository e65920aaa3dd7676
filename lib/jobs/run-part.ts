import type { DomainEvent } from '../events/domain-events.ts';
import { sum } from '../runtime/sum.ts';
import type { Session } from '../store/engine/session.ts';
import { transact, type Write } from '../store/engine/transact.ts';
import { writeUnlisted } from '../store/events/outbox.ts';
import { putFile, readFile } from '../store/jobs/exports.ts';
import type {
  ErasureJob,
  ErasurePartition,
  ExportedFile,
  ExportJob,
  ExportPartition,
  Job,
  JobFailure,
  MergedFile,
  JobPartition,
  JobPartitionOf,
} from '../store/jobs/job.ts';
import {
  type StoredVersion,
  readJob,
  readJobPartition,
  readWholeJob,
  type WholeJob,
  writeJob,
  writeJobPartition,
} from '../store/jobs/jobs.ts';
import { backtest } from './backtest.ts';
import { csvHeader } from './csv.ts';
import { erase } from './erase.ts';
import { exportReturns, fileBytes, fileTypeOf } from './export-returns.ts';
import type { Message } from './queue.ts';
import type { PartOutcome, OpenPart } from './work.ts';

/*
 * Each part of an export writes files of its own, so that a small export is as many small files as there are parts. The
 * worker that ends the job merges them. The files of the parts are never changed: a worker that dies, or is late,
 * leaves them listed as they are, and the next one merges the same bytes into the same object.
 */

/** Merging has to fit into the time that a worker has left: what is beyond stays as the parts wrote it. */
const maxMerged = { files: 64, bytes: 8 * fileBytes };

const bytesOf = (files: readonly ExportedFile[]): number => sum(files.map(({ bytes }) => bytes));

/** The files that are small enough to be merged, as many as one worker can merge. */
const smallOf = (files: readonly ExportedFile[]): readonly ExportedFile[] => {
  let bytes = 0;
  return files
    .filter((file) => file.bytes < fileBytes)
    .slice(0, maxMerged.files)
    .filter((file) => (bytes += file.bytes) <= maxMerged.bytes);
};

/** Groups of at least two files, each of which fits into one file. */
export const groupsOf = (files: readonly ExportedFile[]): readonly (readonly ExportedFile[])[] => {
  const groups: ExportedFile[][] = [];
  for (const file of smallOf(files)) {
    const group = groups.at(-1);
    if (group !== undefined && bytesOf(group) + file.bytes <= fileBytes) group.push(file);
    else groups.push([file]);
  }
  return groups.filter(({ length }) => length > 1);
};

/** The rows of files, one after another, under one header. */
const joinFiles = (contents: readonly Buffer[], format: ExportJob['request']['format']): Buffer => {
  if (format !== 'csv') return Buffer.concat(contents);
  const header = Buffer.from(csvHeader);
  return Buffer.concat([header, ...contents.map((content) => content.subarray(content.indexOf('\r\n') + 2))]);
};

/**
 * Merges the small files of an export, about 4 MB at a time.
 *
 * @returns what replaces which files; empty where nothing is to be merged
 * @throws {ObjectsUnavailable} where a file cannot be read or kept: the parts are done, and the next worker merges
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
    merged.push({ file, of: group.map((one) => one.name) });
  }
  return merged;
};

/** That somebody was erased, and how much of them; not who. */
const erasedEvent = (job: ErasureJob, { erased, returns }: ErasurePartition, at: string): DomainEvent => ({
  sequence: 1,
  type: 'privacy.erased',
  at,
  actor: { clientId: job.createdBy.clientId },
  data: { jobId: job.id, ...erased, returns },
  causationId: job.id,
  correlationId: job.id,
});

/**
 * Writes in place of what was read; false where somebody else has written since.
 *
 * @throws where somebody else is about to: nobody knows yet whether that counts
 */
const writeConditionally = async (session: Session, writes: readonly Write[]): Promise<boolean> => {
  const outcome = await transact(session, writes);
  if (!outcome.written && outcome.busy.length > 0) throw new Error('another one writes it at this moment');
  return outcome.written;
};

/** What others are told of the end of a job, in the transaction that ends it. */
const writesOfJobEnd = ({ job, parts }: WholeJob, at: string): readonly Write[] => {
  const { value } = job;
  if (value.kind !== 'erasure' || value.request.countOnly) return [];
  const [part] = parts as readonly StoredVersion<ErasurePartition>[];
  return part === undefined ? [] : writeUnlisted(`ERASURE#${value.id}`, erasedEvent(value, part.value, at));
};

/** The job with what only its end brings: an export has its small files merged. */
const withMergedFiles = async (session: Session, { job: { value }, parts }: WholeJob): Promise<Job> => {
  if (value.kind !== 'export') return value;
  const merged = await mergeFiles(
    session,
    value,
    parts.map((part) => part.value as ExportPartition),
  );
  return merged.length === 0 ? value : { ...value, merged };
};

/** Ends a job once all of its parts are done. Of two that do so at once, one does. */
const settleJob = async (session: Session, jobId: string): Promise<void> => {
  const found = await readWholeJob(session, jobId, Date.now());
  if (found?.job.value.status !== 'open' || !found.parts.every(({ value }) => value.done)) return;
  const { version } = found.job;
  const value = await withMergedFiles(session, found);
  const at = new Date().toISOString();
  await writeConditionally(session, [
    writeJob({ ...value, status: 'done', updatedAt: at }, version),
    ...writesOfJobEnd(found, at),
  ]);
};

const isJobOpen = async (session: Session, jobId: string): Promise<boolean> =>
  (await readJob(session, jobId))?.value.status === 'open';

/** Lets a worker write its part, each time on condition that nobody else has since. */
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

const workOnPart = async (
  session: Session,
  job: Job,
  { value, version }: StoredVersion<JobPartition>,
  stopAt: number,
): Promise<PartOutcome> => {
  // A part is of the kind that its job is: they are written together.
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
  }
};

/**
 * Goes on with a part of a job until it is done, until `stopAt`, or until somebody cancels the job. Every page is
 * written on condition that nobody else has written the part: a worker that dies is continued from its last page, and
 * of two that have the same part one stops.
 *
 * @param stopAt epoch milliseconds
 * @throws what the store throws; nothing is lost by it
 * @throws {TooLarge} where the job cannot be done as it was asked for
 */
export const runPart = async (session: Session, { jobId, shard }: Message, stopAt: number): Promise<PartOutcome> => {
  const [job, part] = await Promise.all([readJob(session, jobId), readJobPartition(session, jobId, shard)]);
  if (job?.value.status !== 'open' || part === undefined) return 'over';
  const left = part.value.done ? 'done' : await workOnPart(session, job.value, part, stopAt);
  if (left === 'done') await settleJob(session, jobId);
  return left;
};

/** Gives a job up. What its parts have found stays. */
export const failJob = async (session: Session, jobId: string, failure: JobFailure): Promise<void> => {
  const job = await readJob(session, jobId);
  if (job?.value.status !== 'open') return;
  const failed: Job = { ...job.value, status: 'failed', failure, updatedAt: new Date().toISOString() };
  await writeConditionally(session, [writeJob(failed, job.version)]);
};
