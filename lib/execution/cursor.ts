import { fail, ok, type Result } from '../contract/result.ts';
import type { OperationName } from '../contract/contract.ts';
import { canonicalJson } from '../returns/history/canonical-json.ts';
import type { Call } from '../contract/port.ts';
import { openSigned, sign, type SigningPurpose } from './signed-text.ts';

/** A list that a caller walks: the operation, who calls, and the filters, whatever order they came in. */
export const cursorScope = (operation: OperationName, { caller }: Call, filters: object): SigningPurpose => [
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

/** An opaque token for a position in a list, which is text of the list's own. */
export const signCursor = sign;

/** The position in a cursor of ours. */
export const openCursor = async (cursor: string, scope: SigningPurpose): Promise<Result<string>> => {
  const position = await openSigned(cursor, scope);
  if (!position.ok) return position;
  return position.value === undefined ? invalid : ok(position.value);
};
