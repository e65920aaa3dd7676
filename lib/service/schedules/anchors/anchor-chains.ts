import type { ComparedLeaf } from '../../../domain/returns/history/compare-leaves.ts';
import { isWithdrawalId, type Root, withdrawalIdLike } from '../../../domain/returns/history/merkle.ts';
import { log } from '../../../runtime/log.ts';
import { count } from '../../../runtime/metrics.ts';
import { openRun, type Remaining, type Run } from '../run.ts';
import { anchorSchedule, type AnchorState, parseAnchorState, storeRoot } from '../../../store/anchors/anchors.ts';
import { fanOut, locksTrees, putChunk, putPage, putTree } from '../../../store/anchors/tree-objects.ts';
import { type Checkpoint, prepareCursor, readCursor, writeCursor } from '../../../store/engine/checkpoint.ts';
import { anchorStream, scheduleKey } from '../../../store/engine/keys.ts';
import { transact } from '../../../store/engine/transact.ts';
import { writeUnlisted } from '../../../store/events/outbox.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readNewestReturns, returnIdAt, type SnapshotPage } from '../../../store/returns/whole-returns.ts';
import { readNewestWithdrawals } from '../../../store/withdrawals/histories.ts';
import { type Anchored, compareStretch, leafOf } from './compare-stretch.ts';

/** Covers the lag of the index, and different clocks of id writers. */
const marginMs = 600_000;
/** The number of snapshots read at once from each partition of the index. */
const readSize = 64;
/** A run starts no page with less time left. */
const stretchMs = 15_000;
/** The differences that a root names. Later trees keep all of them, and the verification of each history names it. */
const maxNamed = 100;

type OpenTree = NonNullable<AnchorState['tree']>;

/** The progress, and its checkpoint. */
type AnchorProgress = { readonly state: AnchorState; readonly checkpoint: Checkpoint };

/** The number of added leaves, and the published root. */
type AnchorResult = { readonly added: number; readonly published?: Root };

const dayOf = (instant: string): string => instant.slice(0, 10);

/**
 * The open tree, or that of a new day; undefined when today's tree is complete. A tree whose objects belong into another
 * bucket by now is started again.
 */
const openTree = ({ tree, last }: AnchorState, now: string): OpenTree | undefined => {
  const isLocked = locksTrees();
  if (tree !== undefined && tree.isLocked === isLocked) return tree;
  if (last !== undefined && dayOf(now) <= dayOf(last.at)) return undefined;
  const before = returnIdAt(Date.parse(now) - marginMs);
  const position = withdrawalIdLike(before);
  const counts = { size: 0, withdrawals: 0, compared: 0, found: 0, differences: [] };
  return { isLocked, at: now, before, position, ...counts, chunks: [], pages: [], whole: false };
};

/** Reads the next histories of a tree: its withdrawals, then its returns, each the newest first. */
const readNext = async (session: Session, before: string, position: string): Promise<SnapshotPage<Anchored>> => {
  if (!isWithdrawalId(position)) {
    const { returns: items, ...page } = await readNewestReturns(session, { before: position }, readSize);
    return { ...page, items };
  }
  const page = await readNewestWithdrawals(session, { before: position }, readSize);
  return page.rest ? page : { ...page, last: before, rest: true };
};

/** The number of items that fit. */
const countOf = <Item>(items: readonly Item[], fits: (item: Item) => boolean): number => items.filter(fits).length;

/** The tree with one more page. */
const withPage = async (run: Run, tree: OpenTree, compared: readonly ComparedLeaf[]): Promise<OpenTree> => {
  const { chunks } = tree;
  const leaves = compared.map(({ leaf }) => leaf);
  const pages = [...tree.pages, await putPage(run.session, tree, leaves)];
  const isFull = pages.length === fanOut;
  const differences = compared.flatMap(({ difference }) => difference ?? []);
  return {
    ...tree,
    position: leaves.at(-1)?.returnId ?? tree.position,
    size: tree.size + leaves.length,
    withdrawals: tree.withdrawals + countOf(leaves, ({ returnId }) => isWithdrawalId(returnId)),
    compared: tree.compared + countOf(compared, ({ isKnown }) => isKnown),
    found: tree.found + countOf(compared, ({ isKnown, difference }) => isKnown && difference === undefined),
    differences: [...tree.differences, ...differences].slice(0, maxNamed),
    chunks: isFull ? [...chunks, await putChunk(run.session, tree, pages)] : chunks,
    pages: isFull ? [] : pages,
  };
};

/** Writes the checkpoint; undefined when another run was faster. */
const saveProgress = async (
  run: Run,
  { checkpoint }: AnchorProgress,
  state: AnchorState,
): Promise<AnchorProgress | undefined> => {
  const next = await writeCursor(run.session, scheduleKey(anchorSchedule), checkpoint, JSON.stringify(state));
  return next && { state, checkpoint: next };
};

/** Reads the next stretch of histories, and compares it with the last tree. */
const readStretch = async (run: Run, { last }: AnchorState, before: string, position: string) => {
  const stretch = await readNext(run.session, before, position);
  const reached = stretch.last ?? position;
  // After the last history of today, the last tree may still have some.
  const bounds = { from: stretch.rest ? reached : '', before: position };
  const now = stretch.items.map((item) => leafOf(item.position, item.read));
  const { leaves, end } = await compareStretch(run.session, last, bounds, now);
  return { leaves, position: end ?? reached, rest: stretch.rest || end !== undefined };
};

/** Adds leaves page by page until the time is over. An incomplete page is read again. */
const addLeaves = async (
  run: Run,
  from: AnchorProgress,
  loaded: OpenTree,
): Promise<{ at: AnchorProgress | undefined; added: number }> => {
  let at: AnchorProgress | undefined = from;
  let tree = loaded;
  let leaves: ComparedLeaf[] = [];
  let { position } = tree;
  while (at !== undefined && !tree.whole && Date.now() + stretchMs <= run.end) {
    const stretch = await readStretch(run, from.state, tree.before, position);
    leaves.push(...stretch.leaves);
    ({ position } = stretch);
    const pages = Math.floor(leaves.length / fanOut);
    for (let page = 0; page < pages; page += 1)
      tree = await withPage(run, tree, leaves.slice(page * fanOut, (page + 1) * fanOut));
    leaves = leaves.slice(pages * fanOut);
    if (!stretch.rest) {
      if (leaves.length > 0) tree = await withPage(run, tree, leaves);
      const rest = tree.pages.length === 0 ? [] : [await putChunk(run.session, tree, tree.pages)];
      tree = { ...tree, chunks: [...tree.chunks, ...rest], pages: [], whole: true };
    }
    if (pages > 0 || tree.whole) at = await saveProgress(run, at, { ...at.state, tree });
  }
  return { at, added: tree.size - loaded.size };
};

/** Reports differences to the last tree. The service deletes and shortens no history of a return or withdrawal. */
const reportDifferences = ({ at, earlier, differences = [] }: Root, { compared, found }: OpenTree): void => {
  for (const { returnId, code, version } of differences)
    log('error', 'history differs', {
      [isWithdrawalId(returnId) ? 'withdrawalId' : 'returnId']: returnId,
      code,
      version,
    });
  const added = countOf(differences, ({ code }) => code === 'history_added');
  const differing = compared - found + added;
  if (differing > 0) log('error', 'histories differ', { tree: at, since: earlier?.at, differing });
  const uncompared = earlier?.uncompared ?? 0;
  if (uncompared > 0) log('error', 'histories not compared', { tree: at, since: earlier?.at, uncompared });
  count({ ChainBroken: differing + uncompared });
};

/**
 * Publishes the root of a complete tree. It writes the root to its bucket, and an event in the transaction that closes
 * the tree.
 */
const publishRoot = async (
  run: Run,
  { state, checkpoint }: AnchorProgress,
  tree: OpenTree,
): Promise<Root | undefined> => {
  const { last } = state;
  const { at, before, size, withdrawals, compared, found, differences, chunks, isLocked } = tree;
  const uncompared = (last?.size ?? 0) - compared;
  const earlier = last && { at: last.at, size: last.size, found, ...(uncompared > 0 && { uncompared }) };
  const root: Root = {
    at,
    before,
    size,
    withdrawals,
    root: await putTree(run.session, tree, chunks),
    ...(earlier !== undefined && { earlier }),
    ...(differences.length > 0 && { differences }),
  };
  await storeRoot(run.session, root);
  // Before the checkpoint: a run that dies here reports again.
  reportDifferences(root, tree);
  const { caller, causationId, traceId } = run.call('returns:read');
  const domainEvent = {
    sequence: 1,
    type: 'history.anchored',
    at: run.now,
    actor: { clientId: caller.clientId },
    data: root,
    causationId,
    correlationId: traceId,
  };
  const { write } = prepareCursor(
    scheduleKey(anchorSchedule),
    checkpoint,
    JSON.stringify({ last: { ...root, chunks, ...(isLocked === true && { isLocked }) } } satisfies AnchorState),
  );
  const { written } = await transact(run.session, [write, ...writeUnlisted(anchorStream(at), domainEvent)]);
  return written ? root : undefined;
};

/**
 * Anchors the histories of all returns and withdrawals once a day. It builds a Merkle tree over their last entries, in as
 * many runs as needed, and publishes its root. It compares each history with the last tree: the leaf of one that differs
 * stays as it was, and the root names it. The checkpoint moves page by page. The next run continues a run that
 * died. Of two concurrent runs one stops.
 *
 * @throws errors of the store and the buckets; the next run continues
 */
export const anchorChains = async (_event: unknown, context: Remaining): Promise<AnchorResult> => {
  using run = openRun(anchorSchedule, context);
  const checkpoint = await readCursor(run.session, scheduleKey(anchorSchedule));
  const state = parseAnchorState(checkpoint.cursor);
  const tree = openTree(state, run.now);
  if (tree === undefined) return { added: 0 };
  const { at, added } = await addLeaves(run, { state, checkpoint }, tree);
  const whole = at?.state.tree;
  const published = at && whole?.whole === true ? await publishRoot(run, at, whole) : undefined;
  log('info', 'histories anchored', { added, size: whole?.size, root: published?.root });
  return { added, ...(published !== undefined && { published }) };
};
