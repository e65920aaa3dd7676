import type { Return } from '../model/return.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Entry } from './entry.ts';
import { fold } from './fold.ts';
import { entryHash, initialHash } from './history.ts';
import { type KeyRing, macFailure, isMacOptional } from './mac.ts';
import type { Inclusion, Leaf } from './merkle.ts';

/** The proof that a history had this version and head when the tree of that time anchored it. */
export type Proof = Inclusion & Leaf & { readonly at: string };

/** An exported history. */
export type ExportedHistory = Leaf & {
  /** In order of their sequence; null for an entry that cannot be read. */
  readonly entries: readonly (Entry | null)[];
  /** Present for a return of the last tree. */
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
    | 'snapshot_differs';
  readonly detail: string;
};

/** A stored entry with the sequence of its key. `entry` is undefined when it cannot be read. */
export type StoredEntry = { readonly sequence: number; readonly entry: Entry | undefined };

/** A stored return. `state` is undefined when it cannot be read. */
export type StoredReturn = { readonly state?: Return };

/** The verified part of a history, and the failure that ends it. */
export type Verification = {
  /** The number of valid entries from the start. */
  readonly entries: number;
  /** The hash of the last valid entry; 64 zeros before the first. */
  readonly head: string;
  /** How many of the valid entries are older than the keys and have no MAC. */
  readonly notKeyed: number;
  /** The return that the valid entries fold to. */
  readonly state: Return | undefined;
  readonly fault?: HistoryFailure;
};

export const initialVerification: Verification = { entries: 0, head: initialHash, notKeyed: 0, state: undefined };

/** The expected return id and keys of a history. Without keys no MAC is checked. */
export type ExpectedHistory = { readonly returnId: string; readonly keys: KeyRing | undefined };

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
const keyingFailure = (
  verified: Verification,
  entry: Entry,
  { returnId, keys }: ExpectedHistory,
): string | undefined => {
  if (keys === undefined) return undefined;
  const { mac, hash, at } = entry;
  if (mac !== undefined) {
    const looked = tryOrUndefined(() => ({ fault: macFailure(mac, hash, keys) }));
    return looked === undefined ? 'The MAC cannot be read.' : looked.fault;
  }
  if (verified.entries > verified.notKeyed) return 'The entry has no MAC, but an earlier entry has one.';
  return isMacOptional(returnId, at, keys) ? undefined : 'The entry has no MAC, but is not older than the keys.';
};

/** Verifies the next entry. The first failure stays. */
const verifyEntry = (
  verified: Verification,
  { sequence, entry }: StoredEntry,
  against: ExpectedHistory,
): Verification => {
  const next = verified.entries + 1;
  const broken = (code: HistoryFailure['code'], detail: string) => ({
    ...verified,
    fault: failureAt(next, code, detail),
  });
  if (verified.fault !== undefined) return verified;
  if (sequence !== next) return broken('sequence_gap', `Entry ${next} was expected, but entry ${sequence} was found.`);
  if (entry === undefined) return broken('hash_mismatch', 'The entry cannot be read.');
  if (tryOrUndefined(() => entryHash(entry)) !== entry.hash)
    return broken('hash_mismatch', 'The hash does not match the entry.');
  if (entry.sequence !== next) return broken('entries_swapped', 'The entry belongs to another position.');
  if (entry.previousHash !== verified.head)
    return broken('chain_broken', 'The previous hash does not match the previous entry.');
  const keying = keyingFailure(verified, entry, against);
  if (keying !== undefined) return broken('chain_rewritten', keying);
  const state = tryOrUndefined(() => fold(verified.state, entry));
  if (state === undefined) return broken('not_foldable', 'The entry is not valid after the previous entries.');
  if (entry.from !== (verified.state?.status ?? null) || entry.to !== state.status)
    return broken('not_foldable', 'The status change of the entry does not match its event.');
  if (state.id !== against.returnId) return broken('chain_rewritten', 'The history belongs to another return.');
  const notKeyed = verified.notKeyed + (entry.mac === undefined ? 1 : 0);
  return { entries: next, head: entry.hash, notKeyed, state };
};

/**
 * Verifies further entries, in order of their keys. Each must be complete, in sequence, chained, keyed and foldable.
 */
export const verifyEntries = (
  verified: Verification,
  stored: readonly StoredEntry[],
  against: ExpectedHistory,
): Verification => stored.reduce((before, entry) => verifyEntry(before, entry, against), verified);

/** Lists the names of the fields in which a stored return differs from its history, never their values. */
const differingFields = (made: Return, stored: Return): string[] =>
  [...new Set([...Object.keys(made), ...Object.keys(stored)])].filter((name) => {
    const field = (state: Return) =>
      tryOrUndefined(() => canonicalJson({ field: (state as Record<string, unknown>)[name] }));
    return field(made) === undefined || field(made) !== field(stored);
  });

/** Compares the stored return, undefined when missing, with the fold of its history. */
export const verifySnapshot = (verified: Verification, snapshot: StoredReturn | undefined): Verification => {
  const { entries, state, fault } = verified;
  if (fault !== undefined) return verified;
  if (state === undefined) return { ...verified, fault: failureAt(1, 'tail_removed', 'The return has no history.') };
  const differs = (detail: string) => ({ ...verified, fault: failureAt(entries, 'snapshot_differs', detail) });
  if (snapshot === undefined)
    return {
      ...verified,
      fault: failureAt(entries, 'return_removed', 'The return is missing, but its history exists.'),
    };
  const { state: stored } = snapshot;
  if (stored === undefined) return differs('The stored return cannot be read.');
  if (stored.version > entries)
    return { ...verified, fault: failureAt(entries + 1, 'tail_removed', 'The return is newer than its history.') };
  const fields = differingFields(state, stored);
  return fields.length === 0 ? verified : differs(`The stored return differs in ${fields.toSorted().join(', ')}.`);
};
