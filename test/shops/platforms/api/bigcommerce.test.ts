import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { documentedOrder, documentedProduct, documentedRefund, signed, startStore } from '../bigcommerce-store.ts';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/bigcommerce/platform.ts';

const shop = await startStore('abc123');
const store = await startPlatformSecret();
const clientSecret = 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15';
const entry = { webhookSecrets: [clientSecret], accessToken: 'first', apiUrl: shop.url };
const other = { ...entry, orderPlatform: 'bigcommerce-b' };
store.put({ abc123: entry, other1: other });
let accessToken = 'first';
const { signal } = new AbortController();

afterAll(async () => {
  await shop.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => {
  shop.accept(accessToken);
  shop.orders.clear();
});

const soon = () => Date.now() + 20_000;
const prepare = async (id: unknown = 250, topic = 'store/order/refund/created', source = 'abc123') =>
  translator.prepare({ source, topic, body: { data: { type: 'order', id } } }, soon());
const fetchSnapshot = async (id?: unknown) => {
  const prepared = await prepare(id);
  if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
  expect(fieldErrors('registerOrder', prepared.order)).toEqual([]);
  for (const refund of prepared.refunds) expect(fieldErrors('recordRefund', refund)).toEqual([]);
  return prepared;
};
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('BigCommerce order', () => {
  test('has the facts of the store, in the currency of the payment', async () => {
    shop.put(documentedOrder(), [documentedProduct()]);
    const { order, returns, refunds } = await fetchSnapshot();
    expect(order).toMatchObject({
      platform: 'bigcommerce',
      orderId: '250',
      number: '250',
      placedAt: '2019-03-05T21:40:11.000Z',
      currency: 'USD',
      country: 'CA',
      destination: { country: 'CA', region: 'Ontario' },
      customer: { id: '11', email: 'janedoe@example.com', name: 'Jane Doe' },
      saleType: 'distance',
      completeness: 'full',
      shipping: { paid: usd(1200), tax: usd(91), refunded: usd(0) },
    });
    expect(order.lines).toEqual([
      {
        lineId: '65',
        productId: '77',
        sku: 'S-ORAN',
        title: 'Fog Linen Chambray Towel - Beige Stripe',
        brand: 'BigCommerce',
        quantity: 1,
        fulfilledQuantity: 1,
        shippedAt: '2019-03-07T09:00:00.000Z',
        unitPrice: usd(6523),
        discountTotal: usd(159),
        taxTotal: usd(924),
        taxIncluded: true,
      },
    ]);
    expect([returns, refunds]).toEqual([[], []]);
  });

  test('has exact amounts of JSON numbers', async () => {
    const product = documentedProduct({
      total_inc_tax: { raw: '1000000000.10' },
      discounted_total_inc_tax: { raw: '1000000000.09' },
      total_tax: { raw: '0.005' },
      quantity: 3,
    });
    shop.put(documentedOrder({ total_inc_tax: { raw: '1000000012.09' } }), [product]);
    const { order } = await fetchSnapshot();
    expect(order.completeness).toBe('full');
    expect(order.lines[0]).toMatchObject({
      unitPrice: usd(33_333_333_337),
      discountTotal: usd(2),
      taxTotal: usd(1),
    });
  });

  test.each([
    [2, 0, 2],
    [10, 0, 2],
    [3, 1, 1],
    [11, 0, 0],
    [5, 0, 0],
    [4, 0, undefined],
    [14, 0, undefined],
    [14, 1, 1],
    [11, 9, 2],
  ])('with status %i and %i units shipped has %s of 2 fulfilled', async (status, shipped, fulfilled) => {
    shop.put(documentedOrder({ status_id: status }), [documentedProduct({ quantity: 2, quantity_shipped: shipped })]);
    expect((await fetchSnapshot()).order.lines[0]?.fulfilledQuantity).toBe(fulfilled);
  });

  test.each([0, 1])('is ignored while its checkout is incomplete (status %i)', async (status) => {
    shop.put(documentedOrder({ status_id: status }), []);
    expect(await prepare()).toEqual({ kind: 'ignored', reason: 'order_not_placed' });
  });

  test('has its charges, and counts store credit as a payment', async () => {
    const order = documentedOrder({
      total_inc_tax: '82.6400',
      store_credit_amount: '5.0000',
      handling_cost_inc_tax: '3.0000',
      handling_cost_tax: '0.5000',
      wrapping_cost_inc_tax: '5.0000',
      wrapping_cost_tax: '0.0000',
      fees: [
        { id: 1, type: 'custom_fee', cost_ex_tax: 2.5, cost_inc_tax: 3, cost_tax: 0.5 },
        { id: 2, type: 'custom_fee', name: 'Bottle deposit', cost_ex_tax: 1, cost_inc_tax: 1, cost_tax: 0 },
      ],
    });
    shop.put(order, [documentedProduct()]);
    expect((await fetchSnapshot()).order).toMatchObject({
      completeness: 'full',
      charges: [
        { type: 'handling', paid: usd(300), tax: usd(50) },
        { type: 'handling', paid: usd(300), tax: usd(50) },
        { type: 'other', name: 'Bottle deposit', paid: usd(100), tax: usd(0) },
        { type: 'gift_wrap', paid: usd(500), tax: usd(0) },
      ],
    });
  });

  test.each([
    [{ total_inc_tax: '70.0000' }, {}],
    [{ shipping_cost_inc_tax: null }, {}],
    [{ handling_cost_tax: '-1.0000' }, {}],
    [{}, { discounted_total_inc_tax: undefined }],
  ])('is partial with %j and a product with %j', async (changes, product) => {
    shop.put(documentedOrder(changes), [documentedProduct(product)]);
    expect((await fetchSnapshot()).order.completeness).toBe('partial');
  });

  test('of a guest without a shipping address is read', async () => {
    const bare = {
      customer_id: 0,
      billing_address: null,
      consignments: { downloads: [] },
      order_source: 'manual',
      date_created: '',
    };
    shop.put(documentedOrder(bare), [documentedProduct()]);
    const { order } = await fetchSnapshot();
    for (const field of ['customer', 'destination', 'country', 'saleType', 'placedAt'])
      expect(order).not.toHaveProperty(field);
  });

  test('is read with all pages of its products, and with ids beyond 2^53', async () => {
    const id = { raw: '9007199254740993' };
    const products = Array.from({ length: 300 }, (_, index) =>
      documentedProduct({ id: index + 1, variant_id: id, parent_order_product_id: index === 0 ? null : 1 }),
    );
    shop.put(documentedOrder({ id, total_inc_tax: '19104.00' }), products);
    const { order } = await fetchSnapshot('9007199254740993');
    expect(order).toMatchObject({ orderId: '9007199254740993', completeness: 'full' });
    expect(order.lines).toHaveLength(300);
    expect(order.lines[1]).toMatchObject({ productId: '9007199254740993', bundleId: '1' });
  });

  test.each([
    [{ total_inc_tax: 'none' }, {}, { code: 'order_total_unreadable' }],
    [{ shipping_cost_tax: 'x' }, {}, { code: 'order_shipping_unreadable' }],
    [{ handling_cost_tax: 'x' }, {}, { code: 'order_charge_unreadable' }],
    [{ store_credit_amount: 'x' }, {}, { code: 'order_credit_unreadable' }],
    [{}, { discounted_total_inc_tax: undefined }, { code: 'order_line_inexact', detail: '65' }],
    [{}, { discounted_total_inc_tax: '10.0000' }, { code: 'order_total_differs', detail: expect.any(String) }],
    [{}, { id: 66, quantity: '0.7500' }, { code: 'order_line_unreadable', detail: '66' }],
  ])('with %j and %j has a discrepancy', async (changes, product, discrepancy) => {
    const products = 'id' in product ? [documentedProduct(), documentedProduct(product)] : [documentedProduct(product)];
    shop.put(documentedOrder(changes), products);
    const { order } = await fetchSnapshot();
    expect(order).toMatchObject({ completeness: 'partial', lines: [{ lineId: '65' }] });
    expect(order.discrepancies).toContainEqual(discrepancy);
  });

  test.each([
    [{ default_currency_code: 'XYZ' }, {}, 'order_unreadable'],
    [{}, { quantity: 0 }, 'order_without_lines'],
    [{}, { quantity: -1 }, 'order_line_unreadable'],
    [{}, { id: null }, 'order_line_unreadable'],
    [{}, { discounted_total_inc_tax: '-1.0000' }, 'order_line_unreadable'],
    [{}, { total_tax: '' }, 'order_line_unreadable'],
  ])('is parked with %j and a product with %j', async (changes, product, reason) => {
    shop.put(documentedOrder(changes), [documentedProduct(product)]);
    expect(await prepare()).toEqual({ kind: 'parked', reason });
  });
});

describe('BigCommerce refund', () => {
  const put = (...refunds: readonly object[]) =>
    shop.put(documentedOrder(), [documentedProduct()], ...refunds.map((changes) => documentedRefund({ ...changes })));
  const refundsWith = async (...refunds: readonly object[]) => {
    put(...refunds);
    return (await fetchSnapshot()).refunds;
  };
  const payment = { id: 13, provider_id: 'stripe', amount: 50, offline: false, is_declined: false };

  test('has the units of its items', async () => {
    expect(await refundsWith({})).toEqual([
      {
        platform: 'bigcommerce',
        orderId: '250',
        externalId: '3',
        amount: usd(5000),
        method: 'original_payment',
        occurredAt: '2022-06-16T16:44:15.000Z',
        lines: [{ orderLineId: '65', quantity: 1 }],
      },
    ]);
  });

  test('is the sum of its accepted payments', async () => {
    const declined = { ...payment, id: 14, amount: 20.15, is_declined: true };
    const [refund] = await refundsWith({
      total_amount: 30.25,
      payments: [{ ...payment, amount: { raw: '10.10' } }, declined],
    });
    expect(refund?.amount).toEqual(usd(1010));
  });

  test.each([
    ['no payment yet', { payments: [] }],
    ['payments that were declined', { payments: [{ ...payment, is_declined: true }] }],
    ['a payment of nothing', { payments: [{ ...payment, amount: 0 }] }],
  ])('is omitted with %s', async (_, changes) => {
    expect(await refundsWith(changes)).toEqual([]);
  });

  test.each([
    [[{ provider_id: 'storecredit' }], 'store_credit'],
    [[{ provider_id: 'giftcertificate' }], 'gift_card'],
    [[{ provider_id: 'cod', offline: true }], 'manual'],
    [[{ provider_id: null }], 'original_payment'],
    [[{ provider_id: 'storecredit' }, {}], 'original_payment'],
  ])('with payments %j has the method %s', async (payments, method) => {
    const changedPayments = payments.map((changes, index) => ({ ...payment, id: index + 1, amount: 5, ...changes }));
    expect((await refundsWith({ payments: changedPayments }))[0]?.method).toBe(method);
  });

  test.each([
    [[{ item_type: 'SHIPPING', item_id: 51, requested_amount: 11.09 }], 1200],
    [[{ item_type: 'SHIPPING', item_id: 51, requested_amount: 12 }], 1200],
    [[{ item_type: 'SHIPPING', item_id: 51, requested_amount: 5 }], undefined],
    [[{ item_type: 'HANDLING', item_id: 51, requested_amount: 5 }], undefined],
  ])('with %j has the shipping amount %s', async (items, amount) => {
    const [refund] = await refundsWith({ items });
    expect(refund?.shipping?.amount).toBe(amount);
    expect(refund).not.toHaveProperty('lines');
  });

  test('names each line once, with at most the units of the order, and no unknown lines', async () => {
    const item = { item_type: 'PRODUCT', item_id: 65, quantity: 1, requested_amount: null };
    const items = [item, item, { ...item, item_id: 999 }, { ...item, quantity: null }, { item_type: 'TAX' }];
    expect((await refundsWith({ items }))[0]?.lines).toEqual([{ orderLineId: '65', quantity: 1 }]);
  });

  test('with a negative tax and no items is the paid amount', async () => {
    expect(await refundsWith({ total_tax: -1.5, items: [] })).toMatchObject([{ amount: usd(5000) }]);
  });

  test('is read together with all refunds of the order', async () => {
    const refunds = await refundsWith({ id: 3 }, { id: 4, payments: [{ ...payment, amount: 1 }] });
    expect(refunds.map(({ externalId, amount }) => [externalId, amount.amount])).toEqual([
      ['3', 5000],
      ['4', 100],
    ]);
  });

  test.each([
    { id: null },
    { created: null },
    { payments: [{ ...payment, amount: -1 }] },
    { payments: [{ ...payment, amount: 'x' }] },
  ])('is a discrepancy of its order with %j', async (changes) => {
    put(changes);
    expect(await prepare()).toMatchObject({ ...snapshotWithout('refund_unreadable'), refunds: [] });
  });
});

describe('BigCommerce API', () => {
  test('is retried when its rate limit window has ended', async () => {
    shop.put(documentedOrder(), [documentedProduct()]);
    // As seconds, the time would be after the deadline.
    const headers = { 'x-rate-limit-requests-left': '0', 'x-rate-limit-time-reset-ms': '60' };
    shop.fail({ status: 429, headers });
    expect((await prepare()).kind).toBe('snapshot');
    shop.fail({ status: 429, headers: { ...headers, 'x-rate-limit-time-reset-ms': '30000' } });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_throttled' });
  });

  test('failures park or retry a delivery', async () => {
    shop.put(documentedOrder(), [documentedProduct()]);
    expect(await prepare(1)).toEqual({ kind: 'parked', reason: 'shop_status_404' });
    shop.fail({ status: 403 });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_status_403' });
    shop.fail({ status: 204 });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'shop_status_204' });
    shop.fail({ status: 200, body: '[]' });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'order_unreadable' });
  });

  test('is called with a token that was replaced meanwhile', async () => {
    shop.put(documentedOrder(), [documentedProduct()]);
    accessToken = 'second';
    store.put({ abc123: { ...entry, accessToken }, other1: other });
    shop.accept(accessToken);
    expect((await prepare()).kind).toBe('snapshot');
  });

  test('orders have the order platform of their source', async () => {
    shop.put(documentedOrder(), [documentedProduct()], documentedRefund());
    shop.accept('first');
    expect(await prepare(250, 'store/order/updated', 'other1')).toMatchObject({
      order: { platform: 'bigcommerce-b', source: 'bigcommerce' },
      refunds: [{ platform: 'bigcommerce-b' }],
    });
  });

  test('has no returns to refetch', async () => {
    expect(await translator.refetchReturn('abc123', '1', soon())).toMatchObject({
      failure: { reason: 'platform_without_returns' },
    });
  });
});

describe('BigCommerce authenticate', () => {
  const bytes = (producer?: string) =>
    Buffer.from(JSON.stringify({ scope: 'store/order/updated', data: { type: 'order', id: 250 }, producer }));
  const authenticate = async (body: Buffer, source?: string, secret = clientSecret) =>
    receiver.authenticate(
      { method: 'POST', query: {}, headers: signed(body, secret), body, ...(source !== undefined && { source }) },
      signal,
    );

  test('finds the store by the path, or by the producer of the signed body', async () => {
    const delivery = { source: 'abc123', topic: 'store/order/updated', deliveryId: 'msg_1' };
    expect(await authenticate(bytes('stores/abc123'))).toEqual({ kind: 'authentic', delivery });
    expect(await authenticate(bytes('stores/abc123'), 'ABC123')).toEqual({ kind: 'authentic', delivery });
    expect(await authenticate(bytes(), 'abc123')).toEqual({ kind: 'authentic', delivery });
  });

  test('rejects an unknown store, and a store other than that of the path', async () => {
    const unknown = { kind: 'rejected', reason: 'unknown_source' };
    expect(await authenticate(bytes())).toEqual(unknown);
    expect(await authenticate(bytes('stores/unknown'))).toEqual(unknown);
    expect(await authenticate(bytes('stores/abc123'), 'other1')).toEqual(unknown);
    expect(await authenticate(bytes('stores/abc123'), 'abc123', 'a-secret-that-is-not-ours')).toEqual({
      kind: 'rejected',
      reason: 'signature_mismatch',
    });
  });

  test('bigcommerce/dev-docs#1920: treats the same body under another id as another delivery', () => {
    expect(receiver.bodyNamesEvent('store/order/updated')).toBe(false);
  });
});
