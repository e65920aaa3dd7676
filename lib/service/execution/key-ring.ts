import type { HistoryKey, KeyRing } from '../../domain/returns/history/mac.ts';
import { historyConfig, receiptConfig, searchConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';
import { SecretUnavailable } from '../../access/secrets/secret.ts';
import { type ReadOptions, secrets } from '../../access/secrets/source.ts';
import type { Session } from '../../store/engine/session.ts';

const keyId = /^[a-z0-9][a-z0-9-]{0,30}$/;
const minSecretLength = 32;

/**
 * Parses a key ring, of histories, of receipts or of the search; undefined for anything else. `current` names one of
 * the other members, each of which is a key by its id. An incomplete ring would report valid entries as forged.
 */
export const parseKeyRing = (text: string): KeyRing | undefined => {
  const found = parseObject(text);
  if (found === undefined) return undefined;
  const { current, ...secrets }: { current?: unknown } = found;
  const keys = new Map<string, HistoryKey>();
  for (const [id, secret] of Object.entries<unknown>(secrets)) {
    if (!keyId.test(id) || typeof secret !== 'string' || secret.length < minSecretLength) return undefined;
    keys.set(id, { id, secret });
  }
  const key = typeof current === 'string' ? keys.get(current) : undefined;
  return key && { current: key, keys };
};

// A bundle that reads one of the rings must not need the variables of the others.
const histories = /* @__PURE__ */ configured(historyConfig);
const receipts = /* @__PURE__ */ configured(receiptConfig);
const search = /* @__PURE__ */ configured(searchConfig);

/**
 * Reads a ring, cached as long as other secrets. With a malformed ring the previous version stays in use.
 *
 * @throws {SecretUnavailable}
 */
const readRing = async (
  name: 'history keys' | 'receipt keys' | 'search keys',
  secretId: string,
  { signal, ...options }: ReadOptions,
): Promise<KeyRing> => {
  const readStage = async (more: ReadOptions): Promise<KeyRing | undefined> =>
    parseKeyRing((await secrets().read(secretId, { ...(signal && { signal }), ...more })).text);
  try {
    const ring = await readStage(options);
    if (ring !== undefined) return ring;
    log('error', `${name} malformed`);
    const earlier = await readStage({ stage: 'AWSPREVIOUS' });
    if (earlier !== undefined) return earlier;
    throw new SecretUnavailable('malformed');
  } catch (error) {
    if (error instanceof SecretUnavailable) log('error', `${name} not read`, { reason: error.reason });
    throw error;
  }
};

/** The history keys. @throws {SecretUnavailable} */
export const readKeyRing = async ({ signal }: Session, options: Pick<ReadOptions, 'force'> = {}): Promise<KeyRing> =>
  readRing('history keys', histories().historyKeysId, { ...options, signal });

/** The keys of receipts. @throws {SecretUnavailable} */
export const readReceiptKeyRing = async (options: Pick<ReadOptions, 'signal'> = {}): Promise<KeyRing> =>
  readRing('receipt keys', receipts().receiptKeysId, options);

/** The keys of the search for customers; undefined when the deployment has no search. @throws {SecretUnavailable} */
export const readSearchKeyRing = async ({ signal }: Session): Promise<KeyRing | undefined> => {
  const { searchKeysId } = search();
  return searchKeysId === undefined ? undefined : readRing('search keys', searchKeysId, { signal });
};

/** The key of new entries. @throws {SecretUnavailable} */
export const currentKey = async (session: Session): Promise<HistoryKey> => (await readKeyRing(session)).current;
