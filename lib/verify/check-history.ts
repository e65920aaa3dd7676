import type { KeyRing } from '../returns/history/mac.ts';
import { hashOfLeaf, isIncluded, type Root } from '../returns/history/merkle.ts';
import {
  type ExportedHistory,
  type HistoryFailure,
  type StoredEntry,
  initialVerification,
  verifyEntries,
} from '../returns/history/verify-history.ts';

/** What somebody did to an export, or to what it was made of. */
export type ExportFailureName =
  | 'edited entry'
  | 'swapped entries'
  | 'removed entry'
  | 'removed tail'
  | 'removed return'
  | 'rewritten chain';

export type ExportFailure = {
  readonly name: ExportFailureName;
  /** Absent where a return is gone: only its place in the tree is known. */
  readonly returnId?: string;
  readonly sequence?: number;
  readonly detail: string;
};

/** What an export is held against. Without keys, what is younger than the last root is not proven. */
export type TrustAnchors = { readonly roots: ReadonlyMap<string, Root>; readonly keys: KeyRing | undefined };

/** What became of one history; how many of its entries no root covers. */
export type HistoryCheck = {
  readonly fault?: ExportFailure;
  readonly unanchored: number;
  readonly leaf?: LeafPosition;
};

/** A place in a tree. */
type LeafPosition = { readonly at: string; readonly index: number };

const failureNames: Readonly<Record<HistoryFailure['code'], ExportFailureName>> = {
  hash_mismatch: 'edited entry',
  entries_swapped: 'swapped entries',
  sequence_gap: 'removed entry',
  tail_removed: 'removed tail',
  return_removed: 'removed return',
  chain_broken: 'rewritten chain',
  chain_rewritten: 'rewritten chain',
  not_foldable: 'rewritten chain',
  snapshot_differs: 'rewritten chain',
};

/** Entries at the places where they are exported; where the entry of a place is nowhere, the next one shows the gap. */
const withSequences = (entries: ExportedHistory['entries']): readonly StoredEntry[] => {
  const sequences = new Set(entries.map((entry) => entry?.sequence));
  return entries.map((entry, index) => {
    const isGap = entry !== null && entry.sequence > index + 1 && !sequences.has(index + 1);
    return { sequence: isGap ? entry.sequence : index + 1, entry: entry ?? undefined };
  });
};

/** What is wrong with a history up to where it was once, as an anchor or the return itself says it was. */
const tailFailure = (
  { entries }: ExportedHistory,
  { version, head }: Pick<ExportedHistory, 'version' | 'head'>,
  by: string,
): Omit<ExportFailure, 'returnId'> | undefined => {
  if (entries.length < version)
    return { name: 'removed tail', sequence: entries.length + 1, detail: `There were ${version} entries by ${by}.` };
  // A return that nobody could read was anchored as that.
  if (version > 0 && entries[version - 1]?.hash === head) return undefined;
  return { name: 'rewritten chain', sequence: version, detail: `It had another head by ${by}.` };
};

/** What is wrong with the proof of a history, or with the want of one. */
const anchorFailure = (
  history: ExportedHistory,
  { roots }: TrustAnchors,
): Omit<ExportFailure, 'returnId'> | undefined => {
  const { returnId, proof } = history;
  if (proof === undefined) {
    const root = [...roots.values()].find(({ before }) => returnId < before);
    const detail = 'There is no proof, though it is older than a root.';
    return root && { name: 'rewritten chain', detail };
  }
  const root = roots.get(proof.at);
  if (root === undefined)
    return { name: 'rewritten chain', detail: `Its proof is for a root of ${proof.at}, which is not among the roots.` };
  const isProven =
    proof.returnId === returnId && proof.size === root.size && isIncluded(hashOfLeaf(proof), proof, root.root);
  if (!isProven) return { name: 'rewritten chain', detail: `Its proof does not lead to the root of ${proof.at}.` };
  return tailFailure(history, proof, `the root of ${proof.at}`);
};

/** Checks one exported history against keys and roots. */
export const checkHistory = (history: ExportedHistory, evidence: TrustAnchors): HistoryCheck => {
  const { returnId, entries, proof } = history;
  const verified = verifyEntries(initialVerification, withSequences(entries), { returnId, keys: evidence.keys });
  const broken = verified.fault && {
    name: failureNames[verified.fault.code],
    sequence: verified.fault.sequence,
    detail: verified.fault.detail,
  };
  const fault = broken ?? anchorFailure(history, evidence) ?? tailFailure(history, history, 'the return');
  return {
    ...(fault !== undefined && { fault: { returnId, ...fault } }),
    ...(proof !== undefined && { leaf: { at: proof.at, index: proof.index } }),
    unanchored: Math.max(0, entries.length - (proof?.version ?? 0)),
  };
};

/** What roots say of each other: each knows the one before it, and how many of its returns are still there. */
export const rootFailures = (roots: readonly Root[]): readonly ExportFailure[] =>
  roots.flatMap(({ at, earlier }, index): ExportFailure[] => {
    const before = roots[index - 1];
    const gone = earlier === undefined ? 0 : earlier.size - earlier.found;
    const isNext = before === undefined || (before.at === earlier?.at && before.size === earlier.size);
    return [
      ...(isNext
        ? []
        : [{ name: 'rewritten chain' as const, detail: `The root of ${at} does not follow the one of ${before.at}.` }]),
      ...(gone > 0
        ? [
            {
              name: 'removed return' as const,
              detail: `${gone} of the root of ${earlier?.at} are not in that of ${at}.`,
            },
          ]
        : []),
    ];
  });
