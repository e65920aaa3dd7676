import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as eligibilityTokens from '../../../lib/service/operations/decisions/eligibility-token.ts';
import { openSigningSecret, type SigningSecret } from '../../support/signing-secret.ts';
import { goldenCase } from '../../domain/policies/documents.ts';

const policyId = 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0';
const requestedAt = '2026-11-20T10:00:00.000Z';
const decided = { policyId, version: 3, facts: { ...goldenCase.facts, requestedAt } };
const request = {
  order: { platform: 'web', orderId: '1' },
  lines: [{ orderLineId: '11', quantity: 1, reason: { code: 'fit.too_small' } }],
};

let secret: SigningSecret;
beforeEach(async () => {
  secret = await openSigningSecret();
});
afterEach(async () => secret[Symbol.asyncDispose]());

/** Returns the tokens of a new container. */
const tokens = () => {
  secret.use();
  return eligibilityTokens;
};

describe('eligibility token', () => {
  it('is valid for 15 minutes, and not a millisecond longer', async () => {
    const { issueToken, openToken } = tokens();
    const issued = await issueToken(request, decided);
    if (!issued.ok) throw new Error(issued.failure.code);
    const { eligibilityToken, expiresAt } = issued.value;
    expect(expiresAt).toBe('2026-11-20T10:15:00.000Z');
    expect(await openToken(eligibilityToken, request, '2026-11-20T10:14:59.999Z')).toMatchObject({
      ok: true,
      value: { policyId, version: 3, at: requestedAt, expiresAt },
    });
    expect(await openToken(eligibilityToken, request, expiresAt)).toMatchObject({
      ok: false,
      failure: { code: 'quote_stale', errors: [{ path: '/eligibilityToken', code: 'expired' }] },
    });
  });

  it('is invalid for another request, and after two rotations of the key', async () => {
    const { issueToken, openToken } = tokens();
    const issued = await issueToken(request, decided);
    if (!issued.ok) throw new Error(issued.failure.code);
    const { eligibilityToken } = issued.value;
    const rejected = { ok: false, failure: { code: 'invalid_request', errors: [{ code: 'token' }] } };
    const two = request.lines.map((line) => ({ ...line, quantity: 2 }));
    expect(await openToken(eligibilityToken, { ...request, lines: two }, requestedAt)).toMatchObject(rejected);
    await secret.rotate('the-second-key');
    expect(await tokens().openToken(eligibilityToken, request, requestedAt)).toMatchObject({ ok: true });
    await secret.rotate('the-third-key');
    expect(await tokens().openToken(eligibilityToken, request, requestedAt)).toMatchObject(rejected);
  });
});
