import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sign } from '../../../../lib/shops/platforms/woocommerce/verify.ts';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { documentedOrder, documentedRefund, startSite } from '../woocommerce-site.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/woocommerce/platform.ts';

const site = await startSite();
const store = await startPlatformSecret();
const entry = {
  webhookSecrets: ['hushThisIsAWebhookSecret'],
  consumerKey: 'ck_first',
  consumerSecret: 'cs_first',
  apiUrl: site.server.origin,
};
const other = { ...entry, webhookSecrets: ['theOtherSecretOfSomeLength'], orderPlatform: 'woo2' };
store.put({ shop: entry, other });
let consumerSecret = entry.consumerSecret;
const { signal } = new AbortController();

afterAll(async () => {
  await site.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => {
  site.accept('ck_first', consumerSecret);
  site.orders.clear();
  site.refunds.clear();
});

const soon = () => Date.now() + 20_000;
const prepare = async (id: unknown = 723, topic = 'order.updated') =>
  translator.prepare({ source: 'shop', topic, body: { id } }, soon());
const fetchSnapshot = async (id?: unknown) => {
  const prepared = await prepare(id);
  if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
  expect(fieldErrors('registerOrder', prepared.order)).toEqual([]);
  for (const refund of prepared.refunds) expect(fieldErrors('recordRefund', refund)).toEqual([]);
  return prepared;
};
const usd = (amount: number) => ({ amount, currency: 'USD' });
const [ninja = {}] = [documentedOrder()['line_items'] as Record<string, unknown>[]].map(([, line]) => line);

describe('WooCommerce order', () => {
  test('has the facts of the shop', async () => {
    site.put(documentedOrder());
    const { order, returns, refunds } = await fetchSnapshot();
    expect(order).toMatchObject({
      platform: 'woocommerce',
      orderId: '723',
      number: '723',
      placedAt: '2017-03-21T19:16:00.000Z',
      currency: 'USD',
      country: 'US',
      destination: { country: 'US', region: 'CA' },
      customer: { id: '26', email: 'john.doe@example.com', name: 'John Doe' },
      saleType: 'distance',
      completeness: 'full',
      shipping: { paid: usd(1000), tax: usd(0), refunded: usd(0) },
      lines: [
        { lineId: '311', productId: '87', quantity: 1, unitPrice: usd(900), fulfilledQuantity: 1 },
        {
          lineId: '313',
          productId: '70',
          sku: 'WOO-NINJA',
          quantity: 2,
          fulfilledQuantity: 2,
          shippedAt: '2017-03-25T10:00:00.000Z',
          unitPrice: usd(1000),
          discountTotal: usd(0),
          taxTotal: usd(0),
          taxIncluded: false,
        },
      ],
    });
    expect([returns, refunds]).toEqual([[], []]);
    expect(order).not.toHaveProperty('payments');
  });

  test.each([
    // Seven units for 10.00 before a discount of 1.00, with a tax that the shop adds or includes.
    [{ subtotal: '10.00', subtotal_tax: '1.90', total: '9.00', total_tax: '1.71', quantity: 7 }, 900, 1071],
    [{ subtotal: '10.00', subtotal_tax: '1.905', total: '10.00', total_tax: '1.905', quantity: 3 }, 1000, 1191],
    [{ subtotal: '5.00', subtotal_tax: '0', total: '8.00', total_tax: '0.00', quantity: 1 }, 800, 800],
  ])('has prices that sum to the exact paid amount: %j', async (line, net, gross) => {
    for (const included of [false, true]) {
      site.put(documentedOrder({ prices_include_tax: included, line_items: [{ ...ninja, ...line }] }));
      const [sold] = (await fetchSnapshot()).order.lines;
      const paid = (sold?.unitPrice.amount ?? 0) * (sold?.quantity ?? 0) - (sold?.discountTotal?.amount ?? 0);
      expect(paid).toBe(included ? gross : net);
      expect(sold).toMatchObject({ taxIncluded: included, taxTotal: usd(gross - net) });
    }
  });

  test.each([
    ['pending', null, 0],
    ['on-hold', null, 0],
    ['processing', null, 0],
    ['processing', '2017-03-25T10:00:00', 2],
    ['completed', null, 2],
    ['delivered-by-a-plugin', null, 2],
    ['refunded', null, undefined],
    ['refunded', '2017-03-25T10:00:00', 2],
  ])('as %s, completed at %s, has %s shipped units', async (status, completed, units) => {
    site.put(documentedOrder({ status, date_completed_gmt: completed }));
    expect((await fetchSnapshot()).order.lines[1]?.fulfilledQuantity).toBe(units);
  });

  test.each(['checkout-draft', 'auto-draft', 'trash'])('is ignored in the state %s', async (status) => {
    site.put(documentedOrder({ status }));
    expect(await prepare()).toEqual({ kind: 'ignored', reason: 'order_not_placed' });
  });

  test('is partial when its parts do not sum to its total', async () => {
    site.put(documentedOrder({ total: '34.00' }));
    expect((await fetchSnapshot()).order.completeness).toBe('partial');
    const fee = { id: 9, name: 'Member', total: '-5.00', total_tax: '0.00' };
    site.put(documentedOrder({ total: '34.00', fee_lines: [fee] }));
    expect((await fetchSnapshot()).order.completeness).toBe('partial');
  });

  test('has its fees and its payment method', async () => {
    const fee = { id: 9, name: 'Wrapping', total: '5.00', total_tax: '0.95' };
    site.put(
      documentedOrder({
        total: '44.95',
        fee_lines: [fee],
        payment_method: 'stripe',
        transaction_id: 'ch_3',
        date_paid_gmt: '2017-03-21T19:16:10',
      }),
    );
    expect((await fetchSnapshot()).order).toMatchObject({
      completeness: 'full',
      charges: [{ type: 'other', name: 'Wrapping', paid: usd(595), tax: usd(95) }],
      payments: [{ id: 'ch_3', method: 'stripe', paid: usd(4495) }],
    });
  });

  test('omits a line with a part of a unit, with a discrepancy', async () => {
    const [album] = documentedOrder()['line_items'] as object[];
    site.put(documentedOrder({ line_items: [album, { ...ninja, quantity: 0.5 }] }));
    expect((await fetchSnapshot()).order).toMatchObject({
      completeness: 'partial',
      lines: [{ lineId: '311' }],
      discrepancies: [
        { code: 'order_line_unreadable', detail: '313' },
        { code: 'order_total_differs', detail: 'the parts come to 1900, the order to 3900' },
      ],
    });
  });

  test('reads a repeated line once', async () => {
    const [album] = documentedOrder()['line_items'] as object[];
    site.put(documentedOrder({ line_items: [album, ninja, ninja] }));
    const { order } = await fetchSnapshot();
    expect(order.lines.map(({ lineId }) => lineId)).toEqual(['311', '313']);
    expect(order).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_line_duplicated', detail: '313' }],
    });
  });

  test('with only fees has them as lines that are not returnable', async () => {
    const fee = { id: 9, name: 'Booking', total: '5.00', total_tax: '0.95' };
    site.put(documentedOrder({ line_items: [], shipping_lines: [], fee_lines: [fee], total: '5.95' }));
    expect((await fetchSnapshot()).order).toMatchObject({
      completeness: 'full',
      lines: [{ lineId: '9', title: 'Booking', quantity: 1, fulfilledQuantity: 0, unitPrice: usd(595) }],
    });
  });

  test.each([
    ['gift_cards', { id: 3, code: 'ABC', amount: 12.5 }],
    ['pw_gift_cards_redeemed', { number: 'ABC', amount: '12.50' }],
  ])('is full when gift cards paid a part of it: %s', async (field, card) => {
    site.put(documentedOrder({ total: '26.50', [field]: [card] }));
    expect((await fetchSnapshot()).order).toMatchObject({ completeness: 'full', discrepancies: [] });
    site.put(documentedOrder({ total: '26.50', [field]: [{ ...card, amount: null }] }));
    expect((await fetchSnapshot()).order.discrepancies).toContainEqual({ code: 'order_gift_card_unreadable' });
  });

  test('of a guest, without an address and with unknown methods, is read', async () => {
    const bare = { customer_id: 0, billing: null, shipping: { country: '' }, created_via: 'a-plugin', number: '' };
    site.put(documentedOrder(bare));
    const { order } = await fetchSnapshot();
    for (const field of ['customer', 'destination', 'country', 'saleType', 'number'])
      expect(order).not.toHaveProperty(field);
  });

  test('has all digits of ids beyond 2^53', async () => {
    const id = { raw: '9007199254740993' };
    site.put(documentedOrder({ id, line_items: [{ ...ninja, id }] }));
    const { order } = await fetchSnapshot('9007199254740993');
    expect([order.orderId, order.lines[0]?.lineId]).toEqual(['9007199254740993', '9007199254740993']);
  });

  test.each([
    [{ currency: 'XYZ' }, 'order_unreadable'],
    [{ line_items: [] }, 'order_without_lines'],
    [{ line_items: [{ ...ninja, quantity: 0 }] }, 'order_without_lines'],
    [{ line_items: [{ ...ninja, quantity: 0.5 }] }, 'order_line_unreadable'],
    [{ line_items: [{ ...ninja, total: '-1.00' }] }, 'order_line_unreadable'],
    [{ line_items: [{ ...ninja, total_tax: undefined }] }, 'order_line_unreadable'],
    [
      { prices_include_tax: true, line_items: [{ ...ninja, total: '-1.00', total_tax: '2.00' }] },
      'order_line_unreadable',
    ],
  ])('is parked with %j', async (changes, reason) => {
    site.put(documentedOrder(changes));
    expect(await prepare()).toEqual({ kind: 'parked', reason });
  });
});

describe('WooCommerce refund', () => {
  test('has the lines that it names', async () => {
    site.put(documentedOrder(), documentedRefund());
    expect((await fetchSnapshot()).refunds).toEqual([
      {
        platform: 'woocommerce',
        orderId: '723',
        externalId: '726',
        amount: usd(1000),
        method: 'original_payment',
        occurredAt: '2017-03-21T20:07:11.000Z',
        lines: [{ orderLineId: '313', quantity: 1, amount: usd(1000), tax: usd(0) }],
      },
    ]);
  });

  test('woocommerce/woocommerce#22072: is read with all refunds of the order, whichever change was delivered', async () => {
    const shipping = [{ total: '-2.00', total_tax: '-0.38' }];
    const second = documentedRefund({
      id: 727,
      amount: '2.38',
      line_items: [],
      shipping_lines: shipping,
      refunded_payment: false,
    });
    site.put(documentedOrder(), documentedRefund(), second);
    const { order, refunds } = await fetchSnapshot();
    expect(refunds.map(({ externalId }) => externalId)).toEqual(['726', '727']);
    expect(refunds[1]).toMatchObject({ method: 'manual', shipping: usd(238) });
    expect(refunds[1]).not.toHaveProperty('lines');
    expect(order.shipping?.refunded).toEqual(usd(238));
  });

  test.each([
    ['less than its lines, because of a fee', { amount: '8.00' }, [{ orderLineId: '313', quantity: 1 }]],
    ['no money', { amount: '0.00' }, undefined],
  ])('of %s is read', async (_, changes, lines) => {
    site.put(documentedOrder(), documentedRefund(changes));
    expect((await fetchSnapshot()).refunds.map((refund) => refund.lines)).toEqual(lines === undefined ? [] : [lines]);
  });

  test('without units, or with unknown lines, has only its amount', async () => {
    const [line = {}] = documentedRefund()['line_items'] as Record<string, unknown>[];
    const unreadableLines = [
      { ...line, meta_data: [{ key: '_refunded_item_id', value: '999' }] },
      { ...line, quantity: 0 },
      { ...line, meta_data: [] },
      { ...line, meta_data: null },
    ];
    site.put(documentedOrder(), documentedRefund({ line_items: unreadableLines }));
    const [refund] = (await fetchSnapshot()).refunds;
    expect(refund).toMatchObject({ amount: usd(1000) });
    expect(refund).not.toHaveProperty('lines');
  });

  test('has each line once, with its tax', async () => {
    const [line = {}] = documentedRefund()['line_items'] as Record<string, unknown>[];
    const taxed = { ...line, total: '-4.00', total_tax: '-0.76' };
    site.put(documentedOrder(), documentedRefund({ line_items: [taxed, taxed] }));
    expect((await fetchSnapshot()).refunds[0]?.lines).toEqual([
      { orderLineId: '313', quantity: 2, amount: usd(952), tax: usd(152) },
    ]);
  });

  test('that was deleted but is still listed, with the id 0, is omitted', async () => {
    site.put(documentedOrder(), documentedRefund());
    site.orders.set('723', documentedOrder({ refunds: [{ id: 0, reason: '', total: '-0.00' }, { id: 726 }] }));
    const { refunds, order } = await fetchSnapshot();
    expect(refunds.map(({ externalId }) => externalId)).toEqual(['726']);
    expect(order.completeness).toBe('full');
  });

  test('woocommerce/woocommerce#26532: that was deleted between two requests is omitted', async () => {
    site.put(documentedOrder(), documentedRefund());
    site.refunds.clear();
    expect((await fetchSnapshot()).refunds).toEqual([]);
  });

  test.each([{ amount: '-10.00' }, { amount: '' }, { date_created_gmt: null }])(
    'is a discrepancy of its order with %j, and other refunds are read',
    async (changes) => {
      site.put(documentedOrder(), documentedRefund(changes), documentedRefund({ id: 727 }));
      expect(await prepare()).toMatchObject({
        ...snapshotWithout('refund_unreadable'),
        refunds: [{ externalId: '727' }],
      });
    },
  );
});

describe('WooCommerce API', () => {
  test('with too many refunds parks the order after one request', async () => {
    const refunds = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1 }));
    site.orders.set('723', documentedOrder({ refunds }));
    const before = site.server.requests.length;
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'order_too_large' });
    expect(site.server.requests.length - before).toBe(1);
  });

  test('failures retry or park a delivery', async () => {
    site.put(documentedOrder());
    site.fail({ status: 503, headers: { 'retry-after': '0' } }, { status: 429, headers: { 'retry-after': '0' } });
    expect((await prepare()).kind).toBe('snapshot');
    site.fail({ status: 403 });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_status_403' });
    expect(await prepare(1)).toEqual({ kind: 'parked', reason: 'shop_status_404' });
    site.fail({ status: 200, body: '[]' });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'order_unreadable' });
    site.put(documentedOrder({ id: 1 }));
    site.orders.set('723', { ...site.orders.get('1') });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'order_unreadable' });
  });

  test('is called with a key that was replaced meanwhile', async () => {
    site.put(documentedOrder());
    consumerSecret = 'cs_second';
    store.put({ shop: { ...entry, consumerSecret }, other });
    site.accept('ck_first', consumerSecret);
    expect((await prepare()).kind).toBe('snapshot');
  });

  test('orders have the order platform of their source', async () => {
    site.put(documentedOrder(), documentedRefund());
    site.accept('ck_first', 'cs_first');
    expect(
      await translator.prepare({ source: 'other', topic: 'order.updated', body: { id: 723 } }, soon()),
    ).toMatchObject({
      order: { platform: 'woo2', source: 'woocommerce' },
      refunds: [{ platform: 'woo2' }],
    });
  });

  test('has no returns to refetch', async () => {
    expect(await translator.refetchReturn('shop', '1', soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'platform_without_returns' },
    });
  });
});

describe('WooCommerce authenticate', () => {
  const body = Buffer.from(JSON.stringify(documentedOrder()));
  const headers = (secret: string) => ({
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-delivery-id': 'abc',
    'x-wc-webhook-signature': sign(body, secret),
  });
  const [secret = ''] = entry.webhookSecrets;
  const authenticate = async (source: string | undefined, deliveryHeaders: Record<string, string>, bytes = body) =>
    receiver.authenticate(
      { method: 'POST', query: {}, ...(source && { source }), headers: deliveryHeaders, body: bytes },
      signal,
    );

  test('accepts the signature of the site in the path, and of no other', async () => {
    expect(await authenticate('Shop', headers(secret))).toMatchObject({
      kind: 'authentic',
      delivery: { source: 'shop' },
    });
    expect(await authenticate('other', headers(secret))).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(await authenticate('unknown', headers(secret))).toEqual({ kind: 'rejected', reason: 'unknown_source' });
    expect(await authenticate(undefined, headers(secret))).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test('woocommerce/woocommerce#15642: answers the unsigned ping of a new webhook and stores nothing', async () => {
    const before = store.reads();
    expect(await authenticate('unknown', {}, Buffer.from('webhook_id=3'))).toEqual({ kind: 'handshake' });
    expect(store.reads()).toBe(before);
  });

  test.each([
    ['order.updated', true],
    ['order.deleted', false],
    ['constructor', false],
  ])('WooCommerce bodyNamesEvent of %s is %s', (topic, expected) =>
    expect(receiver.bodyNamesEvent(topic)).toBe(expected),
  );

  test.each([
    ['order.updated', true],
    ['order.deleted', true],
    ['made.up', false],
  ])('WooCommerce topics include %s: %s', (topic, expected) => expect(receiver.hasTopic?.(topic)).toBe(expected));
});
