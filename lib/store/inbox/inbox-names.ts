import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';
import type { Key } from '../engine/keys.ts';
import { keyedDigest, storedKey } from '../engine/stored-key.ts';
import { positionOf } from './inbox-index.ts';

/*
 * An erasure finds deliveries without a readable order by the names in their bodies. A row for each name leads to the
 * delivery. It holds a keyed digest, so that a reader of these rows cannot guess a name. The key is an item of the
 * table. Only the worker of the inbox and the worker of erasures may read it.
 */

/** A name in a body identifies a person, or an order or return of a person. */
export type NameKind = 'email' | 'customer' | 'order' | 'number' | 'return';
export type Name = { readonly kind: NameKind; readonly value: string };

/** The key of digests. Where no delivery ever needed one, there is none to find. */
export const { find: findNameKey, findOrCreate: readOrCreateNameKey } = storedKey({ pk: 'INBOXNAMES', sk: 'KEY' });

/** One spelling for each name: `gid://shopify/Order/7` becomes 7, and `#1001` becomes 1001. */
const normalize = ({ kind, value }: Name): string => {
  if (kind === 'email') return value.trim().toLowerCase();
  if (kind === 'number') return value.trim().replace(/^#/, '');
  return value.startsWith('gid://') ? value.slice(value.lastIndexOf('/') + 1) : value.trim();
};

/**
 * The digest of a name. An address identifies one person in all shops; ids and numbers belong to one platform.
 *
 * @param platform that the orders of the shop are registered under
 */
export const nameDigest = (key: Buffer, platform: string, name: Name): string =>
  keyedDigest(key, canonicalJson([name.kind === 'email' ? '' : platform, name.kind, normalize(name)]));

/** The partition of the rows that lead from a name to deliveries. */
export const nameLinksPartition = (digest: string): string => `INBOXOF#NAME#${digest}`;

/** The rows that lead from the names in its body to a delivery. */
export const nameLinkKeys = (
  key: string,
  { receivedAt, nameDigests = [] }: { readonly receivedAt: string; readonly nameDigests?: readonly string[] },
): readonly Key[] => nameDigests.map((digest) => ({ pk: nameLinksPartition(digest), sk: positionOf(key, receivedAt) }));
