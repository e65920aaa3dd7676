import type { Return } from '../model/return.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Entry } from './entry.ts';
import { fold } from './fold.ts';
import { entryHash, initialHash } from './history.ts';
import { type KeyRing, macFailure } from './mac.ts';
import { hashOfLeaf, type Inclusion, isIncluded, type Leaf } from './merkle.ts';

/** The proof that a history had this version and head when the tree of that time anchored it. */
export type Proof = Inclusion & Leaf & { readonly at: string };

/** The proof of a history in the last tree, and the published root of that tree. */
export type Anchor = { readonly proof: Proof; readonly root: string };

/** What links an entry of any history to the entry before. */
export type ChainedEntry = Pick<Entry, 'sequence' | 'at' | 'previousHash' | 'hash' | 'mac'>;

/** The fields of a return or withdrawal that its history determines. */
type FoldedState = { readonly id: string; readonly version: number };

/** An exported history. */
export type ExportedHistory<One extends ChainedEntry = Entry> = Leaf & {
  /** In order of their sequence; null for an entry that cannot be read. */
  readonly entries: readonly (One | null)[];
  /** Present for a history of the last tree. */
  readonly proof?: Proof;
};

/** The first failure in a history. */
export type HistoryFailure = {
  /** The sequence of the invalid entry or of the missing one. */
  readonly sequence: number;
  readonly code:
    | 'sequence_gap'
    | 'entries_swapped'
    | 'tail_removed'
    | 'return_removed'
    | 'hash_mismatch'
    | 'chain_broken'
    | 'chain_rewritten'
    | 'not_foldable'
    | 'snapshot_differs'
    | 'anchor_differs';
  readonly detail: string;
};

/** A stored entry with the sequence of its key. `entry` is undefined when it cannot be read. */
export type StoredEntry<One = Entry> = { readonly sequence: number; readonly entry: One | undefined };

/** A stored return or withdrawal. `state` is undefined when it cannot be read. */
export type StoredState<State = Return> = { readonly state?: State };

/** The verified part of a history, and the failure that ends it. */
export type Verification<State = Return> = {
  /** The number of valid entries from the start. */
  readonly entries: number;
  /** The hash of the last valid entry; 64 zeros before the first. */
  readonly head: string;
  /** The return or withdrawal that the valid entries fold to. */
  readonly state: State | undefined;
  readonly failure?: HistoryFailure;
};

export const initialVerification: Verification<never> = {
  entries: 0,
  head: initialHash,
  state: undefined,
};

/** What a kind of history adds to the rules of all histories. */
export type HistoryKind<One extends ChainedEntry, State extends FoldedState> = {
  readonly noun: 'return' | 'withdrawal';
  readonly fold: (state: State | undefined, entry: One) => State;
  /** Returns the failure of an entry between two states; undefined when the entry fits. */
  readonly entryFailure: (before: State | undefined, entry: One, after: State) => string | undefined;
};

/** The expected id and keys of a history, and its anchor. Without keys no MAC is checked. */
export type ExpectedHistory = {
  readonly returnId: string;
  readonly keys: KeyRing | undefined;
  readonly anchor?: Anchor | undefined;
};

/** Runs a check on entries that may have been tampered with; returns undefined when it throws. */
const tryOrUndefined = <Value>(run: () => Value): Value | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const failureAt = (sequence: number, code: HistoryFailure['code'], detail: string): HistoryFailure => ({
  sequence,
  code,
  detail,
});

/** Returns the failure of the MAC of an entry, or of a missing MAC; undefined when the entry is valid. */
const keyingFailure = ({ mac, hash }: ChainedEntry, { keys }: ExpectedHistory): string | undefined => {
  if (keys === undefined) return undefined;
  if (mac === undefined) return 'The entry has no MAC.';
  const checked = tryOrUndefined(() => ({ failure: macFailure(mac, hash, keys) }));
  return checked === undefined ? 'The MAC cannot be read.' : checked.failure;
};

/** Returns the detail of an entry that is not the head of its anchor; undefined for any other entry. */
const headFailure = ({ sequence, hash }: ChainedEntry, { anchor }: ExpectedHistory): string | undefined =>
  anchor?.proof.version === sequence && anchor.proof.head !== hash
    ? `It had another head by the root of ${anchor.proof.at}.`
    : undefined;

/** Verifies the next entry. The first failure stays. */
const verifyEntry = <One extends ChainedEntry, State extends FoldedState>(
  kind: HistoryKind<One, State>,
  verified: Verification<State>,
  { sequence, entry }: StoredEntry<One>,
  against: ExpectedHistory,
): Verification<State> => {
  const next = verified.entries + 1;
  const broken = (code: HistoryFailure['code'], detail: string) => ({
    ...verified,
    failure: failureAt(next, code, detail),
  });
  if (verified.failure !== undefined) return verified;
  if (sequence !== next) return broken('sequence_gap', `Entry ${next} was expected, but entry ${sequence} was found.`);
  if (entry === undefined) return broken('hash_mismatch', 'The entry cannot be read.');
  if (tryOrUndefined(() => entryHash(entry)) !== entry.hash)
    return broken('hash_mismatch', 'The hash does not match the entry.');
  if (entry.sequence !== next) return broken('entries_swapped', 'The entry belongs to another position.');
  if (entry.previousHash !== verified.head)
    return broken('chain_broken', 'The previous hash does not match the previous entry.');
  const keying = keyingFailure(entry, against);
  if (keying !== undefined) return broken('chain_rewritten', keying);
  const anchoring = headFailure(entry, against);
  if (anchoring !== undefined) return broken('anchor_differs', anchoring);
  const state = tryOrUndefined(() => kind.fold(verified.state, entry));
  if (state === undefined) return broken('not_foldable', 'The entry is not valid after the previous entries.');
  const misfit = kind.entryFailure(verified.state, entry, state);
  if (misfit !== undefined) return broken('not_foldable', misfit);
  if (state.id !== against.returnId) return broken('chain_rewritten', `The history belongs to another ${kind.noun}.`);
  return { entries: next, head: entry.hash, state };
};

/** Lists the names of the fields in which a stored state differs from its history, never their values. */
const differingFields = (folded: object, stored: object): string[] =>
  [...new Set([...Object.keys(folded), ...Object.keys(stored)])].filter((name) => {
    const field = (state: object) =>
      tryOrUndefined(() => canonicalJson({ field: (state as Record<string, unknown>)[name] }));
    return field(folded) === undefined || field(folded) !== field(stored);
  });

/** Returns the failure of a valid history that is shorter than its anchor, or whose anchor proves nothing. */
const anchorLoss = (entries: number, { proof, root }: Anchor): HistoryFailure | undefined => {
  const { version, at } = proof;
  if (!isIncluded(hashOfLeaf(proof), proof, root))
    return failureAt(1, 'anchor_differs', `Its proof does not lead to the root of ${at}.`);
  if (version === 0) return failureAt(1, 'anchor_differs', `It was unreadable by the root of ${at}.`);
  return entries < version
    ? failureAt(entries + 1, 'tail_removed', `There were ${version} entries by the root of ${at}.`)
    : undefined;
};

/** Compares a stored state, undefined when missing, with the fold of its history. */
const compareState = <State extends FoldedState>(
  noun: string,
  verified: Verification<State>,
  snapshot: StoredState<State> | undefined,
  anchor: Anchor | undefined,
): Verification<State> => {
  const { entries, state, failure } = verified;
  if (failure !== undefined) return verified;
  const broken = (sequence: number, code: HistoryFailure['code'], detail: string) => ({
    ...verified,
    failure: failureAt(sequence, code, detail),
  });
  if (state === undefined && snapshot === undefined)
    return broken(1, 'return_removed', `The ${noun} and its history are missing, but its anchor exists.`);
  if (state === undefined) return broken(1, 'tail_removed', `The ${noun} has no history.`);
  if (snapshot === undefined)
    return broken(entries, 'return_removed', `The ${noun} is missing, but its history exists.`);
  const { state: stored } = snapshot;
  if (stored === undefined) return broken(entries, 'snapshot_differs', `The stored ${noun} cannot be read.`);
  if (stored.version > entries) return broken(entries + 1, 'tail_removed', `The ${noun} is newer than its history.`);
  const loss = anchor && anchorLoss(entries, anchor);
  if (loss !== undefined) return broken(loss.sequence, loss.code, loss.detail);
  const fields = differingFields(state, stored);
  if (fields.length === 0) return verified;
  return broken(entries, 'snapshot_differs', `The stored ${noun} differs in ${fields.toSorted().join(', ')}.`);
};

/** The verification of one kind of history. */
export type HistoryVerifier<One extends ChainedEntry, State extends FoldedState> = {
  /** Verifies further entries, in order of their keys. Each must be complete, in sequence, chained, keyed and foldable. */
  readonly verifyEntries: (
    verified: Verification<State>,
    stored: readonly StoredEntry<One>[],
    against: ExpectedHistory,
  ) => Verification<State>;
  /** Compares the stored state, undefined when missing, with the fold of its history, and the history with its anchor. */
  readonly verifySnapshot: (
    verified: Verification<State>,
    snapshot: StoredState<State> | undefined,
    anchor?: Anchor,
  ) => Verification<State>;
};

/** Returns the verification of a kind of history. */
export const verifierOf = <One extends ChainedEntry, State extends FoldedState>(
  kind: HistoryKind<One, State>,
): HistoryVerifier<One, State> => ({
  verifyEntries: (verified, stored, against) =>
    stored.reduce((before, entry) => verifyEntry(kind, before, entry, against), verified),
  verifySnapshot: (verified, snapshot, anchor) => compareState(kind.noun, verified, snapshot, anchor),
});

/** Verifies the histories of returns. */
export const { verifyEntries, verifySnapshot }: HistoryVerifier<Entry, Return> = /* @__PURE__ */ verifierOf({
  noun: 'return',
  fold,
  entryFailure: (before, { from, to }, after) =>
    from === (before?.status ?? null) && to === after.status
      ? undefined
      : 'The status change of the entry does not match its event.',
});
