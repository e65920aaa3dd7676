import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/web-api';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sign, verify } from '../../../lib/shops/platforms/shopify/headers.ts';
import { runs } from '../../support/samples.ts';

const secret = 'hush-this-is-a-client-secret';
const theirs = shopifyApi({
  apiKey: 'key',
  apiSecretKey: secret,
  apiVersion: ApiVersion.October26,
  hostName: 'app.example',
  isEmbeddedApp: false,
  logger: { log: () => undefined },
});

const headersFor = (signature: string): Record<string, string> => ({
  'x-shopify-topic': 'returns/request',
  'x-shopify-shop-domain': 'northfold.myshopify.com',
  'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
  'x-shopify-api-version': '2026-10',
  'x-shopify-hmac-sha256': signature,
});

/** Returns the verification of Shopify's own library, which requires text bodies. */
const theyAccept = async (body: string, signature: string): Promise<boolean> => {
  const rawRequest = new Request('https://app.example/', { method: 'POST', headers: headersFor(signature) });
  return (await theirs.webhooks.validate({ rawBody: body, rawRequest })).valid;
};
const weAccept = (body: string, signature: string): boolean =>
  verify(Buffer.from(body), headersFor(signature), [secret]).kind === 'authentic';

const bodies = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map((text) => text.toWellFormed());
const signatures = fc.oneof(
  fc.base64String({ minLength: 44, maxLength: 44 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }).filter((text) => text.trim() === text),
);

describe('Shopify verify', () => {
  test('agrees with @shopify/shopify-api about signed and unsigned bodies', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, bodies, signatures, async (body, other, forged) => {
        const signature = sign(Buffer.from(body), secret);
        expect([await theyAccept(body, signature), weAccept(body, signature)]).toEqual([true, true]);
        const isSame = body === other;
        expect([await theyAccept(other, signature), weAccept(other, signature)]).toEqual([isSame, isSame]);
        expect(weAccept(body, forged)).toBe(await theyAccept(body, forged));
      }),
      { numRuns: runs(100) },
    );
  });
});
