import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../../lib/domain/events/retry.ts';
import { runs } from '../../support/samples.ts';

const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const key = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
const unsigned = 'No matching signature found';
const createdAt = '2026-01-01T00:00:00.000Z';

describe('event signature', () => {
  it('is verified by the library of the standard, for any payload', () => {
    fc.assert(
      fc.property(key, fc.json({ maxDepth: 2 }), fc.uuid(), (secret, body, id) => {
        const headers = signatureHeaders({ id, body }, [{ secret, createdAt }], Date.now());
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(unsigned);
        expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': `${id}x` })).toThrow(unsigned);
      }),
      { numRuns: runs(100) },
    );
  });

  it('holds both secrets while they overlap, the new one first, and only the new one afterwards', () => {
    const [next = '', before = ''] = fc.sample(key, 2);
    const now = Date.now();
    const until = (expiresAt: number) => [
      { secret: next, createdAt },
      { secret: before, createdAt, expiresAt: new Date(expiresAt).toISOString() },
    ];
    const event = { id: 'evt_1', body: '{}' };
    const overlapping = signatureHeaders(event, until(now + 1), now);
    for (const secret of [next, before]) expect(new Webhook(secret).verify('{}', overlapping)).toEqual({});
    const alone = signatureHeaders(event, until(now), now);
    expect(alone['webhook-signature']).toBe(overlapping['webhook-signature'].split(' ')[0]);
    expect(() => new Webhook(before).verify('{}', alone)).toThrow(unsigned);
  });
});
