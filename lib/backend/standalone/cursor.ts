import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingConfig } from '../../config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { log } from '../../log.ts';
import { canonicalJson } from '../../returns/canonical-json.ts';
import { SecretUnavailable } from '../../secrets/secret.ts';
import { secrets, type SecretSource } from '../../secrets/source.ts';

const { signingSecretId } = signingConfig();

/** What a cursor is bound to: the operation, the client and the filters. It opens for nothing else. */
export type CursorScope = readonly string[];

const invalid = fail({
  code: 'invalid_cursor' as const,
  detail: 'The cursor is not one that this request was given.',
  errors: [
    { path: '/cursor', code: 'cursor', message: 'must be the nextCursor of the page before, with the same filters' },
  ],
});

const unsigned = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The key that signs cursors cannot be read; try again.',
  retryAfterSeconds: 1,
});

type Read = NonNullable<Parameters<SecretSource['read']>[1]>;

/** The key of a stage; null where there is none, as before the first rotation nothing is AWSPREVIOUS. */
const readKey = async (options: Read): Promise<Result<string | null>> => {
  try {
    return ok((await secrets().read(signingSecretId, options)).text);
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    if (options.stage === 'AWSPREVIOUS' && error.reason === 'ResourceNotFoundException') return ok(null);
    log('error', 'signing secret not read', { reason: error.reason });
    return unsigned;
  }
};

const signed = (payload: string, scope: CursorScope, key: string) =>
  `${payload}.${createHmac('sha256', key)
    .update(canonicalJson([payload, scope]))
    .digest('base64url')}`;

/** An opaque token for a position in a list. */
export const signCursor = async (position: number, scope: CursorScope): Promise<Result<string>> => {
  const key = await readKey({});
  if (!key.ok) return key;
  return key.value === null ? unsigned : ok(signed(position.toString(36), scope, key.value));
};

/** Whether two texts are the same, in a time that does not tell where they differ. */
const same = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The keys that a cursor may be signed by: ours, the one before the last rotation, and one that we have not seen yet. */
const candidates: readonly Read[] = [{}, { stage: 'AWSPREVIOUS' }, { force: true }];

/** The position in a cursor of ours. */
export const openCursor = async (cursor: string, scope: CursorScope): Promise<Result<number>> => {
  const [payload = ''] = cursor.split('.');
  for (const candidate of candidates) {
    const key = await readKey(candidate);
    if (!key.ok) return key;
    if (key.value !== null && same(cursor, signed(payload, scope, key.value))) return ok(Number.parseInt(payload, 36));
  }
  return invalid;
};
