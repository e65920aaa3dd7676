import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { log } from '../runtime/log.ts';
import { canonicalJson } from '../returns/history/canonical-json.ts';
import { notFound, SecretUnavailable } from '../secrets/secret.ts';
import { secrets, type SecretSource } from '../secrets/source.ts';

const config = configured(signingConfig);

/** What a signed text is bound to. It opens for nothing else. */
export type SigningPurpose = readonly string[];

const signingUnavailable = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The key that signs cursors and tokens cannot be read; try again.',
  retryAfterSeconds: 1,
});

type KeyReadOptions = NonNullable<Parameters<SecretSource['read']>[1]>;

/** The key of a stage; null where there is none, as before the first rotation nothing is AWSPREVIOUS. */
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

/** A text that callers hold for us, and that nobody else can have written. */
export const sign = async (text: string, purpose: SigningPurpose): Promise<Result<string>> => {
  const key = await readKey({});
  if (!key.ok) return key;
  return key.value === null
    ? signingUnavailable
    : ok(signedText(Buffer.from(text).toString('base64url'), purpose, key.value));
};

/** Whether two texts are the same, in a time that does not tell where they differ. */
const isSameText = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The keys that may have signed: ours, the one before the last rotation, and one that we have not seen yet. */
const keyCandidates: readonly KeyReadOptions[] = [{}, { stage: 'AWSPREVIOUS' }, { force: true }];

/** The text that was signed for this; undefined for what we have not signed, or for something else. */
export const openSigned = async (given: string, purpose: SigningPurpose): Promise<Result<string | undefined>> => {
  const [payload = ''] = given.split('.');
  for (const candidate of keyCandidates) {
    const key = await readKey(candidate);
    if (!key.ok) return key;
    if (key.value !== null && isSameText(given, signedText(payload, purpose, key.value)))
      return ok(Buffer.from(payload, 'base64url').toString());
  }
  return ok(undefined);
};
