import { describe, expect, it } from 'vitest';
import { getDecision, getReturn } from '../../lib/contract/operations.ts';
import { invocationOf } from '../../lib/http/direct-handler.ts';
import { respond } from '../../lib/http/operation.ts';
import { acceptedLanguages } from '../../lib/http/preconditions.ts';

describe('acceptedLanguages', () => {
  it('hands on the field as it is, for an operation that has texts', () => {
    expect(acceptedLanguages(getDecision, 'pt-BR, en;q=0.5')).toEqual({ acceptLanguage: 'pt-BR, en;q=0.5' });
    expect(acceptedLanguages(getReturn, 'pt-BR')).toEqual({});
  });

  it.each([undefined, '', 'español', 'de\n', 'x'.repeat(501)])('ignores what cannot be used: %j', (field) => {
    expect(acceptedLanguages(getDecision, field)).toEqual({});
  });

  it('is a field of a direct invocation of such an operation alone', () => {
    const event = { input: {}, acceptLanguage: 'de' };
    expect(invocationOf(getDecision, event)).toEqual({ ok: true, value: event });
    expect(invocationOf(getReturn, event)).toMatchObject({
      ok: false,
      failure: { errors: [{ path: '/acceptLanguage', code: 'unknown_field' }] },
    });
  });
});

it('says in which language an answer is, and what that depends on', () => {
  const response = respond({ ok: true, value: { status: 200, body: {}, language: 'de' } }, 'trace');
  expect(response.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Language' });
  const other = respond({ ok: true, value: { status: 200, body: {} } }, 'trace');
  expect(other.headers).not.toHaveProperty('vary');
});
