import {
  type ComparedLeaf,
  compareLeaf,
  headToFind,
  type LeafPair,
  pairLeaves,
} from '../../../domain/returns/history/compare-leaves.ts';
import { initialHash } from '../../../domain/returns/history/history.ts';
import type { Leaf } from '../../../domain/returns/history/merkle.ts';
import { type AnchoredTree, readLeaves } from '../../../store/anchors/anchors.ts';
import { readHeads, readUnshownRows } from '../../../store/anchors/anchored-rows.ts';
import type { Bounds } from '../../../store/engine/index-page.ts';
import type { Session } from '../../../store/engine/session.ts';

/** The members of a return or withdrawal that its leaf has. */
export type Anchored = Pick<Leaf, 'version' | 'head'>;

/** Anchors a history. An unreadable snapshot is anchored as unreadable, and its verification will report it. */
export const leafOf = (returnId: string, read: () => Anchored): Leaf => {
  try {
    const { version, head } = read();
    return { returnId, version, head };
  } catch {
    return { returnId, version: 0, head: initialHash };
  }
};

/** The compared leaves of a stretch. `end` is the id at which they end, if that is before the end of the stretch. */
type ComparedStretch = { readonly leaves: readonly ComparedLeaf[]; readonly end?: string };

/** Looks for histories that the list did not show, and returns the pairs with those that exist. */
const withUnshown = async (session: Session, pairs: readonly LeafPair[]) => {
  const unshown = pairs.flatMap(({ before, now }) => (before !== undefined && now === undefined ? [before] : []));
  const rows = await readUnshownRows(
    session,
    unshown.map(({ returnId }) => returnId),
  );
  return pairs.map(({ before, now }) => {
    const row = before && rows.get(before.returnId);
    if (before === undefined || now !== undefined || row === undefined) return { pair: { before, now } };
    return { pair: { before, now: leafOf(before.returnId, row.read) }, isHidden: row.isHidden };
  });
};

/**
 * Compares the histories of a stretch with those of the last tree. It reads one entry of each history that has grown, and
 * the row of each that the list did not show.
 *
 * @param now the histories of today in the stretch, the newest first
 */
export const compareStretch = async (
  session: Session,
  last: AnchoredTree | undefined,
  stretch: Required<Bounds>,
  now: readonly Leaf[],
): Promise<ComparedStretch> => {
  if (last === undefined) return { leaves: now.map((leaf) => ({ leaf, isKnown: false })) };
  const { leaves: before, isWhole, end } = await readLeaves(session, last, stretch);
  const current = end === undefined ? now : now.filter(({ returnId }) => returnId >= end);
  const pairs = await withUnshown(session, pairLeaves(before, current));
  const heads = await readHeads(
    session,
    pairs.flatMap(({ pair }) => headToFind(pair) ?? []),
  );
  const leaves = pairs.flatMap(({ pair, isHidden }) => {
    const hash = heads.get(pair.before?.returnId ?? '');
    const evidence = { hash, ...(isHidden !== undefined && { isHidden }) };
    return compareLeaf(pair, isWhole ? last : undefined, evidence) ?? [];
  });
  return { leaves, ...(end !== undefined && { end }) };
};
