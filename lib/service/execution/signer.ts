import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';
import { log } from '../../runtime/log.ts';
import { notFound, type Secret, SecretUnavailable } from '../../access/secrets/secret.ts';
import type { ReadOptions } from '../../access/secrets/source.ts';
import { sealText, unsealText } from './sealed-text.ts';

/** The purpose that a signed text is bound to. It cannot be opened for another one. */
export type SigningPurpose = readonly string[];

/** Signs and seals texts that callers store and send back, and opens them. */
export type Signer = {
  readonly sign: (text: string, purpose: SigningPurpose) => Promise<Result<string>>;
  /** Returns the signed text; undefined when the signature is wrong or belongs to another purpose. */
  readonly openSigned: (signed: string, purpose: SigningPurpose) => Promise<Result<string | undefined>>;
  /** Seals a text that callers may not read. */
  readonly seal: (text: string, purpose: SigningPurpose) => Promise<Result<string>>;
  /** Returns the text of a sealed one; undefined when it was changed or belongs to another purpose. */
  readonly openSealed: (sealed: string, purpose: SigningPurpose) => Promise<Result<string | undefined>>;
};

/** Reads the secret with the key. */
type ReadKey = (options: ReadOptions) => Promise<Secret>;

const signingUnavailable = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The key that signs cursors and tokens cannot be read. Try again.',
  retryAfterSeconds: 1,
});

/** Reads the key of a stage. Returns null when the stage does not exist: AWSPREVIOUS before the first rotation. */
const readKey = async (read: ReadKey, options: ReadOptions): Promise<Result<string | null>> => {
  try {
    return ok((await read(options)).text);
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

/** Compares two texts in constant time. */
const isSameText = (actual: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Makes a text by the current key. */
const makeBy = async (read: ReadKey, make: (key: string) => string): Promise<Result<string>> => {
  const key = await readKey(read, {});
  if (!key.ok) return key;
  return key.value === null ? signingUnavailable : ok(make(key.value));
};

/**
 * Opens a text by the first key that fits; undefined when none does. It tries the cached keys first, then the newest
 * ones. A container caches each stage for itself, so after a rotation either one may be stale.
 */
const openBy = async (
  read: ReadKey,
  open: (key: string) => string | undefined,
): Promise<Result<string | undefined>> => {
  for (const force of [false, true])
    for (const stage of ['AWSCURRENT', 'AWSPREVIOUS'] as const) {
      const key = await readKey(read, { stage, force });
      if (!key.ok) return key;
      const text = key.value === null ? undefined : open(key.value);
      if (text !== undefined) return ok(text);
    }
  return ok(undefined);
};

/** Creates a signer with the key of a secret. */
export const createSigner = (read: ReadKey): Signer => ({
  sign: (text, purpose) => makeBy(read, (key) => signedText(Buffer.from(text).toString('base64url'), purpose, key)),
  openSigned: (signed, purpose) => {
    const [payload = ''] = signed.split('.');
    return openBy(read, (key) =>
      isSameText(signed, signedText(payload, purpose, key)) ? Buffer.from(payload, 'base64url').toString() : undefined,
    );
  },
  seal: (text, purpose) => makeBy(read, (key) => sealText(text, purpose, key)),
  openSealed: (sealed, purpose) => openBy(read, (key) => unsealText(sealed, purpose, key)),
});
