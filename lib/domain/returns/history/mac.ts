import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mac } from './entry.ts';

/** A secret that keys entries, and its id. */
export type HistoryKey = { readonly id: string; readonly secret: string };

/** All keys ever used, and the current key. */
export type KeyRing = {
  readonly current: HistoryKey;
  readonly keys: ReadonlyMap<string, HistoryKey>;
};

const digest = (hash: string, { secret }: HistoryKey): Buffer => createHmac('sha256', secret).update(hash).digest();

/**
 * Computes the MAC over the hash of an entry. The hash covers the rest of the entry and links it to all entries before.
 */
const macOf = (hash: string, key: HistoryKey): Mac => ({ key: key.id, value: digest(hash, key).toString('hex') });

/** An entry of any history, with the MAC over its hash. */
export type KeyedEntryOf<One> = One & { readonly mac: Mac };

/** Adds MACs to entries before they are written. */
export const addMacs = <One extends { readonly hash: string }>(
  entries: readonly One[],
  key: HistoryKey,
): readonly KeyedEntryOf<One>[] => entries.map((entry) => ({ ...entry, mac: macOf(entry.hash, key) }));

/** Returns the failure of the MAC of an entry; undefined when it is valid. */
export const macFailure = (mac: Mac, hash: string, { keys }: KeyRing): string | undefined => {
  const key = keys.get(mac.key);
  if (key === undefined) return 'The MAC key of the entry is unknown.';
  const [actual, expected] = [Buffer.from(mac.value, 'hex'), digest(hash, key)];
  // No hash covers the MAC, so it has no other members.
  const isWhole = Object.keys(mac).length === 2;
  const isRight =
    isWhole &&
    actual.toString('hex') === mac.value &&
    actual.length === expected.length &&
    timingSafeEqual(actual, expected);
  return isRight ? undefined : 'The MAC does not match the hash.';
};
