import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../model/order.ts';
import type { Entry, KeyedEntry, Mac } from './entry.ts';

/** A secret by which entries are keyed, and the id that says which of them it was. */
export type HistoryKey = { readonly id: string; readonly secret: string };

/** A time, and the ids of the returns that were made from then on: none of them is less. */
type KeyingStart = { readonly at: Instant; readonly firstId: string };

/** All keys there ever were, the one that keys new entries, and from when on every entry has to be keyed. */
export type KeyRing = {
  readonly current: HistoryKey;
  readonly keys: ReadonlyMap<string, HistoryKey>;
  /** Without it no entry may be unkeyed: it is for a deployment whose first returns are older than its keys. */
  readonly since: KeyingStart | undefined;
};

const digest = (hash: string, { secret }: HistoryKey): Buffer => createHmac('sha256', secret).update(hash).digest();

/** The MAC of an entry is over its hash alone, which covers the rest of it and ties it to all entries before. */
const macOf = (hash: string, key: HistoryKey): Mac => ({ key: key.id, value: digest(hash, key).toString('hex') });

/** Keys entries that are about to be written. */
export const addMacs = (entries: readonly Entry[], key: HistoryKey): readonly KeyedEntry[] =>
  entries.map((entry) => ({ ...entry, mac: macOf(entry.hash, key) }));

/** Returns the failure of the MAC of an entry; undefined when it is valid. */
export const macFailure = (mac: Mac, hash: string, { keys }: KeyRing): string | undefined => {
  const key = keys.get(mac.key);
  if (key === undefined) return 'The MAC key of the entry is unknown.';
  const [given, made] = [Buffer.from(mac.value, 'hex'), digest(hash, key)];
  const isRight = given.toString('hex') === mac.value && given.length === made.length && timingSafeEqual(given, made);
  return isRight ? undefined : 'The MAC does not match the hash.';
};

/**
 * Whether an entry may be without a MAC as far as time goes. It has to be older than the keys by what it says, and its
 * return by its id: nobody can strip the MACs of a return that was made under a key, or add to one without.
 */
export const isMacOptional = (returnId: string, at: string, { since }: KeyRing): boolean =>
  since !== undefined && at < since.at && returnId < since.firstId;
