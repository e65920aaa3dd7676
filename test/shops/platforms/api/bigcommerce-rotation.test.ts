import { afterAll, describe, expect, test } from 'vitest';
import { signed } from '../bigcommerce-store.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { receiver } from '../../../../lib/shops/platforms/bigcommerce/platform.ts';

const store = await startPlatformSecret();
const hold = (...webhookSecrets: readonly string[]) => store.put({ abc123: { webhookSecrets, accessToken: 'token' } });
const [old, renewed] = ['the-client-secret-of-the-app', 'the-new-client-secret-of-the-app'];
hold(old);
const { signal } = new AbortController();

afterAll(() => store.close());

const body = Buffer.from('{"scope":"store/order/updated","data":{"type":"order","id":1},"producer":"stores/abc123"}');
const authenticate = async (secret: string) =>
  receiver.authenticate({ method: 'POST', query: {}, headers: signed(body, secret), body }, signal);

describe('BigCommerce secret rotation', () => {
  test('accepts a new secret as soon as it is stored, and does not read the secret for every forgery', async () => {
    expect((await authenticate(old)).kind).toBe('authentic');
    hold(renewed, old);
    expect((await authenticate(renewed)).kind).toBe('authentic');
    expect((await authenticate(old)).kind).toBe('authentic');
    const before = store.reads();
    for (let count = 0; count < 20; count += 1)
      expect((await authenticate('a-secret-that-is-not-ours')).kind).toBe('rejected');
    expect(store.reads() - before).toBeLessThanOrEqual(1);
  });
});
