import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { WebhookRequest } from '../../../../lib/shops/platforms/platform.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { runs } from '../../../support/samples.ts';
import { receivers } from '../../../../lib/shops/platforms/receivers.ts';
import { translators } from '../../../../lib/shops/platforms/translators.ts';

const store = await startPlatformSecret();
// An existing source whose name alone is known.
store.put({ here: {} });
afterAll(async () => store.close());

const { signal } = new AbortController();
const soon = () => Date.now() + 5_000;

test('each receiver has a translator with the same name', () => {
  expect(Object.keys(receivers)).toEqual(Object.keys(translators));
  for (const [name, receiver] of Object.entries(receivers)) expect(receiver.name).toBe(name);
});

/** Headers that identify platforms, with arbitrary values. */
const names = [
  'x-shopify-hmac-sha256',
  'x-shopify-topic',
  'x-shopify-shop-domain',
  'x-shopify-webhook-id',
  'x-wc-webhook-signature',
  'x-wc-webhook-topic',
  'x-wc-webhook-delivery-id',
  'x-wc-webhook-source',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'svix-signature',
  'saleor-signature',
  'saleor-event',
  'saleor-api-url',
  'x-adobe-digital-signature-1',
  'x-adobe-public-key1-path',
  'x-adobe-event-id',
  'x-adobe-event-code',
  'x-webhook-token',
  'content-type',
] as const;
const value = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.base64String({ maxLength: 64 }),
  fc.constantFrom(
    '',
    ' ',
    ',',
    'here',
    'v1,',
    'returns/request',
    '../../..',
    '/prod/keys/pub-key-1.pem',
    '9'.repeat(40),
  ),
);
const requests: fc.Arbitrary<WebhookRequest> = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const),
  source: fc.constantFrom('here', 'elsewhere', '__proto__', ''),
  query: fc.dictionary(fc.constantFrom('challenge', 'challenge_code', 'x'), value),
  headers: fc.dictionary(fc.constantFrom(...names), value),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
  ),
});

describe.each(Object.keys(receivers))('platform %s', (name) => {
  const receiver = receivers[name];
  const translator = translators[name];
  if (receiver === undefined || translator === undefined) throw new Error(`there is no ${name}`);

  test('authenticates nothing without proof', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        // An invalid entry of the secret is a fault of ours. The frame answers it with a 503.
        const verification = await receiver.authenticate(request, signal).catch((error: unknown) => String(error));
        expect(typeof verification === 'string' ? verification.slice(0, 12) : verification.kind).not.toBe('authentic');
      }),
      { numRuns: runs(60) },
    );
  });

  test('ignores unknown topics, and never throws for a body of a known topic', async () => {
    expect(await translator.prepare({ source: 'elsewhere', topic: 'no/such-topic', body: {} }, soon())).toMatchObject({
      kind: 'ignored',
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(translator.topics())), fc.jsonValue(), async (topic, body) => {
        // An unknown source, so that no API is asked.
        const { kind } = await translator.prepare({ source: 'elsewhere', topic, body }, soon());
        expect(['ignored', 'parked']).toContain(kind);
      }),
      { numRuns: runs(100) },
    );
  });
});
