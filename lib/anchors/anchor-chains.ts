import { initialHash } from '../returns/history/history.ts';
import {
  buildTree,
  isCovered,
  isWithdrawalId,
  type Leaf,
  type Root,
  rootOf,
  withdrawalIdLike,
} from '../returns/history/merkle.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { openRun, type Remaining, type Run } from '../schedules/run.ts';
import {
  anchorSchedule,
  type AnchorState,
  parseAnchorState,
  fanOut,
  storeRoot,
  putChunk,
  putPage,
} from '../store/anchors/anchors.ts';
import { type Checkpoint, prepareCursor, readCursor, writeCursor } from '../store/engine/checkpoint.ts';
import { anchorStream, scheduleKey } from '../store/engine/keys.ts';
import { transact } from '../store/engine/transact.ts';
import { writeUnlisted } from '../store/events/outbox.ts';
import type { Session } from '../store/engine/session.ts';
import { type Positioned, readNewestReturns, returnIdAt, type SnapshotPage } from '../store/returns/whole-returns.ts';
import { readNewestWithdrawals } from '../store/withdrawals/histories.ts';

/** Covers the lag of the index, and different clocks of id writers. */
const marginMs = 600_000;
/** The number of snapshots read at once from each partition of the index. */
const readSize = 64;
/** A run starts no page with less time left. */
const stretchMs = 15_000;

type OpenTree = NonNullable<AnchorState['tree']>;

/** The progress, and its checkpoint. */
type AnchorProgress = { readonly state: AnchorState; readonly checkpoint: Checkpoint };

/** The number of added leaves, and the published root. */
type AnchorResult = { readonly added: number; readonly published?: Root };

const dayOf = (instant: string): string => instant.slice(0, 10);

/** The open tree, or that of a new day; undefined when today's tree is complete. */
const openTree = ({ tree, last }: AnchorState, now: string): OpenTree | undefined => {
  if (tree !== undefined) return tree;
  if (last !== undefined && dayOf(now) <= dayOf(last.at)) return undefined;
  const before = returnIdAt(Date.parse(now) - marginMs);
  const position = withdrawalIdLike(before);
  return { at: now, before, position, size: 0, withdrawals: 0, found: 0, chunks: [], pages: [], whole: false };
};

/** The members of a return or withdrawal that its leaf has. */
type Anchored = Pick<Leaf, 'version' | 'head'>;

/** Reads the next histories of a tree: its withdrawals, then its returns, each the newest first. */
const readNext = async (session: Session, before: string, position: string): Promise<SnapshotPage<Anchored>> => {
  if (!isWithdrawalId(position)) {
    const { returns: items, ...page } = await readNewestReturns(session, { before: position }, readSize);
    return { ...page, items };
  }
  const page = await readNewestWithdrawals(session, { before: position }, readSize);
  return page.rest ? page : { ...page, last: before, rest: true };
};

/** Anchors a history. An unreadable snapshot is anchored as unreadable, and its verification will report it. */
const leafOf = ({ position, read }: Positioned<Anchored>): Leaf => {
  try {
    const { version, head } = read();
    return { returnId: position, version, head };
  } catch {
    return { returnId: position, version: 0, head: initialHash };
  }
};

/** The tree with one more page. */
const withPage = async (
  run: Run,
  { tree, last }: { tree: OpenTree; last: AnchorState['last'] },
  leaves: readonly Leaf[],
) => {
  const { at, chunks } = tree;
  const pages = [...tree.pages, await putPage(run.session, at, leaves)];
  const isFull = pages.length === fanOut;
  const known = last === undefined ? 0 : leaves.filter(({ returnId }) => isCovered(returnId, last)).length;
  const withdrawals = leaves.filter(({ returnId }) => isWithdrawalId(returnId)).length;
  return {
    ...tree,
    position: leaves.at(-1)?.returnId ?? tree.position,
    size: tree.size + leaves.length,
    withdrawals: tree.withdrawals + withdrawals,
    found: tree.found + known,
    chunks: isFull ? [...chunks, await putChunk(run.session, at, pages)] : chunks,
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

/** Adds leaves page by page until the time is over. An incomplete page is read again. */
const addLeaves = async (
  run: Run,
  from: AnchorProgress,
  begun: OpenTree,
): Promise<{ at: AnchorProgress | undefined; added: number }> => {
  let at: AnchorProgress | undefined = from;
  let tree = begun;
  let leaves: Leaf[] = [];
  let { position } = tree;
  const { last } = from.state;
  const put = async (page: readonly Leaf[]) => {
    tree = await withPage(run, { tree, last }, page);
  };
  while (at !== undefined && !tree.whole && Date.now() + stretchMs <= run.end) {
    const stretch = await readNext(run.session, tree.before, position);
    leaves.push(...stretch.items.map(leafOf));
    position = stretch.last ?? position;
    const pages = Math.floor(leaves.length / fanOut);
    for (let page = 0; page < pages; page += 1) await put(leaves.slice(page * fanOut, (page + 1) * fanOut));
    leaves = leaves.slice(pages * fanOut);
    if (!stretch.rest) {
      if (leaves.length > 0) await put(leaves);
      const rest = tree.pages.length === 0 ? [] : [await putChunk(run.session, tree.at, tree.pages)];
      tree = { ...tree, chunks: [...tree.chunks, ...rest], pages: [], whole: true };
    }
    if (pages > 0 || tree.whole) at = await saveProgress(run, at, { ...at.state, tree });
  }
  return { at, added: tree.size - begun.size };
};

/** Reports histories of the last tree that are missing: the service deletes no return and no withdrawal. */
const reportRemoved = ({ at, earlier }: Root): void => {
  const missing = earlier === undefined ? 0 : Math.max(0, earlier.size - earlier.found);
  if (missing > 0) log('error', 'histories missing', { at, since: earlier?.at, missing });
  count({ ChainBroken: missing });
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
  const { at, before, size, withdrawals, found, chunks } = tree;
  const root: Root = {
    at,
    before,
    size,
    withdrawals,
    root: rootOf(buildTree(chunks.map((chunk) => chunk.root))),
    ...(last !== undefined && { earlier: { at: last.at, size: last.size, found } }),
  };
  await storeRoot(run.session, root);
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
    JSON.stringify({ last: { ...root, chunks } } satisfies AnchorState),
  );
  const { written } = await transact(run.session, [write, ...writeUnlisted(anchorStream(at), domainEvent)]);
  if (!written) return undefined;
  reportRemoved(root);
  return root;
};

/**
 * Anchors the histories of all returns and withdrawals once a day. It builds a Merkle tree over their last entries, in as
 * many runs as needed, and publishes its root. The checkpoint moves page by page. The next run continues a run that
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
