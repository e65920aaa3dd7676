import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebhookReceived } from '../../../lib/tools/local/events.ts';
import { startReceiver } from '../../../lib/tools/local/emulators/receiver.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Starts a receiver, and returns a call that posts a body with a signature by this secret. */
const start = async () => {
  const webhooks: WebhookReceived[] = [];
  const receiver = await startReceiver(0, (webhook) => webhooks.push(webhook));
  onTestFinished(receiver.close);
  const post = async (body: string, secret: string, id = 'evt_1') => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };
  return { ...receiver, post, webhooks };
};

const event = { specversion: '1.0', type: 'returns.return.approved', subject: 'ret_1', data: {} };
const content = JSON.stringify(event);
const at = expect.any(Number) as number;

// test/shops/platforms has the other failures of the signature.
describe('local webhook receiver', () => {
  it('asks for a retry until it has a secret, then accepts an event signed by one of two, and reports a repeat', async () => {
    const { trust, post, webhooks } = await start();
    const [first, second] = [newSecret(), newSecret()];
    expect(await post(content, first)).toBe(503);
    for (const secret of [first, second]) trust(secret);
    expect([await post(content, first), await post(content, second)]).toEqual([204, 204]);
    const verified = { type: 'webhook', status: 204, verification: 'verified', id: 'evt_1', at };
    const received = { ...verified, event: { type: 'returns.return.approved', subject: 'ret_1' } };
    expect(webhooks).toEqual([
      { type: 'webhook', status: 503, verification: 'no_usable_secret', at },
      ...[false, true].map((isRepeated) => ({ ...received, isRepeated })),
    ]);
  });

  const trusted = newSecret();
  it.each([
    ['signed with another secret', content, newSecret(), 'evt_1', 401, 'signature_mismatch'],
    ['without an id', content, trusted, '', 400, 'malformed webhook-id'],
    ['no JSON', '{', trusted, 'evt_1', 400, 'not_a_cloud_event'],
    ['no CloudEvent', JSON.stringify({ ...event, specversion: '0.3' }), trusted, 'evt_1', 400, 'not_a_cloud_event'],
    ['too large', 'x'.repeat(600_000), trusted, 'evt_1', 413, 'too_large'],
  ])('rejects an event that is %s', async (_, body, secret, id, status, verification) => {
    const { trust, post, webhooks } = await start();
    trust(trusted);
    expect(await post(body, secret, id)).toBe(status);
    expect(webhooks).toEqual([{ type: 'webhook', status, verification, at }]);
  });

  it('rejects other methods, and an invalid secret', async () => {
    const { url, trust } = await start();
    expect((await fetch(url)).status).toBe(405);
    expect(() => trust('whsec_short')).toThrow('must be whsec_ and the base64 of 24 to 64 bytes');
  });
});
