import type { ExportedHistory } from '../returns/history/verify-history.ts';
import type { Return } from '../returns/model/return.ts';
import { sum } from '../runtime/sum.ts';
import { createProofFinder, readAnchoredTree } from '../store/anchors/anchors.ts';
import type { Session } from '../store/engine/session.ts';
import { type FileType, putFile } from '../store/jobs/exports.ts';
import type { ExportedFile, ExportFormat, ExportPartition, ExportRequest } from '../store/jobs/job.ts';
import { readErasedSequences } from '../store/personal/personal.ts';
import { readStoredEntries } from '../store/returns/returns.ts';
import { readNewestReturns } from '../store/returns/whole-returns.ts';
import { returnView } from '../views/views.ts';
import { csvHeader, csvRows } from './csv.ts';
import { TooLarge, type PartWorker } from './work.ts';

/**
 * Reads the histories of returns with their proofs in the last tree.
 * It reads no tree if the export has no histories.
 */
const historiesOf = async (
  session: Session,
  format: ExportFormat,
): Promise<(state: Return) => Promise<ExportedHistory>> => {
  const anchored = format === 'history' ? await readAnchoredTree(session) : undefined;
  const proofOf = anchored && createProofFinder(session, anchored);
  return async ({ id: returnId, version, head }) => {
    const entries = [];
    for await (const batch of readStoredEntries(session, returnId, -1)) entries.push(...batch);
    const proof = await proofOf?.(returnId);
    return {
      returnId,
      version,
      head,
      entries: entries.map(({ entry }) => entry ?? null),
      ...(proof !== undefined && { proof }),
    };
  };
};

/** Returns in one read. */
const pageSize = 50;
/** The size in bytes at which a file is written. A larger return has a file of its own. */
export const fileBytes = 4 * 1024 * 1024;
/** The links to all files of all partitions must fit into one response. */
const maxFiles = 125;

/** Returns a return like getReturn, without the person, free texts and allowed actions. */
const exportedView = (state: Return, erased: number | undefined): object => {
  return {
    ...returnView(state),
    ...(Object.keys(state.customer).length > 0 && { customer: state.customer }),
    ...(erased !== undefined && { textsErasedThrough: erased }),
  };
};

const jsonLine = (row: object): string => `${JSON.stringify(row)}\n`;

/** @param erased the version of the return up to which its texts are erased */
const rowsOf = async (
  state: Return,
  format: ExportRequest['format'],
  erased: number | undefined,
  historyOf: (state: Return) => Promise<ExportedHistory>,
): Promise<readonly string[]> => {
  if (format === 'csv') return csvRows(state, erased);
  return [jsonLine(format === 'ndjson' ? exportedView(state, erased) : await historyOf(state))];
};

/** Returns the file type of a format. */
export const fileTypeOf = (format: ExportRequest['format']): FileType => (format === 'csv' ? 'csv' : 'ndjson');

const isWanted = ({ createdAt, status }: Return, { from, until, ...wanted }: ExportRequest): boolean =>
  (from === undefined || createdAt >= from) &&
  createdAt < until &&
  (wanted.status === undefined || status === wanted.status);

/**
 * Writes the returns of one partition into files, the newest first.
 * A file and its end position are saved together. So the next worker continues after the last saved file. A file that
 * is written again is the same, or is not listed.
 */
export const exportReturns: PartWorker<'export'> = async (session, { job, part, stopAt, isOpen, save }) => {
  const { id: jobId, request } = job;
  const { format } = request;
  let present: ExportPartition = part;
  let [rows, bytes, examined, before]: [string[], number, number, string] = [[], 0, 0, part.before];

  /** Writes the rows since the last file as the next file. */
  const newFile = async (): Promise<readonly ExportedFile[]> => {
    if (rows.length === 0) return [];
    if (present.files.length >= maxFiles) throw new TooLarge('more files than one job has');
    const type = fileTypeOf(format);
    const name = `${part.shard}-${present.files.length}.${type}`;
    const text = `${format === 'csv' ? csvHeader : ''}${rows.join('')}`;
    return [await putFile(session, { jobId, name, type }, Buffer.from(text), rows.length)];
  };
  const write = async (done: boolean): Promise<boolean> => {
    const files = [...present.files, ...(await newFile())];
    present = { ...present, examined: present.examined + examined, files, before, done };
    [rows, bytes, examined] = [[], 0, 0];
    return save(present);
  };
  const historyOf = await historiesOf(session, format);
  const add = async (state: Return, erased: number | undefined): Promise<void> => {
    if (!isWanted(state, request)) return;
    const more = await rowsOf(state, format, erased, historyOf);
    rows.push(...more);
    bytes += sum(more.map((row) => Buffer.byteLength(row)));
  };

  for (;;) {
    const { returns, last = before, rest } = await readNewestReturns(session, { from: part.from, before }, pageSize);
    // The position of a return is its id.
    const erased = await readErasedSequences(
      session,
      returns.map(({ position }) => position),
    );
    for (const { position, read } of returns) {
      await add(read(), erased.get(position));
      examined += 1;
      before = position;
      if (bytes >= fileBytes && !(await write(false))) return 'over';
    }
    before = last;
    const isOver = Date.now() >= stopAt;
    if (!rest || isOver) {
      if (!(await write(!rest))) return 'over';
      return rest ? 'unfinished' : 'done';
    }
    if (!(await isOpen())) return 'over';
  }
};
