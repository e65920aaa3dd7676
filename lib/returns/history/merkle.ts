import type { Return } from '../model/return.ts';
import { sha256 } from './sha256.ts';

/*
 * Merkle trees as those of Certificate Transparency: leaves and nodes are hashed with prefixes of their own, so that none
 * can be shown for the other, and no tree has the root of another size's.
 * https://www.rfc-editor.org/rfc/rfc9162#section-2.1
 */

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** The hash of a leaf, in hex. */
export const leafHash = (text: string): string => sha256([leafPrefix, text]);

const nodeHash = (left: string, right: string): string =>
  sha256([nodePrefix, Buffer.from(left, 'hex'), Buffer.from(right, 'hex')]);

/** The hashes of a tree, from those that it is built over up to its root. */
export type Tree = readonly (readonly string[])[];

/** One level above another. The last of an odd number has nobody to be paired with, and goes up as it is. */
const parentLevel = (level: readonly string[]): readonly string[] => {
  const next: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left = '', right] = level.slice(index, index + 2);
    next.push(right === undefined ? left : nodeHash(left, right));
  }
  return next;
};

/**
 * The tree over hashes: of leaves, or of trees that have 2^n leaves each, the last one as many or fewer. Over the roots of
 * such trees it has the root of the tree over all of their leaves.
 */
export const buildTree = (hashes: readonly string[]): Tree => {
  const levels = [hashes];
  for (let level = hashes; level.length > 1; levels.push(level)) level = parentLevel(level);
  return levels;
};

/** The root of a tree, in hex; that of no leaves is the hash of nothing. */
export const rootOf = (tree: Tree): string => tree.at(-1)?.[0] ?? sha256([]);

/**
 * The hashes that lead from one of those that a tree is built over to its root. Those within a tree and then those in the
 * tree over its root and others are together the proof in the whole.
 */
export const proofPath = (tree: Tree, index: number): readonly string[] =>
  tree.slice(0, -1).flatMap((level, height) => {
    const place = Math.floor(index / 2 ** height);
    const sibling = level[place % 2 === 0 ? place + 1 : place - 1];
    return sibling === undefined ? [] : [sibling];
  });

/** That a leaf is in its place in a tree of so many: the hashes that lead from it to the root. */
export type Inclusion = { readonly index: number; readonly size: number; readonly path: readonly string[] };

const sha256Hex = /^[0-9a-f]{64}$/;

/**
 * Whether a leaf is in a tree, by its root alone.
 * https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2
 */
export const isIncluded = (leaf: string, { index, size, path }: Inclusion, root: string): boolean => {
  if (![index, size].every(Number.isSafeInteger) || index < 0 || index >= size) return false;
  if (![leaf, root, ...path].every((hash) => sha256Hex.test(hash))) return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      // The last of an odd number went up as it was, as far as it did.
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash === root;
};

/** How far the history of a return was when it was anchored: a leaf of the tree. */
export type Leaf = { readonly returnId: string } & Pick<Return, 'version' | 'head'>;

export const hashOfLeaf = ({ returnId, version, head }: Leaf): string => leafHash(`${returnId} ${version} ${head}`);

/** The root of the tree over the heads of all histories, as it is published. */
export type Root = {
  /** When the tree was begun. */
  readonly at: string;
  /** It holds every return whose id is less, and no other: ids sort by when they were made. */
  readonly before: string;
  /** How many returns that is. */
  readonly size: number;
  readonly root: string;
  /** The root before, and how many of its returns this tree holds: the service removes none. */
  readonly earlier?: { readonly at: string; readonly size: number; readonly found: number };
};
