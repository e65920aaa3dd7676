import { createHmac, randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { perContainer } from '../../runtime/container.ts';
import { getItem } from './batch-get.ts';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';
import { isConflict } from './transact.ts';

/*
 * Digests under keys that are items of the table. Such a key is not a secret of Secrets Manager: it protects only rows of
 * the same table, and a rotation would lose rows.
 */

const keyBytes = 32;
/** 128 bits: two texts do not collide. */
const digestLetters = 22;

/** Returns the digest of a text under a key, in base64url. */
export const keyedDigest = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, digestLetters);

type KeyItem = { readonly key: Uint8Array };

/** Returns the readers of a key. A container reads it once. */
export const storedKey = (keyItem: Key) => {
  const cached = perContainer((): { key?: Buffer | undefined } => ({}));
  const read = async (session: Session): Promise<Buffer | undefined> => {
    const item = await getItem<KeyItem>(session, keyItem);
    return item === undefined ? undefined : Buffer.from(item.key);
  };
  /** Reads the key. Undefined if it was never needed. */
  const find = async (session: Session): Promise<Buffer | undefined> => (cached().key ??= await read(session));
  /** Reads the key, or makes it. Two workers that make one at the same time both get the stored one. */
  const findOrCreate = async (session: Session): Promise<Buffer> => {
    const found = await find(session);
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
      cached().key = key;
      return key;
    } catch (error) {
      if (!isConflict(error, 'ConditionalCheckFailedException')) throw error;
      return findOrCreate(session);
    }
  };
  return { find, findOrCreate };
};
