import { randomBytes } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { systemClock } from '../../access/net/clock.ts';
import { deadline } from '../../access/net/deadline.ts';
import {
  historyConfig,
  receiptConfig,
  searchConfig,
  signingConfig,
  withdrawKeyConfig,
} from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { parseObject } from '../../runtime/json.ts';
import { type Rotation, type RotationEvent, RotationFailed, runRotation } from '../../access/secrets/rotation.ts';
import { secretsManager } from '../../access/secrets/source.ts';
import { parseKeyRing } from './key-ring.ts';

const signing = configured(signingConfig);
const history = configured(historyConfig);
const receipts = configured(receiptConfig);
const search = configured(searchConfig);
const withdrawPage = configured(withdrawKeyConfig);

/** Time reserved before the function's timeout, to report the failure. */
const reserveMs = 1_000;
const minKeyLength = 32;

/** Returns 64 letters, as the template generates the first keys. */
const newKey = (): string => randomBytes(48).toString('base64url');

/** A text signed by the previous key stays valid: readers try AWSPREVIOUS too. */
const rotateSigningKey: Rotation = {
  create: async () => newKey(),
  test: async ({ text }) => {
    if (text.length < minKeyLength) throw new RotationFailed('malformed_key');
  },
};

/**
 * Returns a ring with one more key, which new entries, receipts or rows of the search use. It retains every key: without
 * its key, an entry counts as forged, no receipt can be verified, and the search misses rows.
 *
 * @param text the ring as the secret stores it
 * @param token the id of the new version
 * @param now epoch milliseconds
 * @throws {RotationFailed} for a malformed ring
 */
export const withNewKey = (text: string, token: string, now: number, key: string = newKey()): string => {
  const ring = parseObject(text);
  if (ring === undefined || parseKeyRing(text) === undefined) throw new RotationFailed('malformed_ring');
  const id = `${new Date(now).toISOString().slice(0, 10)}-${sha256(token, 'hex').slice(0, 8)}`;
  return JSON.stringify({ ...ring, [id]: key, current: id });
};

/** Whether a ring has every key of another ring. */
const retainsKeys = (pending: string, current: string): boolean => {
  const [next, former] = [parseKeyRing(pending), parseKeyRing(current)];
  if (next === undefined || former === undefined) return false;
  return [...former.keys.values()].every(({ id, secret }) => next.keys.get(id)?.secret === secret);
};

const rotateKeyRing = (token: string): Rotation => ({
  create: async ({ text }) => withNewKey(text, token, Date.now()),
  test: async (pending, current) => {
    if (!retainsKeys(pending.text, current.text)) throw new RotationFailed('keys_missing');
  },
});

const rotationOf = ({ SecretId, ClientRequestToken }: RotationEvent): Rotation => {
  if (SecretId === signing().signingSecretId) return rotateSigningKey;
  if (SecretId === withdrawPage().withdrawKeyId) return rotateSigningKey;
  if (SecretId === history().historyKeysId) return rotateKeyRing(ClientRequestToken);
  if (SecretId === receipts().receiptKeysId) return rotateKeyRing(ClientRequestToken);
  if (SecretId === search().searchKeysId) return rotateKeyRing(ClientRequestToken);
  throw new RotationFailed('unknown_secret');
};

/**
 * Rotates the keys that sign cursors, tokens and the checks of the page for withdrawals, and adds a key to those of the
 * histories, receipts and the search.
 * Containers use the new keys within 18 minutes, and sign receipts with them a day later.
 *
 * @throws {RotationFailed} when a step failed; AWSCURRENT is unchanged
 */
export const rotateKeys = async (
  event: RotationEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> => {
  using limit = deadline(systemClock, getRemainingTimeInMillis() - reserveMs);
  const client = secretsManager();
  try {
    await runRotation(client, rotationOf(event), event, limit.signal);
  } finally {
    client.destroy();
  }
};
