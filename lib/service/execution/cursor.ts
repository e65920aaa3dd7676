import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { OperationName } from '../../contract/contract.ts';
import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';
import { type Call, callerParts } from '../../contract/port.ts';
import { openSigned, sign } from './signed-text.ts';
import type { SigningPurpose } from './signer.ts';

/** Binds a cursor to the operation, the caller and the filters. The order of the filters does not matter. */
export const cursorScope = (operation: OperationName, { caller }: Call, filters: object): SigningPurpose => [
  operation,
  ...callerParts(caller),
  caller.onBehalfOf ?? '',
  canonicalJson(filters),
];

const invalid = fail({
  code: 'invalid_cursor' as const,
  detail: 'The cursor is malformed or belongs to another request.',
  errors: [
    { path: '/cursor', code: 'cursor', message: 'must be the nextCursor of the previous page, with the same filters' },
  ],
});

/** Makes an opaque token for a position in a list. Each list defines the text of its positions. */
export const signCursor = sign;

/** Returns the position in a cursor, or a failure when the cursor is not valid for this scope. */
export const openCursor = async (cursor: string, scope: SigningPurpose): Promise<Result<string>> => {
  const position = await openSigned(cursor, scope);
  if (!position.ok) return position;
  return position.value === undefined ? invalid : ok(position.value);
};
