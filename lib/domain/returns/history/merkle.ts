import type { Return } from '../model/return.ts';
import { sha256 } from './canonical-json.ts';

/*
 * Merkle trees as in Certificate Transparency. Leaves and nodes are hashed with different prefixes. So a leaf cannot
 * pass for a node, and trees of different sizes have different roots.
 * https://www.rfc-editor.org/rfc/rfc9162#section-2.1
 */

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** Returns the hash of a leaf, in hex. */
export const leafHash = (text: string): string => sha256([leafPrefix, text]);

const nodeHash = (left: string, right: string): string =>
  sha256([nodePrefix, Buffer.from(left, 'hex'), Buffer.from(right, 'hex')]);

/** The hashes of a tree by level, from its leaves to its root. */
export type Tree = readonly (readonly string[])[];

/** Builds the next level. The last hash of an odd number has no pair and moves up unchanged. */
const parentLevel = (level: readonly string[]): readonly string[] => {
  const next: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left = '', right] = level.slice(index, index + 2);
    next.push(right === undefined ? left : nodeHash(left, right));
  }
  return next;
};

/**
 * Builds a tree over hashes of leaves, or over roots of subtrees.
 * Each subtree must have 2^n leaves; the last one may have fewer. A tree over such roots has the same root as the tree
 * over all of their leaves.
 */
export const buildTree = (hashes: readonly string[]): Tree => {
  const levels = [hashes];
  for (let level = hashes; level.length > 1; levels.push(level)) level = parentLevel(level);
  return levels;
};

/** Returns the root of a tree, in hex. The root of an empty tree is the hash of nothing. */
export const rootOf = (tree: Tree): string => tree.at(-1)?.[0] ?? sha256([]);

/**
 * Returns the proof path from a hash at the base of a tree to its root.
 * Two paths form a proof in the whole tree: the path in a subtree, then the one over subtree roots.
 */
export const proofPath = (tree: Tree, index: number): readonly string[] =>
  tree.slice(0, -1).flatMap((level, height) => {
    const position = Math.floor(index / 2 ** height);
    const sibling = level[position % 2 === 0 ? position + 1 : position - 1];
    return sibling === undefined ? [] : [sibling];
  });

/** The proof that a leaf has this index in a tree of this size. `path` holds the hashes up to the root. */
export type Inclusion = { readonly index: number; readonly size: number; readonly path: readonly string[] };

const sha256Hex = /^[0-9a-f]{64}$/;

/** Returns whether a leaf is in a tree, by the root alone. https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2 */
export const isIncluded = (leaf: string, { index, size, path }: Inclusion, root: string): boolean => {
  if (![index, size].every(Number.isSafeInteger) || index < 0 || index >= size) return false;
  if (![leaf, root, ...path].every((hash) => sha256Hex.test(hash))) return false;
  let [position, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      // The last hash of an odd number moved up unchanged, over as many levels as needed.
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash === root;
};

/**
 * A leaf of the tree: the version and head of a history when it was anchored. `returnId` is the id of a return, or of a
 * withdrawal: published proofs have this name.
 */
export type Leaf = { readonly returnId: string } & Pick<Return, 'version' | 'head'>;

export const hashOfLeaf = ({ returnId, version, head }: Leaf): string => leafHash(`${returnId} ${version} ${head}`);

/** How a history differs from the tree before. */
export type DifferenceCode =
  | 'history_removed'
  | 'history_hidden'
  | 'history_unreadable'
  | 'history_added'
  | 'tail_removed'
  | 'chain_rewritten';

/** A history that differs from the tree before. Published differences have ids and codes only. */
export type Difference = {
  /** The id of the return or of the withdrawal. */
  readonly returnId: string;
  readonly code: DifferenceCode;
  /** The number of entries in the tree before; 0 for an added history. */
  readonly version: number;
};

/** The previous root, and how many of its histories were found again. The service deletes and shortens none. */
export type EarlierRoot = {
  readonly at: string;
  readonly size: number;
  readonly found: number;
  /** The number of histories that were not compared, because pages of the tree were missing. Absent when 0. */
  readonly uncompared?: number;
};

/** The published root of the tree over the heads of all histories. */
export type Root = {
  /** The time at which the tree was started. */
  readonly at: string;
  /** The tree holds exactly the returns with a lower id. Ids sort by creation time. */
  readonly before: string;
  /** The number of leaves: the withdrawals, then the returns, each the newest first. */
  readonly size: number;
  /** The number of withdrawals: those that are as old as the returns. */
  readonly withdrawals: number;
  readonly root: string;
  readonly earlier?: EarlierRoot;
  /** The first histories that differ from the tree before. Absent when there is none. */
  readonly differences?: readonly Difference[];
};

const withdrawalPrefix = 'wdr_';

/** Returns whether an id is that of a withdrawal. */
export const isWithdrawalId = (id: string): boolean => id.startsWith(withdrawalPrefix);

/** Returns the lowest id of a withdrawal that was created at the time of the lowest id of a return. */
export const withdrawalIdLike = (returnId: string): string =>
  `${withdrawalPrefix}${returnId.slice(returnId.indexOf('_') + 1)}`;

/** Returns whether a tree holds the history of an id, unless the history was made or deleted by force. */
export const isCovered = (id: string, { before }: Pick<Root, 'before'>): boolean =>
  id < (isWithdrawalId(id) ? withdrawalIdLike(before) : before);
