import { getItem } from '../engine/batch-get.ts';
import { idempotencyKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putUnlessAlive, type Write } from '../engine/transact.ts';

/** The name of the condition that fails while a stored response is alive. */
export const idempotencyCondition = 'idempotencyKey';

const lifetimeSeconds = 24 * 3600;

/** A request with an idempotency key: its client, and its fingerprint. */
export type KeyedRequest = { readonly owner: readonly string[]; readonly key: string; readonly fingerprint: string };

/** The stored response of a key, and the fingerprint of its request. */
export type StoredResponse = { readonly fingerprint: string; readonly answer: unknown };

/** Returns the stored response of a client's key from the last 24 hours, or undefined. */
export const readStoredResponse = async (
  session: Session,
  { owner, key }: KeyedRequest,
  nowMs: number,
): Promise<StoredResponse | undefined> => {
  const item = await getItem<{ expiresAt: number; fingerprint: string; value: string | Uint8Array }>(
    session,
    idempotencyKey(owner, key),
  );
  if (item === undefined || item.expiresAt <= nowMs / 1000) return undefined;
  return { fingerprint: item.fingerprint, answer: unpack(item.value) };
};

/** Stores the response for a key. The condition fails while an earlier one is alive. */
export const writeStoredResponse = (
  { owner, key, fingerprint }: KeyedRequest,
  answer: unknown,
  nowMs: number,
): Write => {
  const nowSeconds = Math.floor(nowMs / 1000);
  const attributes = { fingerprint, value: pack(answer), expiresAt: nowSeconds + lifetimeSeconds };
  return putUnlessAlive(idempotencyCondition, idempotencyKey(owner, key), attributes, nowSeconds);
};
