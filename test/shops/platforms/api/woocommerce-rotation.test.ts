import { afterAll, describe, expect, test } from 'vitest';
import { sign } from '../../../../lib/shops/platforms/woocommerce/verify.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { receiver } from '../../../../lib/shops/platforms/woocommerce/platform.ts';

const store = await startPlatformSecret();
const hold = (...webhookSecrets: readonly string[]) =>
  store.put({
    shop: { webhookSecrets, consumerKey: 'ck', consumerSecret: 'cs', apiUrl: 'https://shop.example' },
  });
hold('theSecretOfTheWebhook');
const { signal } = new AbortController();

afterAll(() => store.close());

const body = Buffer.from('{"id":723}');
const authenticate = async (secret: string) =>
  receiver.authenticate(
    {
      method: 'POST',
      source: 'shop',
      query: {},
      headers: {
        'x-wc-webhook-topic': 'order.updated',
        'x-wc-webhook-delivery-id': 'abc',
        'x-wc-webhook-signature': sign(body, secret),
      },
      body,
    },
    signal,
  );

describe('WooCommerce secret rotation', () => {
  test('accepts a new secret as soon as it is stored, and does not read the secret for every forgery', async () => {
    expect((await authenticate('theSecretOfTheWebhook')).kind).toBe('authentic');
    hold('theNewSecretOfTheWebhook', 'theSecretOfTheWebhook');
    expect((await authenticate('theNewSecretOfTheWebhook')).kind).toBe('authentic');
    expect((await authenticate('theSecretOfTheWebhook')).kind).toBe('authentic');
    const before = store.reads();
    for (let count = 0; count < 20; count += 1)
      expect((await authenticate('aSecretThatIsNotOurs')).kind).toBe('rejected');
    expect(store.reads() - before).toBeLessThanOrEqual(1);
  });
});
