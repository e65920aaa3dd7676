import type { Leaf } from './anchor.ts';
import type { Entry } from './entry.ts';
import type { Inclusion } from './merkle.ts';

/** That a history was so far when all were anchored: in the tree that was begun at that time. */
export type Proof = Inclusion & Leaf & { readonly at: string };

/** A history as it is exported. */
export type ExportedHistory = Leaf & {
  /** In the order of their places; null where nobody can read one. */
  readonly entries: readonly (Entry | null)[];
  /** For a return of the last tree. */
  readonly proof?: Proof;
};
