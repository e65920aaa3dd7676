import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { log } from '../runtime/log.ts';
import { canonicalJson } from '../returns/history/canonical-json.ts';
import { notFound, SecretUnavailable } from '../secrets/secret.ts';
import { secrets, type SecretSource } from '../secrets/source.ts';
import { sealText, unsealText } from './sealed-text.ts';

const config = configured(signingConfig);

/** The purpose that a signed text is bound to. It cannot be opened for another one. */
export type SigningPurpose = readonly string[];

const signingUnavailable = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The key that signs cursors and tokens cannot be read. Try again.',
  retryAfterSeconds: 1,
});

type KeyReadOptions = NonNullable<Parameters<SecretSource['read']>[1]>;

/** Reads the key of a stage. Returns null when the stage does not exist: AWSPREVIOUS before the first rotation. */
const readKey = async (options: KeyReadOptions): Promise<Result<string | null>> => {
  try {
    return ok((await secrets().read(config().signingSecretId, options)).text);
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    if (options.stage === 'AWSPREVIOUS' && error.reason === notFound) return ok(null);
    log('error', 'signing secret not read', { reason: error.reason });
    return signingUnavailable;
  }
};

const signedText = (payload: string, purpose: SigningPurpose, key: string) =>
  `${payload}.${createHmac('sha256', key)
    .update(canonicalJson([payload, purpose]))
    .digest('base64url')}`;

/** Makes a text by the current key. */
const makeBy = async (make: (key: string) => string): Promise<Result<string>> => {
  const key = await readKey({});
  if (!key.ok) return key;
  return key.value === null ? signingUnavailable : ok(make(key.value));
};

/** Signs a text that callers store and send back. */
export const sign = async (text: string, purpose: SigningPurpose): Promise<Result<string>> =>
  makeBy((key) => signedText(Buffer.from(text).toString('base64url'), purpose, key));

/** Compares two texts in constant time. */
const isSameText = (actual: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/**
 * Opens a text by the first key that fits; undefined when none does. It tries the cached keys first, then the newest
 * ones. A container caches each stage for itself, so after a rotation either one may be stale.
 */
const openBy = async (open: (key: string) => string | undefined): Promise<Result<string | undefined>> => {
  for (const force of [false, true])
    for (const stage of ['AWSCURRENT', 'AWSPREVIOUS'] as const) {
      const key = await readKey({ stage, force });
      if (!key.ok) return key;
      const text = key.value === null ? undefined : open(key.value);
      if (text !== undefined) return ok(text);
    }
  return ok(undefined);
};

/** Returns the signed text; undefined when the signature is wrong or belongs to another purpose. */
export const openSigned = async (signed: string, purpose: SigningPurpose): Promise<Result<string | undefined>> => {
  const [payload = ''] = signed.split('.');
  return openBy((key) =>
    isSameText(signed, signedText(payload, purpose, key)) ? Buffer.from(payload, 'base64url').toString() : undefined,
  );
};

/** Seals a text that callers store and send back, but may not read. */
export const seal = async (text: string, purpose: SigningPurpose): Promise<Result<string>> =>
  makeBy((key) => sealText(text, purpose, key));

/** Returns the text of a sealed one; undefined when it was changed or belongs to another purpose. */
export const openSealed = async (sealed: string, purpose: SigningPurpose): Promise<Result<string | undefined>> =>
  openBy((key) => unsealText(sealed, purpose, key));
