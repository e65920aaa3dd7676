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

const sign = (payload: string, scope: CursorScope, key: string): Buffer =>
  createHmac('sha256', key)
    .update(canonicalJson([payload, scope]))
    .digest();

/** An opaque token for a position in a list. */
export const sealCursor = async (position: number, scope: CursorScope): Promise<Result<string>> => {
  const key = await keyOf('AWSCURRENT');
  if (key === undefined) return unsigned;
  const payload = position.toString(36);
  return ok(`${payload}.${sign(payload, scope, key).toString('base64url')}`);
};

/** The position in a cursor of ours. A cursor signed before the last rotation of the key still opens. */
export const openCursor = async (cursor: string, scope: CursorScope): Promise<Result<number>> => {
  const [payload = '', signature = ''] = cursor.split('.');
  const given = Buffer.from(signature, 'base64url');
  const fits = (key: string) => {
    const expected = sign(payload, scope, key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const current = await keyOf('AWSCURRENT');
  if (current === undefined) return unsigned;
  if (fits(current)) return ok(Number.parseInt(payload, 36));
  const previous = await keyOf('AWSPREVIOUS');
  return previous !== undefined && fits(previous) ? ok(Number.parseInt(payload, 36)) : invalid;
};
