import { afterEach, describe, expect, it } from 'vitest';
import { problemOf, problemResponse } from '../../../lib/edge/http/problem.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

it.each([
  ['invalid_token', 401, 'Bearer error="invalid_token"'],
  ['insufficient_scope', 403, 'Bearer error="insufficient_scope"'],
  ['invalid_signature', 401, undefined],
  ['return_not_found', 404, undefined],
] as const)('%s sets WWW-Authenticate only for a token error', (code, status, challenge) => {
  const { statusCode, headers } = problemResponse({ code, detail: 'No.' }, 'trace-1');
  expect(statusCode).toBe(status);
  expect(headers?.['www-authenticate']).toBe(challenge);
});

it.each(['insufficient_scope', 'invalid_token'] as const)(
  '%s names the scope that the operation needs (RFC 6750, 3)',
  (code) => {
    const { headers } = problemResponse({ code, detail: 'No.' }, 'trace-1', { scope: 'returns:write' });
    expect(headers?.['www-authenticate']).toBe(`Bearer scope="returns:write" error="${code}"`);
  },
);

describe('type of a problem', () => {
  afterEach(restoreEnvironment);
  const failure = { code: 'return_not_found', detail: 'No.' } as const;

  it('begins with the origin of the API that received the request', () => {
    expect(problemOf(failure, 't', 'api.example.com').type).toBe(
      'https://api.example.com/docs/errors/return_not_found',
    );
    expect(problemOf(failure, 't', '127.0.0.1:8080').type).toBe('http://127.0.0.1:8080/docs/errors/return_not_found');
  });

  it('begins with DOCS_URL when it is set', () => {
    stubEnvironment({ DOCS_URL: 'https://docs.example.com' });
    expect(problemOf(failure, 't', 'api.example.com').type).toBe(
      'https://docs.example.com/docs/errors/return_not_found',
    );
  });

  it('is relative without a usable domain', () => {
    stubEnvironment({ DOCS_URL: 'none' });
    for (const domainName of [undefined, '', 'a/b', 'evil.example/?', ' '])
      expect(problemOf(failure, 't', domainName).type).toBe('/docs/errors/return_not_found');
  });
});
