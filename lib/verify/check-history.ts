import type { KeyRing } from '../returns/history/mac.ts';
import type { Entry } from '../returns/history/entry.ts';
import { hashOfLeaf, isCovered, isIncluded, isWithdrawalId, type Root } from '../returns/history/merkle.ts';
import {
  type ChainedEntry,
  type ExportedHistory,
  type HistoryFailure,
  type StoredEntry,
  initialVerification,
  verifyEntries,
} from '../returns/history/verify-history.ts';
import type { WithdrawalEntry } from '../withdrawals/history/entry.ts';
import { withdrawalVerifier } from '../withdrawals/history/verify.ts';

/** An exported history of a return or of a withdrawal. */
export type AnyHistory = ExportedHistory<ChainedEntry>;

/** The failure of an export or of the data that it was made from. Each one shows tampering. */
export type ExportFailureName =
  | 'edited entry'
  | 'swapped entries'
  | 'removed entry'
  | 'removed tail'
  | 'removed return'
  | 'removed withdrawal'
  | 'rewritten chain';

export type ExportFailure = {
  readonly name: ExportFailureName;
  /** Absent for a missing return, of which only the position in the tree is known. */
  readonly returnId?: string;
  readonly sequence?: number;
  readonly detail: string;
};

/** The trust anchors of an export. Without keys, entries after the last root are unproven. */
export type TrustAnchors = { readonly roots: ReadonlyMap<string, Root>; readonly keys: KeyRing | undefined };

/** The result of one history, and the number of its entries that no root covers. */
export type HistoryCheck = {
  readonly fault?: ExportFailure;
  readonly unanchored: number;
  readonly leaf?: LeafPosition;
};

/** A position in a tree. */
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

/** Numbers the exported entries. A missing entry leaves a gap before the next one. */
const withSequences = <One extends ChainedEntry>(entries: readonly (One | null)[]): readonly StoredEntry<One>[] => {
  const sequences = new Set(entries.map((entry) => entry?.sequence));
  return entries.map((entry, index) => {
    const isGap = entry !== null && entry.sequence > index + 1 && !sequences.has(index + 1);
    return { sequence: isGap ? entry.sequence : index + 1, entry: entry ?? undefined };
  });
};

/**
 * Returns the failure of a history against an expected version and head.
 * An anchor or the return itself states these.
 */
const tailFailure = (
  { entries }: AnyHistory,
  { version, head }: Pick<AnyHistory, 'version' | 'head'>,
  by: string,
): Omit<ExportFailure, 'returnId'> | undefined => {
  if (entries.length < version)
    return { name: 'removed tail', sequence: entries.length + 1, detail: `There were ${version} entries by ${by}.` };
  // An unreadable return was anchored as unreadable.
  if (version > 0 && entries[version - 1]?.hash === head) return undefined;
  return { name: 'rewritten chain', sequence: version, detail: `It had another head by ${by}.` };
};

/** Returns the failure of the proof of a history, or of a missing proof. */
const anchorFailure = (history: AnyHistory, { roots }: TrustAnchors): Omit<ExportFailure, 'returnId'> | undefined => {
  const { returnId, proof } = history;
  if (proof === undefined) {
    const root = [...roots.values()].find((one) => isCovered(returnId, one));
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

/** Returns the failure of the entries of a history, by the rules of its kind. */
const entriesFailure = ({ returnId, entries }: AnyHistory, { keys }: TrustAnchors): HistoryFailure | undefined => {
  const against = { returnId, keys };
  return isWithdrawalId(returnId)
    ? withdrawalVerifier.verifyEntries(
        initialVerification,
        withSequences(entries as readonly (WithdrawalEntry | null)[]),
        against,
      ).fault
    : verifyEntries(initialVerification, withSequences(entries as readonly (Entry | null)[]), against).fault;
};

/** Checks one exported history against keys and roots. */
export const checkHistory = (history: AnyHistory, evidence: TrustAnchors): HistoryCheck => {
  const { returnId, entries, proof } = history;
  const failure = entriesFailure(history, evidence);
  const broken = failure && {
    name: failureNames[failure.code],
    sequence: failure.sequence,
    detail: failure.detail,
  };
  const fault = broken ?? anchorFailure(history, evidence) ?? tailFailure(history, history, 'the return');
  return {
    ...(fault !== undefined && { fault: { returnId, ...fault } }),
    ...(proof !== undefined && { leaf: { at: proof.at, index: proof.index } }),
    unanchored: Math.max(0, entries.length - (proof?.version ?? 0)),
  };
};

/** Checks the roots against each other. Each states the previous root and how many of its histories remain. */
export const rootFailures = (roots: readonly Root[]): readonly ExportFailure[] =>
  roots.flatMap(({ at, earlier }, index): ExportFailure[] => {
    const before = roots[index - 1];
    const missing = earlier === undefined ? 0 : earlier.size - earlier.found;
    const isNext = before === undefined || (before.at === earlier?.at && before.size === earlier.size);
    return [
      ...(isNext
        ? []
        : [{ name: 'rewritten chain' as const, detail: `The root of ${at} does not follow the one of ${before.at}.` }]),
      ...(missing > 0
        ? [
            {
              name: 'removed return' as const,
              detail: `${missing} of the root of ${earlier?.at} are not in that of ${at}.`,
            },
          ]
        : []),
    ];
  });
