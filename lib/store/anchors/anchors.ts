import { hashOfLeaf, type Leaf, proofPath, type Root, rootOf, buildTree } from '../../returns/history/merkle.ts';
import type { Proof } from '../../returns/history/verify-history.ts';
import { anchorsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseJson } from '../../runtime/json.ts';
import { readCursor } from '../engine/checkpoint.ts';
import { scheduleKey } from '../engine/keys.ts';
import { getObject, ObjectsUnavailable, putObject, putObjectOnce } from '../engine/objects.ts';
import type { Session } from '../engine/session.ts';

/*
 * The tree over the heads of all histories. Pages hold its leaves, newest returns first, and chunks hold its pages.
 * Page and chunk sizes are powers of two, so the root over their roots is the root over all leaves. Pages and chunks
 * serve proofs only: they share the bucket and the lifecycle of export files. The root is stored in a bucket with
 * Object Lock.
 */

export const anchorSchedule = 'anchor-chains';
/** The leaves of a page, and the pages of a chunk: a power of two. */
export const fanOut = 512;
const attemptMs = 3_000;

const config = configured(anchorsConfig);

/** A subtree: its first return, and its root. */
export type Subtree = { readonly first: string; readonly root: string };

/** A tree whose root is published. */
export type AnchoredTree = Root & { readonly chunks: readonly Subtree[] };

/** The progress of today's tree, and the last published tree. */
export type AnchorState = {
  readonly tree?: {
    readonly at: string;
    readonly before: string;
    /** The last processed return. */
    readonly position: string;
    readonly size: number;
    /** How many returns of the last tree were found again. */
    readonly found: number;
    readonly chunks: readonly Subtree[];
    /** The pages of the incomplete chunk. */
    readonly pages: readonly Subtree[];
    /** All leaves are in the tree; only the root is not published yet. */
    readonly whole: boolean;
  };
  readonly last?: AnchoredTree;
};

export const parseAnchorState = (cursor: string | undefined): AnchorState =>
  (parseJson(cursor ?? '') as AnchorState | undefined) ?? {};

/** Returns the last tree whose root is published, or undefined. */
export const readAnchoredTree = async (session: Session): Promise<AnchoredTree | undefined> =>
  parseAnchorState((await readCursor(session, scheduleKey(anchorSchedule))).cursor).last;

/** Returns a time in the form of a key. */
const timeInKey = (at: string): string => at.replaceAll(/[^0-9TZ]/g, '');

/** Two concurrent runs write different roots, so each page has an object of its own. */
const treeObjectLocation = (at: string, kind: 'page' | 'chunk', root: string) => ({
  bucket: config().pagesBucket,
  key: `anchors/${timeInKey(at)}/${kind}-${root}`,
  attemptMs,
});

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const json = { 'content-type': 'application/json' };

/** Stores a page of leaves. @throws {ObjectsUnavailable} */
export const putPage = async (session: Session, at: string, leaves: readonly Leaf[]): Promise<Subtree> => {
  const root = rootOf(buildTree(leaves.map(hashOfLeaf)));
  await putObject(session, treeObjectLocation(at, 'page', root), bytesOf(leaves), json);
  return { first: leaves[0]?.returnId ?? '', root };
};

/** Stores a chunk of pages. @throws {ObjectsUnavailable} */
export const putChunk = async (session: Session, at: string, pages: readonly Subtree[]): Promise<Subtree> => {
  const root = rootOf(buildTree(pages.map((page) => page.root)));
  await putObject(session, treeObjectLocation(at, 'chunk', root), bytesOf(pages), json);
  return { first: pages[0]?.first ?? '', root };
};

/**
 * Stores a root in the bucket with Object Lock, if the deployment has one. A repeat does no harm.
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the root is stored, or the key holds another root
 */
export const storeRoot = async (session: Session, root: Root): Promise<void> => {
  const { rootsBucket } = config();
  if (rootsBucket === '') return;
  const location = { bucket: rootsBucket, key: `roots/${timeInKey(root.at)}.json`, attemptMs };
  const bytes = Buffer.from(`${JSON.stringify(root)}\n`);
  if (await putObjectOnce(session, location, bytes, json)) return;
  const stored = await getObject(session, location);
  if (stored?.equals(bytes) !== true) throw new ObjectsUnavailable('another root is in its place');
};

const readTreeObject = async <Item>(session: Session, at: string, kind: 'page' | 'chunk', root: string) => {
  const bytes = await getObject(session, treeObjectLocation(at, kind, root));
  return bytes === undefined ? undefined : (parseJson(bytes.toString()) as readonly Item[]);
};

/**
 * Returns the index of the subtree with a return: the last one that does not begin below it, as the newest come first.
 */
const subtreeIndexOf = (parts: readonly { readonly first: string }[], returnId: string): number =>
  parts.findLastIndex(({ first }) => first >= returnId);

/** Caches the last read object of one kind. A caller that follows the order of the tree reads each object once. */
const cacheLast = <Value>(read: (root: string) => Promise<Value>) => {
  let last: { readonly root: string; readonly value: Promise<Value> } | undefined;
  return async (root: string): Promise<Value> => {
    if (last?.root !== root) last = { root, value: read(root) };
    return last.value;
  };
};

const withTree = <Item>(items: readonly Item[] | undefined, hashes: (items: readonly Item[]) => readonly string[]) =>
  items && { items, tree: buildTree(hashes(items)) };

/**
 * Returns a function that finds proofs in the last tree, most efficiently in its order. It returns undefined for a
 * return that is younger than the tree, or whose page has expired.
 */
export const createProofFinder = (session: Session, { at, before, size, chunks }: AnchoredTree) => {
  const whole = buildTree(chunks.map(({ root }) => root));
  const chunkOf = cacheLast(async (root) =>
    withTree(await readTreeObject<Subtree>(session, at, 'chunk', root), (pages) => pages.map((page) => page.root)),
  );
  const pageOf = cacheLast(async (root) =>
    withTree(await readTreeObject<Leaf>(session, at, 'page', root), (leaves) => leaves.map(hashOfLeaf)),
  );
  return async (returnId: string): Promise<Proof | undefined> => {
    if (returnId >= before) return undefined;
    const inWhole = subtreeIndexOf(chunks, returnId);
    const chunk = await chunkOf(chunks[inWhole]?.root ?? '');
    const inChunk = subtreeIndexOf(chunk?.items ?? [], returnId);
    const page = chunk && (await pageOf(chunk.items[inChunk]?.root ?? ''));
    const inPage = page?.items.findIndex((leaf) => leaf.returnId === returnId) ?? -1;
    const leaf = page?.items[inPage];
    if (chunk === undefined || page === undefined || leaf === undefined) return undefined;
    const path = [...proofPath(page.tree, inPage), ...proofPath(chunk.tree, inChunk), ...proofPath(whole, inWhole)];
    return { at, ...leaf, index: (inWhole * fanOut + inChunk) * fanOut + inPage, size, path };
  };
};
