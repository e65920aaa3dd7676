import { buildTree, hashOfLeaf, type Leaf, rootOf, type Tree } from '../../domain/returns/history/merkle.ts';
import { anchorsConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { parseJson } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';
import { getObject, type ObjectLocation, putObjectOnce } from '../engine/objects.ts';
import type { Session } from '../engine/session.ts';

/*
 * The tree over the heads of all histories. Pages hold its leaves: the withdrawals, then the returns, each the newest
 * first. So their ids descend over the whole tree. Chunks hold its pages.
 * Page and chunk sizes are powers of two, so the root over their roots is the root over all leaves. Trees and roots are
 * stored in a bucket with Object Lock. Without it, trees share the bucket and the lifecycle of export files. They hold
 * ids and hashes only.
 */

/** The leaves of a page, and the pages of a chunk: a power of two. */
export const fanOut = 512;
const attemptMs = 3_000;

const config = configured(anchorsConfig);

/** A subtree: the id of its first leaf, and its root. */
export type Subtree = { readonly first: string; readonly root: string };

/** Whether the objects of a tree are in the bucket with Object Lock. */
export type Place = { readonly isLocked?: boolean };

/** Returns whether new trees are stored in the bucket with Object Lock. */
export const locksTrees = (): boolean => config().rootsBucket !== '';

/** Returns a time in the form of a key. */
const timeInKey = (at: string): string => at.replaceAll(/[^0-9TZ]/g, '');

/** Returns the location of a root; undefined when the deployment has no bucket with Object Lock. */
export const rootLocation = (at: string): ObjectLocation | undefined =>
  locksTrees() ? { bucket: config().rootsBucket, key: `roots/${timeInKey(at)}.json`, attemptMs } : undefined;

/** A tree, as far as its objects have its name: two runs may write different ones at a time, so each has its root. */
type TreeName = Place & { readonly at: string };

const treeObjectLocation = ({ at, isLocked }: TreeName, kind: 'page' | 'chunk' | 'tree', root: string) => {
  const { rootsBucket, pagesBucket } = config();
  const name = `${timeInKey(at)}/${kind}-${root}`;
  return isLocked === true
    ? { bucket: rootsBucket, key: `trees/${name}`, attemptMs }
    : { bucket: pagesBucket, key: `anchors/${name}`, attemptMs };
};

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
export const jsonType = { 'content-type': 'application/json' };

/** Stores an object whose key has its content. A repeat adds no version to a locked bucket. */
const putTreeObject = async (session: Session, location: ObjectLocation, value: unknown): Promise<void> =>
  void (await putObjectOnce(session, location, bytesOf(value), jsonType));

/** Stores a page of leaves. @throws {ObjectsUnavailable} */
export const putPage = async (session: Session, tree: TreeName, leaves: readonly Leaf[]): Promise<Subtree> => {
  const root = rootOf(buildTree(leaves.map(hashOfLeaf)));
  await putTreeObject(session, treeObjectLocation(tree, 'page', root), leaves);
  return { first: leaves[0]?.returnId ?? '', root };
};

const putSubtrees = async (
  session: Session,
  tree: TreeName,
  kind: 'chunk' | 'tree',
  parts: readonly Subtree[],
): Promise<Subtree> => {
  const root = rootOf(buildTree(parts.map((part) => part.root)));
  await putTreeObject(session, treeObjectLocation(tree, kind, root), parts);
  return { first: parts[0]?.first ?? '', root };
};

/** Stores a chunk of pages. @throws {ObjectsUnavailable} */
export const putChunk = async (session: Session, tree: TreeName, pages: readonly Subtree[]): Promise<Subtree> =>
  putSubtrees(session, tree, 'chunk', pages);

/** Stores the chunks of a whole tree, which lead from its root to its leaves. @throws {ObjectsUnavailable} */
export const putTree = async (session: Session, tree: TreeName, chunks: readonly Subtree[]): Promise<string> =>
  (await putSubtrees(session, tree, 'tree', chunks)).root;

/** A page or chunk, and the tree over its items. */
type TreeObject<Item> = { readonly items: readonly Item[]; readonly tree: Tree };

/** Objects of trees never change, because their keys have their roots. A container keeps the last ones that it used. */
const cached = perContainer(() => new Map<string, TreeObject<unknown>>());
const maxCached = 4;

/**
 * Reads a page or chunk, most efficiently in the order of the tree; undefined when it is missing. An object that does not
 * lead to its root is as good as missing.
 */
const readTreeObject = async <Item>(
  session: Session,
  location: ReturnType<typeof treeObjectLocation>,
  root: string,
  hashOf: (item: Item) => string,
): Promise<TreeObject<Item> | undefined> => {
  const { bucket, key } = location;
  if (bucket === '' || root === '') return undefined;
  const objects = cached();
  const known = objects.get(key) as TreeObject<Item> | undefined;
  const bytes = known === undefined ? await getObject(session, location) : undefined;
  const items = bytes && (parseJson(bytes.toString()) as readonly Item[]);
  const found = known ?? (Array.isArray(items) ? { items, tree: buildTree(items.map(hashOf)) } : undefined);
  if (found === undefined || rootOf(found.tree) !== root) {
    log('warn', 'part of a tree missing', { key });
    return undefined;
  }
  // The last used one comes last.
  objects.delete(key);
  objects.set(key, found);
  const [oldest] = objects.keys();
  if (objects.size > maxCached && oldest !== undefined) objects.delete(oldest);
  return found;
};

/** Returns the readers of the objects of a tree by their roots. */
export const readersOf = (session: Session, tree: TreeName) => ({
  chunkOf: async (root: string) =>
    readTreeObject<Subtree>(session, treeObjectLocation(tree, 'chunk', root), root, (page) => page.root),
  pageOf: async (root: string) =>
    readTreeObject<Leaf>(session, treeObjectLocation(tree, 'page', root), root, hashOfLeaf),
});
