import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conceal } from '../../../lib/access/oauth/conceal.ts';
import { Redacted } from '../../../lib/access/secrets/failure-reason.ts';

const secret = fc.string({ minLength: 8, maxLength: 200 });
const around = fc.string({ maxLength: 20 });
const encodings = fc.constantFrom('base64', 'base64url', 'utf8');
const answer = (text: string, header = '') => ({ status: 200, headers: { 'x-a': header }, body: Buffer.from(text) });

describe('conceal', () => {
  it('removes a secret in base64 within any other text', () => {
    fc.assert(
      fc.property(secret, around, around, encodings, (text, before, after, encoding) => {
        const encoded = Buffer.from(before + text + after).toString(encoding);
        const { body, headers } = conceal(answer(`{"detail":"${encoded}"}`, encoded), [new Redacted(text)]);
        expect(body.toString()).toContain('[redacted]');
        expect(headers['x-a']).toContain('[redacted]');
        expect(body.toString()).not.toContain(encoded);
      }),
    );
  });

  it('returns a response without a secret as it is', () => {
    const response = answer('{"id":"ret_1"}', '"7"');
    expect(conceal(response, [new Redacted('a-token-of-length'), undefined])).toBe(response);
  });
});
