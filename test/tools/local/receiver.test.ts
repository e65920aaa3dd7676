import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WebhookReceived } from '../../../lib/tools/local/events.ts';
import { startReceiver } from '../../../lib/tools/local/emulators/receiver.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const signatureOf = (secret: string, signed: string) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

type Signing = { readonly id?: string; readonly at?: number; readonly by?: readonly string[] };

const start = async () => {
  const webhooks: WebhookReceived[] = [];
  const receiver = await startReceiver(0, (webhook) => webhooks.push(webhook));
  onTestFinished(receiver.close);
  const secret = newSecret();
  const post = async (content: unknown, { id = 'evt_1', at = Date.now(), by = [secret] }: Signing = {}) => {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    const timestamp = String(Math.floor(at / 1000));
    const signatures = by.map((key) => signatureOf(key, `${id}.${timestamp}.${body}`));
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };
  return { ...receiver, secret, post, webhooks };
};

const event = { specversion: '1.0', type: 'returns.return.approved', subject: 'ret_1', data: {} };

describe('local webhook receiver', () => {
  test('accepts an event with a valid signature, and reports a repeat', async () => {
    const { trust, secret, post, webhooks } = await start();
    trust(secret);
    expect([await post(event), await post(event)]).toEqual([204, 204]);
    const verified = { type: 'webhook', status: 204, verification: 'verified', id: 'evt_1', at: expect.any(Number) };
    const received = { ...verified, event: { type: 'returns.return.approved', subject: 'ret_1' } };
    expect(webhooks).toEqual([false, true].map((isRepeated) => ({ ...received, isRepeated })));
  });

  test('accepts either of two secrets during a rotation', async () => {
    const { trust, secret, post } = await start();
    const next = newSecret();
    trust(next);
    expect(await post(event, { by: [secret] })).toBe(401);
    expect(await post(event, { by: [secret, next] })).toBe(204);
    trust(secret);
    expect(await post(event, { by: [secret] })).toBe(204);
  });

  test('asks for a retry while it does not have the secret', async () => {
    const { post, webhooks } = await start();
    expect(await post(event)).toBe(503);
    expect(webhooks).toEqual([
      { type: 'webhook', status: 503, verification: 'no_usable_secret', at: expect.any(Number) },
    ]);
  });

  test.each([
    ['signed with another secret', event, { by: [newSecret()] }, 401, 'signature_mismatch'],
    ['signed too long ago', event, { at: Date.now() - 3_600_000 }, 401, 'signature_expired'],
    ['unsigned', event, { by: [] }, 401, 'signature_missing'],
    ['without an id', event, { id: '' }, 400, 'malformed webhook-id'],
    ['no JSON', '{', {}, 400, 'not_a_cloud_event'],
    ['no CloudEvent', { ...event, specversion: '0.3' }, {}, 400, 'not_a_cloud_event'],
    ['too large', 'x'.repeat(600_000), {}, 413, 'too_large'],
  ])('rejects an event that is %s', async (_, content, signing, status, verification) => {
    const { trust, secret, post, webhooks } = await start();
    trust(secret);
    expect(await post(content, signing)).toBe(status);
    expect(webhooks).toEqual([{ type: 'webhook', status, verification, at: expect.any(Number) }]);
  });

  test('rejects other methods, and an invalid secret', async () => {
    const { url, trust } = await start();
    expect((await fetch(url)).status).toBe(405);
    expect(() => trust('whsec_short')).toThrow('must be whsec_ and the base64 of 24 to 64 bytes');
  });
});
