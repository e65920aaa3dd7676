import { fail, ok, type Result } from '../../contract/result.ts';
import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { sha256 } from '../../runtime/hash.ts';

/*
 * Cursors of the inbox. They are not signed, as there is no key for that in the connected way: all that one could forge
 * is another place in the same list, which whoever may read it may begin at anyway.
 */

const digestOf = (filters: object): string => sha256(canonicalJson(filters), 'base64url').slice(0, 16);

/** A position as a delivery has it. */
const position = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{16}$/;

/** An opaque token for a position in the list of those filters. */
export const cursorAt = (at: string, filters: object): string =>
  Buffer.from(`${digestOf(filters)}${at}`).toString('base64url');

/** The position in a cursor of ours that was made for these filters. */
export const positionIn = (cursor: string, filters: object): Result<string> => {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [digest, at] = [text.slice(0, 16), text.slice(16)];
  if (digest === digestOf(filters) && position.test(at)) return ok(at);
  return fail({
    code: 'invalid_cursor',
    detail: 'The cursor is not one that this request was given.',
    errors: [
      { path: '/cursor', code: 'cursor', message: 'must be the nextCursor of the page before, with the same filters' },
    ],
  });
};
