import type { KeyRing } from '../../domain/returns/history/mac.ts';
import type { Entry } from '../../domain/returns/history/entry.ts';
import {
  type DifferenceCode,
  hashOfLeaf,
  isCovered,
  isIncluded,
  isWithdrawalId,
  type Leaf,
  type Root,
} from '../../domain/returns/history/merkle.ts';
import {
  type ChainedEntry,
  type ExportedHistory,
  type HistoryFailure,
  type StoredEntry,
  initialVerification,
  verifyEntries,
} from '../../domain/returns/history/verify-history.ts';
import type { WithdrawalEntry } from '../../domain/withdrawals/history/entry.ts';
import { withdrawalVerifier } from '../../domain/withdrawals/history/verify.ts';

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
  | 'added return'
  | 'added withdrawal'
  | 'missing tree'
  | 'rewritten chain';

export type ExportFailure = {
  readonly name: ExportFailureName;
  /** Absent for a missing return, of which only the position in the tree is known. */
  readonly returnId?: string;
  readonly sequence?: number;
  readonly detail: string;
};

/**
 * The trust anchors of an export. Without keys, entries after the last root are unproven. Without trees, only the last
 * root and what the roots say of each other prove entries.
 */
export type TrustAnchors = {
  readonly roots: ReadonlyMap<string, Root>;
  readonly keys: KeyRing | undefined;
  /** The leaves of all trees, by the id of the history. */
  readonly leaves?: ReadonlyMap<string, readonly (Leaf & { readonly at: string })[]> | undefined;
};

/** The result of one history, and the number of its entries that no root covers. */
export type HistoryCheck = {
  readonly failure?: ExportFailure;
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
  anchor_differs: 'rewritten chain',
};

const nounOf = (id: string) => (isWithdrawalId(id) ? 'withdrawal' : 'return');

/** What a root says of a history that differs from the tree before. */
const differences: Readonly<
  Record<DifferenceCode, { readonly name: (id: string) => ExportFailureName; readonly detail: string }>
> = {
  history_removed: { name: (id) => `removed ${nounOf(id)}`, detail: 'It was missing' },
  history_hidden: { name: (id) => `removed ${nounOf(id)}`, detail: 'It was missing in the lists' },
  history_unreadable: { name: () => 'rewritten chain', detail: 'It was unreadable' },
  history_added: { name: (id) => `added ${nounOf(id)}`, detail: 'It was new, though its id is older' },
  tail_removed: { name: () => 'removed tail', detail: 'It was shorter' },
  chain_rewritten: { name: () => 'rewritten chain', detail: 'It had another chain' },
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
  { returnId, entries }: AnyHistory,
  { version, head }: Pick<AnyHistory, 'version' | 'head'>,
  by: string,
): Omit<ExportFailure, 'returnId'> | undefined => {
  if (entries.length === 0)
    return { name: `removed ${nounOf(returnId)}`, detail: `There were ${version} entries by ${by}.` };
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
    const root = [...roots.values()].find((candidate) => isCovered(returnId, candidate));
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
      ).failure
    : verifyEntries(initialVerification, withSequences(entries as readonly (Entry | null)[]), against).failure;
};

/**
 * Returns the failure of a history against the leaves of all trees up to that of its proof. A later tree may be younger
 * than the export. An unreadable history was anchored without a head.
 */
const leafFailure = (history: AnyHistory, { leaves }: TrustAnchors): Omit<ExportFailure, 'returnId'> | undefined => {
  const { returnId, proof } = history;
  const held = leaves?.get(returnId)?.filter(({ version, at }) => version > 0 && at <= (proof?.at ?? ''));
  return held
    ?.map((leaf) => tailFailure(history, leaf, `the root of ${leaf.at}`))
    .find((failure) => failure !== undefined);
};

/** Checks one exported history against keys, roots and trees. */
export const checkHistory = (history: AnyHistory, evidence: TrustAnchors): HistoryCheck => {
  const { returnId, entries, proof } = history;
  const entryFailure = entriesFailure(history, evidence);
  const broken = entryFailure && {
    name: failureNames[entryFailure.code],
    sequence: entryFailure.sequence,
    detail: entryFailure.detail,
  };
  const failure =
    broken ??
    anchorFailure(history, evidence) ??
    leafFailure(history, evidence) ??
    tailFailure(history, history, 'the return');
  return {
    ...(failure !== undefined && { failure: { returnId, ...failure } }),
    ...(proof !== undefined && { leaf: { at: proof.at, index: proof.index } }),
    unanchored: Math.max(0, entries.length - (proof?.version ?? 0)),
  };
};

/** Returns what a root says of the tree before: each history that differs, and how many are not named. */
const differenceFailures = ({ at, earlier, differences: named = [] }: Root): readonly ExportFailure[] => {
  const by = `in the tree of ${at}, and not in that of ${earlier?.at}`;
  const failures = named.map(({ returnId, code, version }): ExportFailure => {
    const { name, detail } = differences[code];
    return { name: name(returnId), returnId, ...(version > 0 && { sequence: version }), detail: `${detail} ${by}.` };
  });
  const { size = 0, found = 0, uncompared = 0 } = earlier ?? {};
  const unnamed = size - found - uncompared - named.filter(({ code }) => code !== 'history_added').length;
  return [
    ...failures,
    ...(unnamed > 0
      ? [
          {
            name: 'removed return' as const,
            detail: `${unnamed} more of the root of ${earlier?.at} differ in that of ${at}.`,
          },
        ]
      : []),
    ...(uncompared > 0
      ? [
          {
            name: 'missing tree' as const,
            detail: `${uncompared} of the root of ${earlier?.at} were not compared in that of ${at}.`,
          },
        ]
      : []),
  ];
};

/**
 * Checks the roots against each other. Each states the previous root, and the histories that differ from it. A history
 * differs in all later roots until it is restored: its first one counts.
 */
export const rootFailures = (roots: readonly Root[]): readonly ExportFailure[] => {
  const named = new Set<string>();
  const isNew = ({ name, returnId }: ExportFailure): boolean => {
    if (returnId === undefined) return true;
    const key = `${name} ${returnId}`;
    const isKnown = named.has(key);
    named.add(key);
    return !isKnown;
  };
  return roots.flatMap((root, index): readonly ExportFailure[] => {
    const { at, earlier } = root;
    const before = roots[index - 1];
    const isNext = before === undefined || (before.at === earlier?.at && before.size === earlier.size);
    const detail = `The root of ${at} does not follow the one of ${before?.at}.`;
    return [
      ...(isNext ? [] : [{ name: 'rewritten chain' as const, detail }]),
      ...differenceFailures(root).filter(isNew),
    ];
  });
};
