import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSources } from '../platforms/platform-secret.ts';
import { api } from '../support/api.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { logsOfDeliveries } from './shopify-logs.ts';
import { standaloneDeliveries } from './shopify-standalone.ts';
import { hooksOf, type Hooks, type Signed } from './support.ts';
import { sample } from '../support/samples.ts';

const unsignedShop = 'unsigned.myshopify.com';
const otherShop = 'other-shop.myshopify.com';
const otherSecret = 'a-secret-of-another-shop';

let stack: OwnStack;
let hooks: Record<'connected' | 'standalone', Hooks>;
let orders: string[];
/** What nobody believes is of this order, so that looking for changes takes no units of another. */
let unbelieved: string;

beforeAll(async () => {
  stack = await startOwnStack();
  hooks = { connected: hooksOf(stack, 'connected'), standalone: hooksOf(stack, 'standalone') };
  orders = [...stack.info.webhooks.shopify.orderIds];
  [unbelieved = ''] = stack.shop.sell(1);
  await addSources(stack.secrets, 'shopify', {
    [unsignedShop]: { webhookSecrets: [''], accessToken: 'unused' },
    [otherShop]: { webhookSecrets: [otherSecret], accessToken: 'unused' },
  });
});
afterAll(async () => stack.close());

const freshOrder = () => orders.shift() ?? '';

const deliver = async (delivery: Signed) => hooks.connected.deliver(delivery);
const inbox = async (deliveryId: string) => hooks.connected.inbox(deliveryId);
const settled = async (deliveryId = '') => hooks.connected.settled(deliveryId);

/** A delivery with another body or other headers, signed for what it is unless `secret` is another. */
const forged = (body: string, change: Record<string, string> = {}, secret = stack.info.webhooks.shopify.secret) => {
  const { headers } = stack.shop.webhook(unbelieved);
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const signed: Record<string, string> = { ...headers, 'x-shopify-hmac-sha256': signature, ...change };
  return { headers: signed, body: Buffer.from(body) };
};

/** How many returns the service has of an order, whichever way has found what the shop has. */
const returnsOf = async (orderId: string): Promise<number> => {
  const { body } = await api('standalone', stack.info).get(`/returns?platform=shopify&orderId=${orderId}`);
  return body.items.length;
};

describe('what is not believed', () => {
  const refused = { status: 401, code: 'invalid_signature', kept: [] };
  const attempt = async (delivery: Signed) => {
    const { status, text } = await deliver(delivery);
    const { code } = JSON.parse(text) as { code: string };
    return { status, code, kept: await inbox(delivery.headers['x-shopify-webhook-id'] ?? 'none') };
  };

  it('a signature by another secret', async () => {
    expect(await attempt(forged('{}', {}, 'a-secret-of-somebody-else'))).toEqual(refused);
  });

  it('a signature over other bytes', async () => {
    const { headers, body } = stack.shop.webhook(unbelieved);
    expect(await attempt({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })).toEqual(refused);
    expect(await attempt({ headers, body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) })).toEqual(refused);
  });

  it('no signature', async () => {
    const { headers, body } = stack.shop.webhook(unbelieved);
    const { 'x-shopify-hmac-sha256': _, ...unsigned } = headers;
    expect(await attempt({ headers: unsigned, body })).toEqual(refused);
    expect(await attempt({ headers: { ...unsigned, 'x-shopify-hmac-sha256': '' }, body })).toEqual(refused);
  });

  it('a shop whose secret is empty, though the signature fits it', async () => {
    const delivery = forged('{}', { 'x-shopify-shop-domain': unsignedShop }, '');
    expect(await attempt(delivery)).toEqual({ status: 500, code: 'internal_error', kept: [] });
  });

  it('a shop that nobody knows', async () => {
    expect(await attempt(forged('{}', { 'x-shopify-shop-domain': 'other.myshopify.com' }))).toEqual(refused);
  });

  it('the word of one shop for another', async () => {
    expect(await attempt(forged('{}', {}, otherSecret))).toEqual(refused);
    const theirs = forged('{}', { 'x-shopify-shop-domain': otherShop }, otherSecret);
    expect(await deliver(theirs)).toEqual({ status: 200, text: '' });
  });
});

describe('what is believed', () => {
  it('becomes one return, with the real lines of the order and the customer’s words', async () => {
    const delivery = stack.shop.webhook(freshOrder(), { quantity: 1, customerNote: 'too small' });
    expect(await deliver(delivery)).toEqual({ status: 200, text: '' });
    const [row] = await settled(delivery.headers['x-shopify-webhook-id']);
    const { body } = await api('connected', stack.info).get(`/returns/${String(row?.['returnId'])}`);
    expect(body).toMatchObject({
      status: 'requested',
      managedBy: 'platform',
      initiatedBy: 'customer',
      externalRefs: [{ platform: 'shopify', id: delivery.returnGid }],
      lines: [{ quantities: { requested: 1 }, reason: { note: 'too small', source: { system: 'shopify' } } }],
    });
  });

  it('is taken many times at once and makes one return', async () => {
    const order = freshOrder();
    const delivery = stack.shop.webhook(order);
    // As a shop does, which sends again what was not taken in time.
    const deliverOn = async () => {
      for (;;) {
        const { status, text } = await deliver(delivery);
        if (status !== 503) return `${status} ${text}`;
      }
    };
    const answers = await Promise.all(sample(Array.from({ length: 50 }), 3).map(deliverOn));
    expect(new Set(answers)).toEqual(new Set(['200 ']));
    const [row] = await settled(delivery.headers['x-shopify-webhook-id']);
    expect(row).toMatchObject({ status: 'done', returnId: expect.stringMatching(/^ret_/) });
    await drained();
    expect(await returnsOf(order)).toBe(1);
  });

  it('makes one return also when the same signed bytes come under another delivery id', async () => {
    const order = freshOrder();
    const delivery = stack.shop.webhook(order);
    await deliver(delivery);
    await settled(delivery.headers['x-shopify-webhook-id']);
    const again = { ...delivery, headers: { ...delivery.headers, 'x-shopify-webhook-id': randomUUID() } };
    expect(await deliver(again)).toEqual({ status: 200, text: '' });
    await drained();
    expect(await returnsOf(order)).toBe(1);
  });

  it('is not held up by the same delivery that came under a false topic first', async () => {
    const order = freshOrder();
    const delivery = stack.shop.webhook(order);
    await deliver({ ...delivery, headers: { ...delivery.headers, 'x-shopify-topic': 'returns/unheard-of' } });
    await settled(delivery.headers['x-shopify-webhook-id']);
    await deliver(delivery);
    const rows = await settled(delivery.headers['x-shopify-webhook-id']);
    expect(rows.map(({ topic, status }) => `${String(topic)} ${String(status)}`).toSorted()).toEqual([
      'returns/request done',
      'unknown ignored',
    ]);
    expect(await returnsOf(order)).toBe(1);
  });

  it.each(['connected', 'standalone'] as const)(
    'is parked by the %s mode when it is more than a return can be',
    async (mode) => {
      const delivery = stack.shop.webhook(freshOrder(), { quantity: 100_001 });
      expect(await hooks[mode].deliver(delivery)).toEqual({ status: 200, text: '' });
      expect((await hooks[mode].settled(delivery.headers['x-shopify-webhook-id']))[0]).toMatchObject({
        status: 'parked',
        reason: 'invalid_request at /lines/0/quantity: maximum',
      });
    },
  );

  it('is kept and parked with its reason when the body is not what its topic says', async () => {
    const delivery = forged('{"admin_graphql_api_id":"gid://shopify/Order/1","status":"requested"}');
    expect(await deliver(delivery)).toEqual({ status: 200, text: '' });
    const [row] = await settled(delivery.headers['x-shopify-webhook-id']);
    expect(row).toMatchObject({ status: 'parked', reason: 'payload_unexpected at /admin_graphql_api_id' });
  });

  it('bigcommerce/dev-docs#28: is kept and parked, with a 200, when it is not even JSON', async () => {
    const delivery = forged('<xml/>');
    expect(await deliver(delivery)).toEqual({ status: 200, text: '' });
    expect((await settled(delivery.headers['x-shopify-webhook-id']))[0]).toMatchObject({
      status: 'parked',
      reason: 'payload_not_json',
    });
  });
});

describe('what goes wrong', () => {
  it('ends in the DLQ with its reason when it is no message of ours', async () => {
    await hooks.connected.send('poison');
    expect(await hooks.connected.deadLetters()).toMatchObject([
      { Body: 'poison', MessageAttributes: { reason: { StringValue: 'message_invalid' }, detail: expect.anything() } },
    ]);
  });
});

describe('the standalone mode', () => {
  standaloneDeliveries(() => stack);
});

describe('the logs of both modes', () => {
  logsOfDeliveries(() => stack);
});

/** Waits until the function has dealt with a message that was sent after all others. */
const drained = async (): Promise<void> => {
  const marker = forged(JSON.stringify({ marker: randomUUID() }));
  await deliver(marker);
  await settled(marker.headers['x-shopify-webhook-id']);
};
