import { initialHash } from '../../domain/returns/history/history.ts';
import { isWithdrawalId, type Leaf } from '../../domain/returns/history/merkle.ts';
import type { ChainedEntry, ExportedHistory } from '../../domain/returns/history/verify-history.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { sum } from '../../runtime/sum.ts';
import { type AnchoredTree, createProofFinder, readAnchoredTree, readLeaves } from '../../store/anchors/anchors.ts';
import { readUnshownRows, rowKeyOf } from '../../store/anchors/anchored-rows.ts';
import type { Bounds } from '../../store/engine/index-page.ts';
import type { Session } from '../../store/engine/session.ts';
import { type FileType, putFile } from '../../store/jobs/exports.ts';
import type { ExportedFile, ExportPartition, ExportRequest } from '../../store/jobs/job.ts';
import { readErasedSequences } from '../../store/personal/personal.ts';
import { readStoredEntriesOf } from '../../store/returns/returns.ts';
import { type Positioned, readNewestReturns } from '../../store/returns/whole-returns.ts';
import { readNewestWithdrawals } from '../../store/withdrawals/histories.ts';
import { returnView } from '../views/views.ts';
import { csvHeader, csvRows } from './csv.ts';
import { TooLarge, type PartWorker } from './work.ts';

/** The members of a return or withdrawal that its exported history has. */
type Exported = Pick<Return, 'id' | 'version' | 'head' | 'createdAt'>;

/** Returns the history of a return or withdrawal. */
type HistoryReader = (state: Exported | Leaf) => Promise<ExportedHistory<ChainedEntry>>;

/** Reads the histories of returns and withdrawals with their proofs in the last tree. */
const historiesOf = (session: Session, anchored: AnchoredTree | undefined): HistoryReader => {
  const proofOf = anchored && createProofFinder(session, anchored);
  return async (state) => {
    const { version, head } = state;
    const returnId = 'id' in state ? state.id : state.returnId;
    const entries = [];
    for await (const batch of readStoredEntriesOf<ChainedEntry>(session, rowKeyOf(returnId), -1))
      entries.push(...batch);
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

/** Returns or withdrawals in one read. */
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

/** Returns the file type of a format. */
export const fileTypeOf = (format: ExportRequest['format']): FileType => (format === 'csv' ? 'csv' : 'ndjson');

const isInPeriod = ({ createdAt }: Exported, { from, until }: ExportRequest): boolean =>
  (from === undefined || createdAt >= from) && createdAt < until;

/** A return or withdrawal of the export. `rows` is empty for one that the request does not select. */
type ExportItem = { readonly position: string; readonly rows: () => Promise<readonly string[]> };
type ExportPage = { readonly items: readonly ExportItem[]; readonly rest: boolean; readonly last?: string };

/** Reads a snapshot for its history. An unreadable one is exported as unreadable, and its verification reports it. */
const readForHistory = <State extends Exported>({ position, read }: Positioned<State>): State | Leaf => {
  try {
    return read();
  } catch {
    return { returnId: position, version: 0, head: initialHash };
  }
};

type ExportReader = (bounds: Required<Bounds>) => Promise<ExportPage>;

/** Returns the reader of the histories of withdrawals. A part of an export has either these or returns. */
const withdrawalReader =
  (session: Session, request: ExportRequest, historyOf: HistoryReader): ExportReader =>
  async (bounds) => {
    const { items, ...page } = await readNewestWithdrawals(session, bounds, pageSize);
    const exported = items.map((withdrawal): ExportItem => {
      const state = readForHistory(withdrawal);
      const isWanted = 'returnId' in state || isInPeriod(state, request);
      return { position: withdrawal.position, rows: async () => (isWanted ? [jsonLine(await historyOf(state))] : []) };
    });
    return { ...page, items: exported };
  };

/** Returns the reader of returns in the format of the request. */
const returnReader =
  (session: Session, request: ExportRequest, historyOf: HistoryReader): ExportReader =>
  async (bounds) => {
    const { format, status } = request;
    const { returns, ...page } = await readNewestReturns(session, bounds, pageSize);
    // The position of a return is its id.
    const erased = await readErasedSequences(
      session,
      returns.map(({ position }) => position),
    );
    const items = returns.map((positioned): ExportItem => {
      const { position, read } = positioned;
      const rows = async (): Promise<readonly string[]> => {
        const state = format === 'history' ? readForHistory(positioned) : read();
        if ('returnId' in state) return [jsonLine(await historyOf(state))];
        if (!isInPeriod(state, request) || (status !== undefined && state.status !== status)) return [];
        if (format === 'csv') return csvRows(state, erased.get(position));
        return [jsonLine(format === 'ndjson' ? exportedView(state, erased.get(position)) : await historyOf(state))];
      };
      return { position, rows };
    });
    return { ...page, items };
  };

/**
 * Adds the histories of the last tree that the lists do not show. One whose row is missing has no entries: its leaf and
 * its proof name it.
 */
const withUnshown =
  (session: Session, tree: AnchoredTree, readPage: ExportReader, historyOf: HistoryReader): ExportReader =>
  async (bounds) => {
    const page = await readPage(bounds);
    const range = { ...bounds, from: page.rest ? (page.last ?? bounds.before) : bounds.from };
    const { leaves, end } = await readLeaves(session, tree, range);
    const shown = new Set(page.items.map(({ position }) => position));
    const unshown = leaves.filter(({ returnId }) => !shown.has(returnId));
    const rows = await readUnshownRows(
      session,
      unshown.map(({ returnId }) => returnId),
    );
    const added = unshown.map((leaf): ExportItem => {
      const position = leaf.returnId;
      const row = rows.get(position);
      const history = async () =>
        row === undefined
          ? { ...(await historyOf(leaf)), entries: [] }
          : historyOf(readForHistory({ position, read: row.read }));
      return { position, rows: async () => [jsonLine(await history())] };
    });
    const items = [...page.items, ...added]
      .filter(({ position }) => end === undefined || position >= end)
      .toSorted((a, b) => (a.position > b.position ? -1 : 1));
    return end === undefined ? { ...page, items } : { items, last: end, rest: true };
  };

/**
 * Writes the returns or withdrawals of one partition into files, the newest first.
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
  const tree = format === 'history' ? await readAnchoredTree(session) : undefined;
  const historyOf = historiesOf(session, tree);
  const readShown = (isWithdrawalId(part.from) ? withdrawalReader : returnReader)(session, request, historyOf);
  const readPage = tree === undefined ? readShown : withUnshown(session, tree, readShown, historyOf);

  for (;;) {
    const { items, last = before, rest } = await readPage({ from: part.from, before });
    for (const { position, rows: rowsOf } of items) {
      const more = await rowsOf();
      rows.push(...more);
      bytes += sum(more.map((row) => Buffer.byteLength(row)));
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
