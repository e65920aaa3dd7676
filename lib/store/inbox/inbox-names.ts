import { createHmac, randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';
import { perContainer } from '../../runtime/container.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { isConflict } from '../engine/transact.ts';
import { positionOf } from './inbox-index.ts';

/*
 * An erasure finds deliveries without a readable order by the names in their bodies. A row for each name leads to the
 * delivery. It holds a keyed digest, so that a reader of these rows cannot guess a name. The key is an item of the
 * table. Only the worker of the inbox and the worker of erasures may read it. It is not a secret of Secrets Manager: it
 * protects only bodies of the same table, and a rotation would lose rows.
 */

/** A name in a body identifies a person, or an order or return of a person. */
export type NameKind = 'email' | 'customer' | 'order' | 'number' | 'return';
export type Name = { readonly kind: NameKind; readonly value: string };

const keyItem: Key = { pk: 'INBOXNAMES', sk: 'KEY' };
const keyBytes = 32;
/** 128 bits: two names do not collide. */
const digestLetters = 22;

type KeyItem = { readonly key: Uint8Array };

const cachedKey = perContainer((): { key?: Buffer | undefined } => ({}));

const readKey = async (session: Session): Promise<Buffer | undefined> => {
  const item = await getItem<KeyItem>(session, keyItem);
  return item === undefined ? undefined : Buffer.from(item.key);
};

/** Reads the key of digests. Undefined where no delivery ever needed one. */
export const findNameKey = async (session: Session): Promise<Buffer | undefined> => {
  const held = cachedKey();
  return (held.key ??= await readKey(session));
};

/** Reads the key of digests, or makes it. Two workers that make one at the same time both get the stored one. */
export const readOrCreateNameKey = async (session: Session): Promise<Buffer> => {
  const found = await findNameKey(session);
  if (found !== undefined) return found;
  const key = randomBytes(keyBytes);
  try {
    await session.send(
      new PutCommand({
        TableName: table(),
        Item: { ...keyItem, key },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    cachedKey().key = key;
    return key;
  } catch (error) {
    if (!isConflict(error, 'ConditionalCheckFailedException')) throw error;
    return readOrCreateNameKey(session);
  }
};

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
  createHmac('sha256', key)
    .update(canonicalJson([name.kind === 'email' ? '' : platform, name.kind, normalize(name)]))
    .digest('base64url')
    .slice(0, digestLetters);

/** The partition of the rows that lead from a name to deliveries. */
export const nameLinksPartition = (digest: string): string => `INBOXOF#NAME#${digest}`;

/** The rows that lead from the names in its body to a delivery. */
export const nameLinkKeys = (
  key: string,
  { receivedAt, nameDigests = [] }: { readonly receivedAt: string; readonly nameDigests?: readonly string[] },
): readonly Key[] => nameDigests.map((digest) => ({ pk: nameLinksPartition(digest), sk: positionOf(key, receivedAt) }));
