import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSources } from '../shops/platforms/platform-secret.ts';
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
/** Refused deliveries name this order, so that reconciliation uses no units of another order. */
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

/** Returns a delivery with another body or other headers, signed with the shop's secret or with `secret`. */
const forged = (body: string, change: Record<string, string> = {}, secret = stack.info.webhooks.shopify.secret) => {
  const { headers } = stack.shop.webhook(unbelieved);
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const signed: Record<string, string> = { ...headers, 'x-shopify-hmac-sha256': signature, ...change };
  return { headers: signed, body: Buffer.from(body) };
};

/** Counts the service's returns of an order, whether a delivery or reconciliation created them. */
const returnsOf = async (orderId: string): Promise<number> => {
  const { body } = await api('standalone', stack.info).get(`/returns?platform=shopify&orderId=${orderId}`);
  return body.items.length;
};

describe('rejected Shopify deliveries', () => {
  const rejected = { status: 401, code: 'invalid_signature', stored: [] };
  const attempt = async (delivery: Signed) => {
    const { status, text } = await deliver(delivery);
    const { code } = JSON.parse(text) as { code: string };
    return { status, code, stored: await inbox(delivery.headers['x-shopify-webhook-id'] ?? 'none') };
  };

  it('returns 401 for a signature by another secret', async () => {
    expect(await attempt(forged('{}', {}, 'a-secret-of-another-app'))).toEqual(rejected);
  });

  it('returns 401 for a signature over other bytes', async () => {
    const { headers, body } = stack.shop.webhook(unbelieved);
    expect(await attempt({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })).toEqual(rejected);
    expect(await attempt({ headers, body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) })).toEqual(
      rejected,
    );
  });

  it('returns 401 without a signature', async () => {
    const { headers, body } = stack.shop.webhook(unbelieved);
    const { 'x-shopify-hmac-sha256': _, ...unsigned } = headers;
    expect(await attempt({ headers: unsigned, body })).toEqual(rejected);
    expect(await attempt({ headers: { ...unsigned, 'x-shopify-hmac-sha256': '' }, body })).toEqual(rejected);
  });

  it('returns 401 for a shop with an empty secret, though the signature matches it', async () => {
    const delivery = forged('{}', { 'x-shopify-shop-domain': unsignedShop }, '');
    expect(await attempt(delivery)).toEqual({ status: 500, code: 'internal_error', stored: [] });
  });

  it('returns 401 for an unknown shop', async () => {
    expect(await attempt(forged('{}', { 'x-shopify-shop-domain': 'other.myshopify.com' }))).toEqual(rejected);
  });

  it('returns 401 for a delivery that another shop signed', async () => {
    expect(await attempt(forged('{}', {}, otherSecret))).toEqual(rejected);
    const theirs = forged('{}', { 'x-shopify-shop-domain': otherShop }, otherSecret);
    expect(await deliver(theirs)).toEqual({ status: 200, text: '' });
  });
});

describe('accepted Shopify deliveries', () => {
  it('become one return, with the lines of the order and the customer’s note', async () => {
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

  it('become one return when the same delivery arrives many times at once', async () => {
    const order = freshOrder();
    const delivery = stack.shop.webhook(order);
    // As a shop does, which repeats a delivery without a timely answer.
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

  it('become one return when the same signed bytes arrive under another delivery id', async () => {
    const order = freshOrder();
    const delivery = stack.shop.webhook(order);
    await deliver(delivery);
    await settled(delivery.headers['x-shopify-webhook-id']);
    const again = { ...delivery, headers: { ...delivery.headers, 'x-shopify-webhook-id': randomUUID() } };
    expect(await deliver(again)).toEqual({ status: 200, text: '' });
    await drained();
    expect(await returnsOf(order)).toBe(1);
  });

  it('are processed although the same delivery arrived under a false topic first', async () => {
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
    'are parked by the %s mode when they exceed the limits of a return',
    async (mode) => {
      const delivery = stack.shop.webhook(freshOrder(), { quantity: 100_001 });
      expect(await hooks[mode].deliver(delivery)).toEqual({ status: 200, text: '' });
      expect((await hooks[mode].settled(delivery.headers['x-shopify-webhook-id']))[0]).toMatchObject({
        status: 'parked',
        reason: 'invalid_request at /lines/0/quantity: maximum',
      });
    },
  );

  it('are stored and parked with a reason when the body does not match its topic', async () => {
    const delivery = forged('{"admin_graphql_api_id":"gid://shopify/Order/1","status":"requested"}');
    expect(await deliver(delivery)).toEqual({ status: 200, text: '' });
    const [row] = await settled(delivery.headers['x-shopify-webhook-id']);
    expect(row).toMatchObject({ status: 'parked', reason: 'payload_unexpected at /admin_graphql_api_id' });
  });

  it('bigcommerce/dev-docs#28: are stored and parked, with a 200, when the body is not JSON', async () => {
    const delivery = forged('<xml/>');
    expect(await deliver(delivery)).toEqual({ status: 200, text: '' });
    expect((await settled(delivery.headers['x-shopify-webhook-id']))[0]).toMatchObject({
      status: 'parked',
      reason: 'payload_not_json',
    });
  });
});

describe('inbox worker', () => {
  it('dead-letters a message of another format with a reason', async () => {
    await hooks.connected.send('poison');
    expect(await hooks.connected.deadLetters()).toMatchObject([
      { Body: 'poison', MessageAttributes: { reason: { StringValue: 'message_invalid' }, detail: expect.anything() } },
    ]);
  });
});

describe('Shopify deliveries in the standalone mode', () => {
  standaloneDeliveries(() => stack);
});

describe('logs of both modes', () => {
  logsOfDeliveries(() => stack);
});

/** Waits until the function has processed a message that was sent after all others. */
const drained = async (): Promise<void> => {
  const marker = forged(JSON.stringify({ marker: randomUUID() }));
  await deliver(marker);
  await settled(marker.headers['x-shopify-webhook-id']);
};
