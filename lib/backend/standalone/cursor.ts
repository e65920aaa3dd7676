import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingConfig } from '../../config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { canonicalJson } from '../../returns/canonical-json.ts';
import { SecretUnavailable, type Stage } from '../../secrets/secret.ts';
import { secrets } from '../../secrets/source.ts';

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

/** The key of a stage, or undefined where there is none: before the first rotation nothing is AWSPREVIOUS. */
const keyOf = async (stage: Stage): Promise<string | undefined> => {
  try {
    return (await secrets().read(signingSecretId, { stage })).text;
  } catch (error) {
    if (error instanceof SecretUnavailable) return undefined;
    throw error;
  }
};

const seal = (payload: string, scope: CursorScope, key: string) =>
  `${payload}.${createHmac('sha256', key)
    .update(canonicalJson([payload, scope]))
    .digest('base64url')}`;

/** An opaque token for a position in a list. */
export const sealCursor = async (position: number, scope: CursorScope): Promise<Result<string>> => {
  const key = await keyOf('AWSCURRENT');
  return key === undefined ? unsigned : ok(seal(position.toString(36), scope, key));
};

/** Whether two texts are the same, in a time that does not tell where they differ. */
const same = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The position in a cursor of ours. A cursor signed before the last rotation of the key still opens. */
export const openCursor = async (cursor: string, scope: CursorScope): Promise<Result<number>> => {
  const [payload = ''] = cursor.split('.');
  const position = ok(Number.parseInt(payload, 36));
  const current = await keyOf('AWSCURRENT');
  if (current === undefined) return unsigned;
  if (same(cursor, seal(payload, scope, current))) return position;
  const previous = await keyOf('AWSPREVIOUS');
  return previous !== undefined && same(cursor, seal(payload, scope, previous)) ? position : invalid;
};
