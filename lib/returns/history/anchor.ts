import { leafHash } from './merkle.ts';
import type { Return } from '../model/return.ts';

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
