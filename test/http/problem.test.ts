import { expect, it } from 'vitest';
import { problemResponse } from '../../lib/http/problem.ts';

it.each([
  ['invalid_token', 401, 'Bearer error="invalid_token"'],
  ['insufficient_scope', 403, 'Bearer error="insufficient_scope"'],
  ['invalid_signature', 401, undefined],
  ['return_not_found', 404, undefined],
] as const)('%s says what the token lacks, if it is the token', (code, status, challenge) => {
  const { statusCode, headers } = problemResponse({ code, detail: 'No.' }, 'trace-1');
  expect(statusCode).toBe(status);
  expect(headers?.['www-authenticate']).toBe(challenge);
});

it('insufficient_scope names the scope that the operation needs (RFC 6750, 3)', () => {
  const { headers } = problemResponse({ code: 'insufficient_scope', detail: 'No.' }, 'trace-1', 'returns:write');
  expect(headers?.['www-authenticate']).toBe('Bearer scope="returns:write" error="insufficient_scope"');
});
