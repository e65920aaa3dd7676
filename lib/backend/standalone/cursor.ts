import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingConfig } from '../../config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { OperationName } from '../../contract/schemas.ts';
import { log } from '../../log.ts';
import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { notFound, SecretUnavailable } from '../../secrets/secret.ts';
import { secrets, type SecretSource } from '../../secrets/source.ts';
import type { Call } from '../port.ts';

const { signingSecretId } = signingConfig();

/** What a cursor is bound to. It opens for nothing else. */
type CursorScope = readonly string[];

/** A list that a caller walks: the operation, who calls, and the filters, whatever order they came in. */
export const cursorScope = (operation: OperationName, { caller }: Call, filters: object): CursorScope => [
  operation,
  caller.clientId,
  caller.onBehalfOf ?? '',
  canonicalJson(filters),
];

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
    if (options.stage === 'AWSPREVIOUS' && error.reason === notFound) return ok(null);
    log('error', 'signing secret not read', { reason: error.reason });
    return unsigned;
  }
};

const signed = (payload: string, scope: CursorScope, key: string) =>
  `${payload}.${createHmac('sha256', key)
    .update(canonicalJson([payload, scope]))
    .digest('base64url')}`;

/** An opaque token for a position in a list, which is text of the list's own. */
export const signCursor = async (position: string, scope: CursorScope): Promise<Result<string>> => {
  const key = await readKey({});
  if (!key.ok) return key;
  return key.value === null ? unsigned : ok(signed(Buffer.from(position).toString('base64url'), scope, key.value));
};

/** Whether two texts are the same, in a time that does not tell where they differ. */
const same = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The keys that a cursor may be signed by: ours, the one before the last rotation, and one that we have not seen yet. */
const candidates: readonly Read[] = [{}, { stage: 'AWSPREVIOUS' }, { force: true }];

/** The position in a cursor of ours. */
export const openCursor = async (cursor: string, scope: CursorScope): Promise<Result<string>> => {
  const [payload = ''] = cursor.split('.');
  for (const candidate of candidates) {
    const key = await readKey(candidate);
    if (!key.ok) return key;
    if (key.value !== null && same(cursor, signed(payload, scope, key.value)))
      return ok(Buffer.from(payload, 'base64url').toString());
  }
  return invalid;
};
