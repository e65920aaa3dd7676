import {
  buildTree,
  hashOfLeaf,
  isCovered,
  type Leaf,
  proofPath,
  type Root,
  rootOf,
  type Tree,
} from '../../returns/history/merkle.ts';
import type { Proof } from '../../returns/history/verify-history.ts';
import { anchorsConfig } from '../../runtime/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { parseJson } from '../../runtime/json.ts';
import { readCursor } from '../engine/checkpoint.ts';
import { scheduleKey } from '../engine/keys.ts';
import { getObject, ObjectsUnavailable, putObject, putObjectOnce } from '../engine/objects.ts';
import type { Session } from '../engine/session.ts';

/*
 * The tree over the heads of all histories. Pages hold its leaves: the withdrawals, then the returns, each the newest
 * first. So their ids descend over the whole tree. Chunks hold its pages.
 * Page and chunk sizes are powers of two, so the root over their roots is the root over all leaves. Pages and chunks
 * serve proofs only: they share the bucket and the lifecycle of export files. The root is stored in a bucket with
 * Object Lock.
 */

export const anchorSchedule = 'anchor-chains';
/** The leaves of a page, and the pages of a chunk: a power of two. */
export const fanOut = 512;
const attemptMs = 3_000;

const config = configured(anchorsConfig);

/** A subtree: the id of its first leaf, and its root. */
export type Subtree = { readonly first: string; readonly root: string };

/** A tree whose root is published. */
export type AnchoredTree = Root & { readonly chunks: readonly Subtree[] };

/** The progress of today's tree, and the last published tree. */
export type AnchorState = {
  readonly tree?: {
    readonly at: string;
    readonly before: string;
    /** The last processed id. */
    readonly position: string;
    readonly size: number;
    /** How many of the leaves are withdrawals. */
    readonly withdrawals: number;
    /** How many histories of the last tree were found again. */
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

/**
 * Returns the index of the subtree with an id: the last one that does not begin below it, as the newest come first.
 */
const subtreeIndexOf = (parts: readonly { readonly first: string }[], id: string): number =>
  parts.findLastIndex(({ first }) => first >= id);

/** A page or chunk, and the tree over its items. */
type TreeObject<Item> = { readonly items: readonly Item[]; readonly tree: Tree };

/** Objects of trees never change, because their keys have their roots. A container keeps the last ones that it used. */
const cached = perContainer(() => new Map<string, TreeObject<unknown>>());
const maxCached = 4;

/** Reads a page or chunk, most efficiently in the order of the tree; undefined when it has expired. */
const readTreeObject = async <Item>(
  session: Session,
  location: ReturnType<typeof treeObjectLocation>,
  hashOf: (item: Item) => string,
): Promise<TreeObject<Item> | undefined> => {
  const { key } = location;
  const objects = cached();
  const known = objects.get(key) as TreeObject<Item> | undefined;
  const bytes = known === undefined ? await getObject(session, location) : undefined;
  const items = bytes && (parseJson(bytes.toString()) as readonly Item[]);
  const found = known ?? (Array.isArray(items) ? { items, tree: buildTree(items.map(hashOf)) } : undefined);
  if (found === undefined) return undefined;
  // The last used one comes last.
  objects.delete(key);
  objects.set(key, found);
  const [oldest] = objects.keys();
  if (objects.size > maxCached && oldest !== undefined) objects.delete(oldest);
  return found;
};

/**
 * Returns a function that finds proofs in the last tree, most efficiently in its order. It returns undefined for a
 * return or withdrawal that is younger than the tree, or whose page has expired.
 */
export const createProofFinder = (session: Session, tree: AnchoredTree) => {
  const { at, size, chunks } = tree;
  const whole = buildTree(chunks.map(({ root }) => root));
  const chunkOf = async (root: string) =>
    readTreeObject<Subtree>(session, treeObjectLocation(at, 'chunk', root), (page) => page.root);
  const pageOf = async (root: string) =>
    readTreeObject<Leaf>(session, treeObjectLocation(at, 'page', root), hashOfLeaf);
  return async (id: string): Promise<Proof | undefined> => {
    if (!isCovered(id, tree)) return undefined;
    const inWhole = subtreeIndexOf(chunks, id);
    const chunk = await chunkOf(chunks[inWhole]?.root ?? '');
    const inChunk = subtreeIndexOf(chunk?.items ?? [], id);
    const page = chunk && (await pageOf(chunk.items[inChunk]?.root ?? ''));
    const inPage = page?.items.findIndex(({ returnId }) => returnId === id) ?? -1;
    const leaf = page?.items[inPage];
    if (chunk === undefined || page === undefined || leaf === undefined) return undefined;
    const path = [...proofPath(page.tree, inPage), ...proofPath(chunk.tree, inChunk), ...proofPath(whole, inWhole)];
    return { at, ...leaf, index: (inWhole * fanOut + inChunk) * fanOut + inPage, size, path };
  };
};
