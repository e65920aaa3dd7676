import { afterAll, describe, expect, test } from 'vitest';
import { receivers } from '../../../../lib/shops/platforms/receivers.ts';
import { parseExactJson } from '../../../../lib/runtime/exact-json.ts';
import { instant } from '../../../../lib/shops/platforms/shared/fields/fields.ts';
import { translators } from '../../../../lib/shops/platforms/translators.ts';
import { parseJson } from '../../../../lib/runtime/json.ts';
import { startPlatformSecret } from '../platform-secret.ts';

const store = await startPlatformSecret();
// The entry has the fields that the platforms require.
const words = ['accessToken', 'appKey', 'appToken', 'clientId', 'clientSecret', 'consumerKey', 'consumerSecret'];
store.put({
  here: {
    ...Object.fromEntries([...words, 'secretApiKey'].map((word) => [word, 'x'])),
    webhookSecrets: ['a secret that is long enough'],
    apiUrl: 'https://shop.invalid',
    authUrl: 'https://a.invalid',
  },
});
afterAll(async () => store.close());

const { signal } = new AbortController();
const deep = (open: string, close: string, inner = '') => open.repeat(150_000) + inner + close.repeat(150_000);

/** Odd content of a body of one mebibyte. */
const bodies: readonly (readonly [string, string])[] = [
  ['nested lists', deep('[', ']')],
  ['nested objects', deep('{"order":', '}', '{}')],
  ['a million digits', `{"id":${'9'.repeat(1_000_000)}}`],
  ['a lone surrogate', '{"id":"\\ud800","admin_graphql_api_id":"gid://shopify/Return/\\udfff"}'],
  ['a NUL', '{"id":"\\u0000","OrderId":"\\u0000"}'],
  ['a byte order mark', '\ufeff{"id":1}'],
  ['prototypes', '{"__proto__":{"id":1},"constructor":{"id":1}}'],
  ['many equal entries', `[${'{"id":"T3JkZXI6MQ=="},'.repeat(40_000)}{}]`],
];

describe.each(Object.keys(receivers))('platform %s', (name) => {
  const receiver = receivers[name];
  const translator = translators[name];
  if (receiver === undefined || translator === undefined) throw new Error(`there is no ${name}`);

  test.each(bodies)('neither accepts a body of %s nor takes long for it', async (_, text) => {
    const body = parseJson(text);
    const before = process.threadCpuUsage();
    for (const topic of Object.keys(translator.topics()).slice(0, 3)) {
      // An unknown source, so that no API is asked.
      const { kind } = await translator.prepare({ source: 'elsewhere', topic, body }, Date.now() + 5_000);
      expect(['ignored', 'parked']).toContain(kind);
    }
    const request = { method: 'POST', source: 'here', query: {}, headers: {}, body: Buffer.from(text) } as const;
    const verification = await receiver.authenticate(request, signal);
    expect(verification.kind).not.toBe('authentic');
    // CPU microseconds of this thread. A quadratic cost in the size of the body takes several seconds.
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

test('parseExactJson reads a byte order mark and rejects too deep nesting', () => {
  expect(parseExactJson('\ufeff{"total":1.10}')).toEqual({ total: '1.10' });
  expect(parseExactJson(deep('[', ']'))).toBeUndefined();
});

test.each(['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '10000-01-01T00:00:00Z', 'NaN', ''])(
  'instant rejects %j',
  (text) => expect(instant(text)).toBeUndefined(),
);
