import { type DifferenceCode, type Difference, isCovered, type Leaf, type Root } from './merkle.ts';

/*
 * Compares the histories of today with the tree before. The version of a history never goes down, and a head that was
 * anchored stays in its chain. A tree keeps the leaf that today's history contradicts. So a history that differs from
 * one tree differs from all later ones too, until it is restored.
 */

/** A history in the tree before, and today. */
export type LeafPair = { readonly before?: Leaf | undefined; readonly now?: Leaf | undefined };

/** What the table holds of a history beside its leaf. */
export type Evidence = {
  /** The hash of the entry that the tree before has as the head; undefined when there is none. */
  readonly hash?: string | undefined;
  /** Whether lists do not show the history, though its row exists. */
  readonly isHidden?: boolean;
};

/** The leaf of a history in the new tree, and its difference to the tree before. */
export type ComparedLeaf = { readonly leaf: Leaf; readonly isKnown: boolean; readonly difference?: Difference };

/** Pairs the leaves of two trees by their ids, the newest first. */
export const pairLeaves = (before: readonly Leaf[], now: readonly Leaf[]): readonly LeafPair[] => {
  const [old, current] = [before, now].map((leaves) => new Map(leaves.map((leaf) => [leaf.returnId, leaf])));
  const ids = new Set([...before, ...now].map(({ returnId }) => returnId));
  return [...ids]
    .toSorted()
    .toReversed()
    .map((id) => ({ before: old?.get(id), now: current?.get(id) }));
};

/** Returns the leaf whose head must be in today's chain; undefined when no read can tell more. */
export const headToFind = ({ before, now }: LeafPair): Leaf | undefined =>
  before !== undefined && before.version > 0 && (now?.version ?? 0) > before.version ? before : undefined;

/** Returns how a history that both trees hold differs. */
const changeOf = (before: Leaf, now: Leaf, { hash, isHidden }: Evidence): DifferenceCode | undefined => {
  if (isHidden === true) return 'history_hidden';
  if (before.version > 0 && now.version === 0) return 'history_unreadable';
  if (now.version < before.version) return 'tail_removed';
  const head = now.version === before.version ? now.head : hash;
  // A history that was unreadable has no head to keep.
  return before.version === 0 || head === before.head ? undefined : 'chain_rewritten';
};

/**
 * Compares a history with the tree before.
 *
 * @param earlier the root of the tree before, if all of its leaves around the history are known
 */
export const compareLeaf = (
  { before, now }: LeafPair,
  earlier: Pick<Root, 'before'> | undefined,
  evidence: Evidence = {},
): ComparedLeaf | undefined => {
  const leaf = before ?? now;
  if (leaf === undefined) return undefined;
  const differs = (code: DifferenceCode): ComparedLeaf => ({
    leaf,
    isKnown: before !== undefined,
    difference: { returnId: leaf.returnId, code, version: before?.version ?? 0 },
  });
  if (now === undefined) return differs('history_removed');
  if (before === undefined) {
    const isAdded = earlier !== undefined && isCovered(now.returnId, earlier);
    return isAdded ? differs('history_added') : { leaf: now, isKnown: false };
  }
  const code = changeOf(before, now, evidence);
  return code === undefined ? { leaf: now, isKnown: true } : differs(code);
};
