import { origin } from '../returns/history/history.ts';
import { type Leaf, type Root, rootOf, treeOver } from '../returns/history/merkle.ts';
import { log } from '../runtime/log.ts';
import { count } from '../schedules/metrics.ts';
import { openRun, type Remaining, type Run } from '../schedules/run.ts';
import {
  anchorSchedule,
  type AnchorState,
  anchorStateIn,
  fanOut,
  keepRoot,
  putChunk,
  putPage,
} from '../store/anchors/anchors.ts';
import { type Checkpoint, cursorWrite, readCursor, writeCursor } from '../store/engine/checkpoint.ts';
import { anchorPlace, scheduleKey } from '../store/engine/keys.ts';
import { transact } from '../store/engine/transact.ts';
import { writeUnlisted } from '../store/events/outbox.ts';
import { idAt, readNewest, type Walked } from '../store/returns/whole-returns.ts';

/** An index is a little behind, and clocks of those who make ids are apart. */
const marginMs = 600_000;
/** So many returns are read at a time of each partition of the index. */
const readSize = 64;
/** No stretch is read with less. */
const stretchMs = 15_000;

type Tree = NonNullable<AnchorState['tree']>;

/** How far all is, and what is written of that. */
type At = { readonly state: AnchorState; readonly checkpoint: Checkpoint };

/** How many leaves a run has added, and the root that it has published. */
type Anchored = { readonly added: number; readonly published?: Root };

const dayOf = (instant: string): string => instant.slice(0, 10);

/** The tree that is open, or that of a new day; undefined where today's is done. */
const treeOf = ({ tree, last }: AnchorState, now: string): Tree | undefined => {
  if (tree !== undefined) return tree;
  if (last !== undefined && dayOf(now) <= dayOf(last.at)) return undefined;
  const before = idAt(Date.parse(now) - marginMs);
  return { at: now, before, position: before, size: 0, found: 0, chunks: [], pages: [], whole: false };
};

/** A return that nobody can read is anchored as that: it ends nothing, and its history is found broken. */
const leafOf = ({ position, read }: Walked): Leaf => {
  try {
    const { version, head } = read();
    return { returnId: position, version, head };
  } catch {
    return { returnId: position, version: 0, head: origin };
  }
};

/** The tree with one more page. */
const withPage = async (
  run: Run,
  { tree, last }: { tree: Tree; last: AnchorState['last'] },
  leaves: readonly Leaf[],
) => {
  const { at, chunks } = tree;
  const pages = [...tree.pages, await putPage(run.session, at, leaves)];
  const isFull = pages.length === fanOut;
  const known = last === undefined ? 0 : leaves.filter(({ returnId }) => returnId < last.before).length;
  return {
    ...tree,
    position: leaves.at(-1)?.returnId ?? tree.position,
    size: tree.size + leaves.length,
    found: tree.found + known,
    chunks: isFull ? [...chunks, await putChunk(run.session, at, pages)] : chunks,
    pages: isFull ? [] : pages,
  };
};

/** Writes how far all is; undefined where another run was faster. */
const save = async (run: Run, { checkpoint }: At, state: AnchorState): Promise<At | undefined> => {
  const next = await writeCursor(run.session, scheduleKey(anchorSchedule), checkpoint, JSON.stringify(state));
  return next && { state, checkpoint: next };
};

/** Adds leaves to the tree as long as there is time, a page at a time. What does not fill a page is read again. */
const grow = async (run: Run, from: At, begun: Tree): Promise<{ at: At | undefined; added: number }> => {
  let at: At | undefined = from;
  let tree = begun;
  let leaves: Leaf[] = [];
  let { position } = tree;
  const { last } = from.state;
  const put = async (page: readonly Leaf[]) => {
    tree = await withPage(run, { tree, last }, page);
  };
  while (at !== undefined && !tree.whole && Date.now() + stretchMs <= run.end) {
    const stretch = await readNewest(run.session, { before: position }, readSize);
    leaves.push(...stretch.returns.map(leafOf));
    position = stretch.last ?? position;
    const pages = Math.floor(leaves.length / fanOut);
    for (let page = 0; page < pages; page += 1) await put(leaves.slice(page * fanOut, (page + 1) * fanOut));
    leaves = leaves.slice(pages * fanOut);
    if (!stretch.rest) {
      if (leaves.length > 0) await put(leaves);
      const rest = tree.pages.length === 0 ? [] : [await putChunk(run.session, tree.at, tree.pages)];
      tree = { ...tree, chunks: [...tree.chunks, ...rest], pages: [], whole: true };
    }
    if (pages > 0 || tree.whole) at = await save(run, at, { ...at.state, tree });
  }
  return { at, added: tree.size - begun.size };
};

/** Says what is gone of the last tree: the service removes no return. */
const report = ({ at, earlier }: Root): void => {
  const gone = earlier === undefined ? 0 : Math.max(0, earlier.size - earlier.found);
  if (gone > 0) log('error', 'returns gone', { at, since: earlier?.at, gone });
  count({ ChainBroken: gone });
};

/** Publishes the root of a tree that is whole: in its bucket, and as an event in the transaction that ends the tree. */
const publish = async (run: Run, { state, checkpoint }: At, tree: Tree): Promise<Root | undefined> => {
  const { last } = state;
  const { at, before, size, found, chunks } = tree;
  const root: Root = {
    at,
    before,
    size,
    root: rootOf(treeOver(chunks.map((chunk) => chunk.root))),
    ...(last !== undefined && { earlier: { at: last.at, size: last.size, found } }),
  };
  await keepRoot(run.session, root);
  const { caller, causationId, traceId } = run.call('returns:read');
  const happening = {
    sequence: 1,
    type: 'history.anchored',
    at: run.now,
    actor: { clientId: caller.clientId },
    data: root,
    causationId,
    correlationId: traceId,
  };
  const { write } = cursorWrite(
    scheduleKey(anchorSchedule),
    checkpoint,
    JSON.stringify({ last: { ...root, chunks } } satisfies AnchorState),
  );
  const { written } = await transact(run.session, [write, ...writeUnlisted(anchorPlace(at), happening)]);
  if (!written) return undefined;
  report(root);
  return root;
};

/**
 * Anchors the histories of all returns once a day: builds a Merkle tree over their heads, page by page in as many runs as
 * it takes, and publishes its root. What it has done is written down page by page: a run that dies is continued, and of two
 * at once one gives way.
 *
 * @throws what the store and the buckets throw; the next run goes on
 */
export const anchorChains = async (_event: unknown, context: Remaining): Promise<Anchored> => {
  using run = openRun(anchorSchedule, context);
  const checkpoint = await readCursor(run.session, scheduleKey(anchorSchedule));
  const state = anchorStateIn(checkpoint.cursor);
  const tree = treeOf(state, run.now);
  if (tree === undefined) return { added: 0 };
  const { at, added } = await grow(run, { state, checkpoint }, tree);
  const whole = at?.state.tree;
  const published = at && whole?.whole === true ? await publish(run, at, whole) : undefined;
  log('info', 'histories anchored', { added, size: whole?.size, root: published?.root });
  return { added, ...(published !== undefined && { published }) };
};
