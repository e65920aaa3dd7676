import { encodeTime } from 'ulid';
import { parseObject } from '../runtime/json.ts';
import type { HistoryKey, KeyRing } from '../returns/history/mac.ts';

const keyId = /^[a-z0-9][a-z0-9-]{0,30}$/;
const minSecretLength = 32;

/** An instant as histories write it: instants are compared as text. */
const isInstant = (since: unknown): since is string =>
  typeof since === 'string' && !Number.isNaN(Date.parse(since)) && new Date(since).toISOString() === since;

/** So many letters of a ULID are its time. */
const timeLetters = 10;

/**
 * The ring that a secret holds: `current` names one of the other members, each of which is a key by its id, and `since` is
 * optional. Undefined for anything else: half of a ring would find sound entries forged.
 */
export const keyRingIn = (text: string): KeyRing | undefined => {
  const found = parseObject(text);
  if (found === undefined) return undefined;
  const { current, since, ...secrets }: { current?: unknown; since?: unknown } = found;
  const keys = new Map<string, HistoryKey>();
  for (const [id, secret] of Object.entries<unknown>(secrets)) {
    if (!keyId.test(id) || typeof secret !== 'string' || secret.length < minSecretLength) return undefined;
    keys.set(id, { id, secret });
  }
  const key = typeof current === 'string' ? keys.get(current) : undefined;
  if (key === undefined) return undefined;
  if (since === undefined) return { current: key, keys, since };
  if (!isInstant(since)) return undefined;
  return { current: key, keys, since: { at: since, firstId: `ret_${encodeTime(Date.parse(since), timeLetters)}` } };
};
