import { encodeTime } from 'ulid';
import type { HistoryKey, KeyRing } from '../returns/history/mac.ts';
import { historyConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { parseObject } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { SecretUnavailable } from '../secrets/secret.ts';
import { type ReadOptions, secrets } from '../secrets/source.ts';
import type { Session } from '../store/engine/session.ts';

const keyId = /^[a-z0-9][a-z0-9-]{0,30}$/;
const minSecretLength = 32;

/** Formats an instant like histories do. Instants are compared as text. */
const isInstant = (since: unknown): since is string =>
  typeof since === 'string' && !Number.isNaN(Date.parse(since)) && new Date(since).toISOString() === since;

/** The length of the time in a ULID. */
const timeLetters = 10;

/**
 * Parses a key ring; undefined for anything else. `current` names one of the other members, each of which is a key by
 * its id. `since` is optional. An incomplete ring would report valid entries as forged.
 */
export const parseKeyRing = (text: string): KeyRing | undefined => {
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

const config = configured(historyConfig);

const readRing = async (options: ReadOptions): Promise<KeyRing | undefined> =>
  parseKeyRing((await secrets().read(config().historyKeysId, options)).text);

/**
 * The history keys, cached as long as other secrets. A malformed ring does not stop commands: the previous version
 * stays in use.
 *
 * @throws {SecretUnavailable}
 */
export const readKeyRing = async ({ signal }: Session, options: Pick<ReadOptions, 'force'> = {}): Promise<KeyRing> => {
  try {
    const ring = await readRing({ ...options, signal });
    if (ring !== undefined) return ring;
    log('error', 'history keys malformed');
    const earlier = await readRing({ signal, stage: 'AWSPREVIOUS' });
    if (earlier !== undefined) return earlier;
    throw new SecretUnavailable('malformed');
  } catch (error) {
    if (error instanceof SecretUnavailable) log('error', 'history keys not read', { reason: error.reason });
    throw error;
  }
};

/** The key of new entries. @throws {SecretUnavailable} */
export const currentKey = async (session: Session): Promise<HistoryKey> => (await readKeyRing(session)).current;
