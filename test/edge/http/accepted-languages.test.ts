import { describe, expect, it } from 'vitest';
import { getDecision, getReturn } from '../../../lib/contract/operations.ts';
import { invocationOf } from '../../../lib/edge/http/direct-handler.ts';
import { respond } from '../../../lib/edge/http/operation.ts';
import { acceptedLanguages } from '../../../lib/edge/http/preconditions.ts';

describe('acceptedLanguages', () => {
  it('passes the header through unchanged, for an operation with texts', () => {
    expect(acceptedLanguages(getDecision, 'pt-BR, en;q=0.5')).toEqual({ acceptLanguage: 'pt-BR, en;q=0.5' });
    expect(acceptedLanguages(getReturn, 'pt-BR')).toEqual({});
  });

  it.each([undefined, '', 'español', 'de\n', 'x'.repeat(501)])('ignores an unusable value: %j', (field) => {
    expect(acceptedLanguages(getDecision, field)).toEqual({});
  });

  it('reads the field of a direct invocation only for such an operation', () => {
    const event = { input: {}, acceptLanguage: 'de' };
    expect(invocationOf(getDecision, event)).toEqual({ ok: true, value: event });
    expect(invocationOf(getReturn, event)).toMatchObject({
      ok: false,
      failure: { errors: [{ path: '/acceptLanguage', code: 'unknown_field' }] },
    });
  });
});

it('sets the language of a response, and Vary', () => {
  const response = respond({ ok: true, value: { status: 200, body: {}, language: 'de' } }, 'trace');
  expect(response.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Language' });
  const other = respond({ ok: true, value: { status: 200, body: {} } }, 'trace');
  expect(other.headers).not.toHaveProperty('vary');
});
