import { afterAll, describe, expect, test } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { sign } from '../../../../lib/shops/platforms/shopify/headers.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { fieldErrors } from '../field-errors.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { inSoak } from '../../../support/samples.ts';

const shop = await startShop({ port: 0 });
const store = await startPlatformSecret();
const entry = shopifyEntry(shop);
store.put({ [shop.shopDomain]: entry });
const { signal } = new AbortController();
const authenticate = (body: Buffer, headers: Record<string, string>) =>
  receiver.authenticate({ method: 'POST', query: {}, body, headers }, signal);

afterAll(async () => {
  await shop.close();
  await store.close();
});

const [orderId = ''] = shop.orderIds;
const soon = () => Date.now() + 20_000;
const run = (body: Buffer, topic = 'returns/request') =>
  translator.prepare({ source: shop.shopDomain, topic, body: JSON.parse(body.toString()) }, soon());

describe('Shopify prepare', () => {
  test.each([false, true])('reads the order and the return of a delivery (thin: %s)', async (thin) => {
    const { body, returnGid } = shop.webhook(orderId, { thin, reason: 'DEFECTIVE', quantity: 1 });
    expect(await run(body)).toMatchObject({
      kind: 'snapshot',
      order: { platform: 'shopify', orderId, completeness: 'full' },
      returns: [
        {
          remote: {
            externalId: returnGid,
            orderId,
            status: 'requested',
            lines: [
              {
                orderLineId: shop.order(orderId).lines[0]?.id,
                quantity: 1,
                reason: { code: 'condition.damaged_or_defective' },
              },
            ],
            parcels: [],
            units: [],
          },
          refunds: [],
        },
      ],
      refunds: [],
    });
  });

  test.each(inSoak('passes on ignored, parked and retry outcomes'))('%s', async () => {
    const { body } = shop.webhook(orderId);
    expect(await run(body, 'orders/create')).toMatchObject({ kind: 'ignored' });
    expect(await run(Buffer.from('{}'))).toEqual({ kind: 'ignored', reason: 'nothing_named' });
    expect(await run(Buffer.from('[]'))).toMatchObject({ kind: 'parked', path: '' });
    shop.fail({ times: 1, status: 404 });
    expect(await run(body)).toEqual({ kind: 'parked', reason: 'shop_status_404' });
    shop.fail({ times: 4, status: 500 });
    expect(await run(body)).toEqual({ kind: 'retry', reason: 'shop_status_500' });
  });
});

/** Returns a delivery in the form that the function receives. */
const prepared = async ({ headers, body }: { headers: Record<string, string>; body: Buffer }) =>
  run(body, headers['x-shopify-topic']);
const snapshotAfter = async (delivery: Parameters<typeof prepared>[0]) => {
  const outcome = await prepared(delivery);
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  return outcome;
};
const lineIdOf = (id: string) => shop.order(id).lines[0]?.id;

describe('Shopify return', () => {
  const requested = () => shop.webhook(orderId, { quantity: 1 }).returnGid;
  const opened = () => {
    const returnGid = requested();
    shop.move(returnGid, { do: 'approve' });
    return returnGid;
  };

  test.each([
    [{ do: 'approve' }, { status: 'approved', initiatedBy: 'customer' }],
    [{ do: 'cancel' }, { status: 'cancelled' }],
    [
      { do: 'decline', reason: 'FINAL_SALE' },
      { status: 'rejected', rejection: { code: 'final_sale' } },
    ],
    [
      { do: 'decline', reason: 'RETURN_PERIOD_ENDED', note: 'too late' },
      { status: 'rejected', rejection: { code: 'window_expired', note: 'too late' } },
    ],
    [
      { do: 'decline', reason: 'OTHER' },
      { status: 'rejected', rejection: { code: 'other' } },
    ],
  ] as const)('is read after %j', async (move, expected) => {
    const [{ remote } = {}] = (await snapshotAfter(shop.move(requested(), move))).returns;
    expect(remote).toMatchObject(expected);
  });

  test.each([
    ['RESTOCKED', { received: 1, missing: 0, found: [{ outcome: 'accept', disposition: 'restock', quantity: 1 }] }],
    [
      'NOT_RESTOCKED',
      { received: 1, missing: 0, found: [{ outcome: 'accept', disposition: 'quarantine', quantity: 1 }] },
    ],
    ['PROCESSING_REQUIRED', { received: 1, missing: 0, found: [] }],
    ['MISSING', { received: 0, missing: 1, found: [] }],
  ] as const)(
    'microsoft/ALAppExtensions#26215: is read after its goods were disposed of as %s',
    async (type, expected) => {
      const delivery = shop.move(opened(), { do: 'dispose', type, quantity: 1 });
      const { returns } = await snapshotAfter(delivery);
      // The delivery names neither the return nor its order.
      expect(returns.map(({ remote }) => remote.units)).toEqual([[{ orderLineId: lineIdOf(orderId), ...expected }]]);
    },
  );

  test('counts processed units without a disposition as received, also when it is closed', async () => {
    const returnGid = opened();
    shop.move(returnGid, { do: 'process' });
    const { returns } = await snapshotAfter(shop.move(returnGid, { do: 'close' }));
    expect(returns[0]?.remote).toMatchObject({
      status: 'completed',
      units: [{ orderLineId: lineIdOf(orderId), received: 1, missing: 0, found: [] }],
    });
  });

  test('does not count units as received that were processed as missing', async () => {
    const returnGid = opened();
    shop.move(returnGid, { do: 'dispose', type: 'MISSING', quantity: 1 });
    shop.move(returnGid, { do: 'process' });
    const { returns } = await snapshotAfter(shop.move(returnGid, { do: 'close' }));
    expect(returns[0]?.remote.units).toMatchObject([{ received: 0, missing: 1 }]);
  });

  test('has the new items that the shop gives in exchange', async () => {
    const returnGid = opened();
    expect((await snapshotAfter(shop.move(returnGid, { do: 'approve' }))).returns[0]?.remote.exchanges).toEqual([]);
    const shirts = { quantity: 2, sku: 'SHIRT-M', unitPrice: '20.00', discounts: ['1.50'], taxes: ['6.15'] };
    const { returns } = await snapshotAfter(shop.move(returnGid, { do: 'exchange', ...shirts }));
    expect(returns[0]?.remote.exchanges).toEqual([
      {
        externalId: expect.stringMatching(/^gid:\/\/shopify\/ExchangeLineItem\//),
        quantity: 2,
        sku: 'SHIRT-M',
        title: 'SHIRT-M',
        price: { amount: 3850, currency: 'EUR' },
      },
    ]);
  });

  test('has no price of a new item whose line the shop does not show', async () => {
    const returnGid = opened();
    shop.move(returnGid, { do: 'approve' });
    const { returns } = await snapshotAfter(shop.move(returnGid, { do: 'exchange', quantity: 2, sku: 'SHIRT-M' }));
    expect(returns[0]?.remote.exchanges).toEqual([{ externalId: expect.any(String), quantity: 2 }]);
  });

  test('is cancelled when every unit was removed', async () => {
    const { returns } = await snapshotAfter(shop.move(opened(), { do: 'remove', quantity: 1 }));
    expect(returns[0]?.remote).toMatchObject({ status: 'cancelled', lines: [] });
  });

  test('counts units once that were disposed of twice', async () => {
    const returnGid = opened();
    shop.move(returnGid, { do: 'dispose', type: 'PROCESSING_REQUIRED', quantity: 1 });
    const again = await snapshotAfter(shop.move(returnGid, { do: 'dispose', type: 'RESTOCKED', quantity: 1 }));
    expect(again.returns[0]?.remote.units).toMatchObject([
      { received: 1, found: [{ disposition: 'restock', quantity: 1 }] },
    ]);
  });

  test('has its parcels', async () => {
    const { returns } = await snapshotAfter(
      shop.move(opened(), { do: 'attach', number: 'JD0001', url: 'https://dhl.example/1' }),
    );
    expect(returns[0]?.remote.parcels).toEqual([
      {
        carrier: 'DHL',
        trackingNumber: 'JD0001',
        trackingUrl: 'https://dhl.example/1',
        contents: [{ orderLineId: lineIdOf(orderId), quantity: 1 }],
      },
    ]);
  });

  test('is read when closed, reopened, and created by staff', async () => {
    const returnGid = shop.makeReturn(orderId, { quantity: 1 });
    const closed = await snapshotAfter(shop.move(returnGid, { do: 'close' }));
    expect(closed.returns[0]?.remote).toMatchObject({
      status: 'completed',
      closedAt: expect.any(String),
      initiatedBy: 'agent',
    });
    const open = await snapshotAfter(shop.move(returnGid, { do: 'reopen' }));
    expect(open.returns[0]?.remote).toMatchObject({ status: 'approved' });
    expect(open.returns[0]?.remote).not.toHaveProperty('closedAt');
  });

  test('is not in returns/process, whose documented body is empty', async () => {
    expect(await prepared(shop.move(opened(), { do: 'process' }))).toEqual({
      kind: 'ignored',
      reason: 'nothing_named',
    });
  });

  test('is read by queries below 1,000 points each', async () => {
    const returnGid = opened();
    shop.move(returnGid, { do: 'attach', number: '1' });
    shop.refund(orderId, returnGid, { amount: '1.00' });
    // The shop rejects more expensive queries.
    expect((await translator.refetchReturn(shop.shopDomain, returnGid, soon())).ok).toBe(true);
    expect(await prepared(shop.move(returnGid, { do: 'close' }))).toMatchObject({ kind: 'snapshot' });
  });
});

describe('Shopify refund', () => {
  test('nozzlegear/ShopifySharp#878: is read with its return, in the currency of the order', async () => {
    const { returnGid } = shop.webhook(orderId, { quantity: 1 });
    const { returns, refunds } = await snapshotAfter(
      shop.refund(orderId, returnGid, { amount: '12.50', subtotal: '10.00', shipping: '2.50' }),
    );
    expect(refunds).toEqual([]);
    expect(returns).toMatchObject([
      {
        remote: { externalId: returnGid },
        refunds: [
          {
            orderId,
            externalId: expect.stringMatching(/^\d+$/),
            amount: { amount: 1250, currency: 'EUR' },
            method: 'original_payment',
            shipping: { amount: 250, currency: 'EUR' },
            lines: [{ orderLineId: lineIdOf(orderId), quantity: 1, amount: { amount: 1000, currency: 'EUR' } }],
          },
        ],
      },
    ]);
  });

  test('microsoft/BCApps#10741: is read without a return, when its amount is below the sum of its lines', async () => {
    const { returns, refunds } = await snapshotAfter(shop.refund(orderId, null, { amount: '5.00', subtotal: '10.00' }));
    expect(returns).toEqual([]);
    expect(refunds).toMatchObject([{ orderId, amount: { amount: 500 }, lines: [{ quantity: 1 }] }]);
    expect(refunds[0]?.lines?.[0]).not.toHaveProperty('amount');
  });

  test.each([
    ['no transactions', { amount: null }],
    ['a pending transaction', { amount: '5.00', status: 'PENDING' }],
    ['a failed transaction', { amount: '5.00', status: 'FAILURE' }],
  ] as const)('is omitted with %s', async (_, options) => {
    expect(await prepared(shop.refund(orderId, null, options))).toEqual({
      kind: 'ignored',
      reason: 'nothing_refunded',
    });
  });
});

test.each([
  ['returns/request', true],
  ['refunds/create', true],
  ['returns/close', false],
  ['returns/reopen', false],
  ['reverse_fulfillment_orders/dispose', false],
  ['constructor', false],
])('Shopify bodyNamesEvent of %s is %s', (topic, expected) => expect(receiver.bodyNamesEvent(topic)).toBe(expected));

test.each([
  ['returns/close', true],
  ['made/up', false],
  ['constructor', false],
])('Shopify topics include %s: %s', (topic, expected) => expect(receiver.hasTopic?.(topic)).toBe(expected));

test.each(shop.orderIds)('Shopify order %s and its return pass the schema of the contract', async (id) => {
  const { order, returns } = await snapshotAfter(
    shop.webhook(id, { customerNote: 'too 👍 small', reasonHandle: 'too-small' }),
  );
  expect(fieldErrors('registerOrder', order)).toEqual([]);
  const [{ remote } = {}] = returns;
  const request = { order: { platform: 'shopify', orderId: id }, lines: remote?.lines };
  expect(fieldErrors('createReturn', request)).toEqual([]);
});

describe('Shopify authenticate', () => {
  test('accepts a new secret as soon as it is stored, and still the old one', async () => {
    const { headers, body } = shop.webhook(orderId);
    expect((await authenticate(body, headers)).kind).toBe('authentic');
    const renewed = 'the-new-client-secret-of-the-app';
    store.put({ [shop.shopDomain]: { ...entry, webhookSecrets: [renewed, shop.webhookSecret] } });
    const resigned = { ...headers, 'x-shopify-hmac-sha256': sign(body, renewed) };
    expect((await authenticate(body, resigned)).kind).toBe('authentic');
    expect((await authenticate(body, headers)).kind).toBe('authentic');
  });

  test('accepts the shop’s signature, and rejects a changed body or another shop', async () => {
    const { headers, body } = shop.webhook(orderId);
    expect(await authenticate(body, headers)).toMatchObject({
      kind: 'authentic',
      delivery: { source: shop.shopDomain },
    });
    expect((await authenticate(Buffer.concat([body, Buffer.from(' ')]), headers)).kind).toBe('rejected');
    const other = { ...headers, 'x-shopify-shop-domain': 'other.myshopify.com' };
    expect(await authenticate(body, other)).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test('reads the secret again once after a wrong signature, and not for every forgery', async () => {
    const { headers, body } = shop.webhook(orderId);
    const forged = { ...headers, 'x-shopify-hmac-sha256': sign(body, 'a-secret-that-is-not-ours') };
    const before = store.reads();
    for (let count = 0; count < 20; count += 1) await authenticate(body, forged);
    expect(store.reads() - before).toBeLessThanOrEqual(1);
  });
});
