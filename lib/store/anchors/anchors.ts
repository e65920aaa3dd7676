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
 * The tree over the heads of all histories. Its leaves are in pages, the newest returns first, and its pages in chunks, of
 * so many each that the root over their roots is the root over all leaves. Pages and chunks are for proofs alone: they lie
 * beside the files of exports and are forgotten as those are. The root is kept in a bucket that lets nobody delete it.
 */

export const anchorSchedule = 'anchor-chains';
/** Leaves of a page, and pages of a chunk: a power of two. */
export const fanOut = 512;
const attemptMs = 3_000;

const config = configured(anchorsConfig);

/** A part of a tree: the return that it begins with, and its root. */
export type Subtree = { readonly first: string; readonly root: string };

/** A tree whose root is published. */
export type AnchoredTree = Root & { readonly chunks: readonly Subtree[] };

/** How far the tree of the day is, and the last one that is done. */
export type AnchorState = {
  readonly tree?: {
    readonly at: string;
    readonly before: string;
    /** Behind which return it goes on. */
    readonly position: string;
    readonly size: number;
    /** How many of the returns of the last tree it has met. */
    readonly found: number;
    readonly chunks: readonly Subtree[];
    /** Of the chunk that is not full. */
    readonly pages: readonly Subtree[];
    /** All leaves are in it: what is left is to publish its root. */
    readonly whole: boolean;
  };
  readonly last?: AnchoredTree;
};

export const parseAnchorState = (cursor: string | undefined): AnchorState =>
  (parseJson(cursor ?? '') as AnchorState | undefined) ?? {};

/** The last tree whose root is published; undefined where there is none. */
export const readAnchoredTree = async (session: Session): Promise<AnchoredTree | undefined> =>
  parseAnchorState((await readCursor(session, scheduleKey(anchorSchedule))).cursor).last;

/** A time as it stands in a key. */
const timeInKey = (at: string): string => at.replaceAll(/[^0-9TZ]/g, '');

/** Two runs at once write pages of other roots: each has its own object. */
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
 * Keeps a root where nobody can delete it, if the deployment has such a bucket. Once more it is the same.
 *
 * @throws {ObjectsUnavailable} where it is not kept for certain, or another one is in its place
 */
export const storeRoot = async (session: Session, root: Root): Promise<void> => {
  const { rootsBucket } = config();
  if (rootsBucket === '') return;
  const place = { bucket: rootsBucket, key: `roots/${timeInKey(root.at)}.json`, attemptMs };
  const bytes = Buffer.from(`${JSON.stringify(root)}\n`);
  if (await putObjectOnce(session, place, bytes, json)) return;
  const kept = await getObject(session, place);
  if (kept?.equals(bytes) !== true) throw new ObjectsUnavailable('another root is in its place');
};

const readTreeObject = async <Item>(session: Session, at: string, kind: 'page' | 'chunk', root: string) => {
  const bytes = await getObject(session, treeObjectLocation(at, kind, root));
  return bytes === undefined ? undefined : (parseJson(bytes.toString()) as readonly Item[]);
};

/** The place of the part in which a return is: the last that does not begin below it, as the newest come first. */
const subtreeIndexOf = (parts: readonly { readonly first: string }[], returnId: string): number =>
  parts.findLastIndex(({ first }) => first >= returnId);

/** What was last read of one kind: a walk in the order of the tree reads each once. */
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
 * Finds proofs in the last tree, best in its order. Undefined for a return that is not in it: one that is younger, or whose
 * page is forgotten.
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
