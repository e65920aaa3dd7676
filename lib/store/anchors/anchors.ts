import {
  buildTree,
  type Difference,
  isCovered,
  type Leaf,
  proofPath,
  type Root,
} from '../../domain/returns/history/merkle.ts';
import type { Anchor, Proof } from '../../domain/returns/history/verify-history.ts';
import { parseJson } from '../../runtime/json.ts';
import { readCursor } from '../engine/checkpoint.ts';
import type { Bounds } from '../engine/index-page.ts';
import { scheduleKey } from '../engine/keys.ts';
import { getObject, ObjectsUnavailable, putObjectOnce } from '../engine/objects.ts';
import type { Session } from '../engine/session.ts';
import { fanOut, jsonType, type Place, readersOf, rootLocation, type Subtree } from './tree-objects.ts';

/* The last tree over the heads of all histories: its root, its leaves and its proofs. */

export const anchorSchedule = 'anchor-chains';
/** A tree whose root is published. */
export type AnchoredTree = Root & Place & { readonly chunks: readonly Subtree[] };

/** The progress of today's tree, and the last published tree. */
export type AnchorState = {
  readonly tree?: Place & {
    readonly at: string;
    readonly before: string;
    /** The last processed id. */
    readonly position: string;
    readonly size: number;
    /** How many of the leaves are withdrawals. */
    readonly withdrawals: number;
    /** How many leaves of the last tree were compared. */
    readonly compared: number;
    /** How many of these histories were found again, unchanged or longer. */
    readonly found: number;
    /** The first differences to the last tree. */
    readonly differences: readonly Difference[];
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

/**
 * Stores a root in the bucket with Object Lock, if the deployment has one. A repeat does no harm.
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the root is stored, or the key holds another root
 */
export const storeRoot = async (session: Session, root: Root): Promise<void> => {
  const location = rootLocation(root.at);
  if (location === undefined) return;
  const bytes = Buffer.from(`${JSON.stringify(root)}\n`);
  if (await putObjectOnce(session, location, bytes, jsonType)) return;
  const stored = await getObject(session, location);
  if (stored?.equals(bytes) !== true) throw new ObjectsUnavailable('another root is in its place');
};

/**
 * Returns the index of the subtree with an id: the last one that does not begin below it, as the newest come first.
 */
const subtreeIndexOf = (parts: readonly { readonly first: string }[], id: string): number =>
  parts.findLastIndex(({ first }) => first >= id);

/** Returns the subtrees that may hold ids in bounds. The ids of a subtree are above the first one of the next. */
const subtreesWithin = (parts: readonly Subtree[], { from, before }: Required<Bounds>): readonly Subtree[] =>
  parts.filter(({ first }, index) => first >= from && (parts[index + 1]?.first ?? '') < before);

/** The leaves that are read at once. A range has more only where many histories were removed. */
const maxLeaves = 16 * fanOut;

/** The leaves of a range. `end` is the last id that was read, if more may follow. */
type Leaves = { readonly leaves: readonly Leaf[]; readonly isWhole: boolean; readonly end?: string };

/** Returns the leaves of a tree within bounds, the newest first. They are not whole if a page or chunk is missing. */
export const readLeaves = async (session: Session, tree: AnchoredTree, bounds: Required<Bounds>): Promise<Leaves> => {
  const { chunkOf, pageOf } = readersOf(session, tree);
  const leaves: Leaf[] = [];
  let isWhole = true;
  for (const { root } of subtreesWithin(tree.chunks, bounds)) {
    const chunk = await chunkOf(root);
    if (chunk === undefined) isWhole = false;
    for (const part of subtreesWithin(chunk?.items ?? [], bounds)) {
      const page = await pageOf(part.root);
      if (page === undefined) isWhole = false;
      leaves.push(...(page?.items ?? []).filter(({ returnId: id }) => id >= bounds.from && id < bounds.before));
      const end = leaves.at(-1)?.returnId;
      if (leaves.length >= maxLeaves && end !== undefined) return { leaves, isWhole, end };
    }
  }
  return { leaves, isWhole };
};

/**
 * Returns a function that finds proofs in the last tree, most efficiently in its order. It returns undefined for a
 * return or withdrawal that is younger than the tree, or whose page is missing.
 */
export const createProofFinder = (session: Session, tree: AnchoredTree) => {
  const { at, size, chunks } = tree;
  const whole = buildTree(chunks.map(({ root }) => root));
  const { chunkOf, pageOf } = readersOf(session, tree);
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

/** Returns the proof of a history in the last tree, and the root; undefined when no root covers it yet. */
export const readAnchor = async (session: Session, id: string): Promise<Anchor | undefined> => {
  const tree = await readAnchoredTree(session);
  const proof = tree && (await createProofFinder(session, tree)(id));
  return proof && { proof, root: tree.root };
};
