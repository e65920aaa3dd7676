import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { account, input, item, order, output, startAccount } from '../vtex-account.ts';
import { translator } from '../../../../lib/shops/platforms/vtex/platform.ts';
import { inSoak } from '../../../support/samples.ts';

const vtex = await startAccount();

afterAll(vtex.close);
beforeEach(vtex.forget);

type Fields = Parameters<typeof order>[0];

const orderId = 'v52277740atmc-01';
const prepared = async (source = account, body: Record<string, unknown> = { OrderId: orderId, State: 'invoiced' }) =>
  translator.prepare({ source, topic: 'order', body }, Date.now() + 10_000);
const fetchSnapshot = async (fields: Fields, source = account) => {
  vtex.put(order(fields));
  const outcome = await prepared(source);
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  return outcome;
};
const packages = (...list: readonly Record<string, unknown>[]) => ({ packageAttachment: { packages: list } });
const lineId = '87F0945396994B349158C7D9C9941442';
const brl = (amount: number) => ({ amount, currency: 'BRL' });
/** Returns the facts of an order with an invoice of returned goods. */
const factsOf = async (fields: Fields = {}) => {
  const whole = { ...packages(output(), input()), ...fields };
  return (await fetchSnapshot(whole)).order;
};

describe('VTEX order facts', () => {
  test('contain all fields of a full order', async () => {
    const facts = await factsOf();
    expect(facts).toEqual({
      platform: 'vtex',
      orderId,
      number: orderId,
      currency: 'BRL',
      channel: 'vtex',
      market: '1',
      seller: '1',
      saleType: 'distance',
      buyerIsConsumer: true,
      customer: { id: 'e3f2b1e6-5f9a-4f0f-8d5a-2f5c0a4b8a11', name: 'Rodrigo VTEX' },
      country: 'BR',
      destination: { country: 'BR', region: 'RJ' },
      placedAt: '2026-10-01T20:03:44.000Z',
      payments: [{ id: 'D3DEECAB3C6C4B9EAF8EF4C1FE062FF3', method: 'creditCard', paid: brl(10160) }],
      shipping: { paid: brl(1160), tax: brl(0) },
      lines: [
        {
          lineId,
          sku: '1234568',
          productId: '9429485',
          title: 'Bay Max L',
          brand: 'VTEX',
          categories: ['Toys'],
          quantity: 2,
          fulfilledQuantity: 2,
          unitPrice: brl(5000),
          discountTotal: brl(1000),
          taxTotal: brl(0),
          taxIncluded: false,
          deliveries: [{ quantity: 2, at: '2026-10-05T15:30:00.123Z' }],
          shippedAt: '2026-10-02T12:00:00.000Z',
        },
      ],
      completeness: 'full',
      discrepancies: [],
      source: 'vtex',
      observedAt: expect.any(String),
    });
    expect(fieldErrors('registerOrder', facts)).toEqual([]);
  });

  test('have the platform that the account configures', async () => {
    const { order: facts, refunds } = await fetchSnapshot(packages(output(), input()), 'other');
    expect([facts.platform, refunds[0]?.platform]).toEqual(['vtex-other', 'vtex-other']);
  });

  test('have the exact price of three units, not three times a rounded one', async () => {
    const [line] = (
      await factsOf({
        items: [item({ quantity: 3, price: 4000, sellingPrice: 3333, priceDefinition: { total: 10000 } })],
        value: 11160,
      })
    ).lines;
    expect(line).toMatchObject({ quantity: 3, unitPrice: brl(4000), discountTotal: brl(2000) });
  });

  test('accept a price above the list price, as for weighed goods', async () => {
    const facts = await factsOf({
      items: [item({ quantity: 3, price: 100, priceDefinition: undefined, priceDefinitions: { total: 1000 } })],
      value: 2160,
    });
    expect(facts).toMatchObject({ completeness: 'full' });
    expect(facts.lines).toMatchObject([{ unitPrice: brl(334), discountTotal: brl(2) }]);
  });

  test('include taxes that are separate from prices, also for shipping', async () => {
    const facts = await factsOf({
      items: [item({ tax: 450 })],
      totals: [
        { id: 'Shipping', value: 1160 },
        { id: 'Tax', value: 1000 },
      ],
      value: 11160,
    });
    expect(facts).toMatchObject({ completeness: 'full', shipping: { paid: brl(1260), tax: brl(100) } });
    expect(facts.lines[0]).toMatchObject({ taxTotal: brl(900), taxIncluded: false });
  });

  test('include the taxes of a tax service for all units, but no percentages', async () => {
    const tag = { name: 'tax@price-TAXHUB#1', value: 900, isPercentual: false };
    const shop = {
      totals: [
        { id: 'Shipping', value: 1160 },
        { id: 'Tax', value: 900 },
      ],
      value: 11060,
    };
    const exact = await factsOf({ ...shop, items: [item({ priceTags: [tag] })] });
    expect(exact.lines[0]?.taxTotal).toEqual(brl(900));
    const rate = await factsOf({ ...shop, items: [item({ priceTags: [{ ...tag, isPercentual: true }] })] });
    expect(rate.lines[0]).not.toHaveProperty('taxTotal');
    expect(rate.completeness).toBe('partial');
  });

  test.each([
    ['the price after promotions', { sellingPrice: 0, totals: 1160 }, 9000, 0, 'full'],
    ['the total, when the sums agree', { sellingPrice: 1160, totals: 500 }, 9500, 500, 'full'],
    ['the price, when no sums agree', { sellingPrice: 1160, totals: 500 }, 7777, 1160, 'partial'],
  ] as const)('have as shipping %s', async (_, reported, value, paid, completeness) => {
    const facts = await factsOf({
      totals: [{ id: 'Shipping', value: reported.totals }],
      shippingData: { logisticsInfo: [{ itemIndex: 0, sellingPrice: reported.sellingPrice }] },
      value,
    });
    expect(facts).toMatchObject({ shipping: { paid: brl(paid) }, completeness });
  });

  test('have the shipped units of sales invoices', async () => {
    const part = output({ items: [{ itemIndex: 0, quantity: 1 }], courierStatus: null });
    const facts = await factsOf(packages(part, input()));
    expect(facts.lines[0]).toMatchObject({ fulfilledQuantity: 1, shippedAt: '2026-10-02T12:00:00.000Z' });
    expect(facts.lines[0]).not.toHaveProperty('deliveries');
    const both = await factsOf(packages(part, output({ issuanceDate: '2026-10-03T12:00:00Z' }), input()));
    expect(both.lines[0]).toMatchObject({
      fulfilledQuantity: 2,
      deliveries: [{ quantity: 1 }],
      shippedAt: '2026-10-03T12:00:00.000Z',
    });
  });

  test('count an invoice without items for all lines of an invoiced order, and otherwise for none', async () => {
    const whole = output({ items: [] });
    expect((await factsOf(packages(whole, input()))).lines[0]).toMatchObject({ fulfilledQuantity: 2 });
    const open = await factsOf({ ...packages(whole, input()), status: 'handling' });
    expect(open.lines[0]).not.toHaveProperty('fulfilledQuantity');
    expect(open.completeness).toBe('partial');
  });

  test('identify lines by position when they have no unique id', async () => {
    const twins = [item({ uniqueId: 'A' }), item({ uniqueId: 'A' }), item({ uniqueId: null }), item({ uniqueId: 'B' })];
    expect((await factsOf({ items: twins })).lines.map((line) => line.lineId)).toEqual(['0', '1', '2', 'B']);
  });

  test('read a company, an in-store sale, two sellers and a real mail address', async () => {
    const facts = await factsOf({
      isCheckedIn: true,
      items: [item(), item({ uniqueId: 'B', seller: '2' })],
      clientProfileData: { email: 'ann@example.com', isCorporate: true },
    });
    expect(facts).toMatchObject({
      saleType: 'in_store',
      buyerIsConsumer: false,
      customer: { email: 'ann@example.com' },
    });
    expect(facts).not.toHaveProperty('seller');
  });

  test('omit fields that the order does not have', async () => {
    const { orderId: id, items, storePreferencesData, status } = order();
    vtex.put({ orderId: id, items, storePreferencesData, status, ...packages(input()) });
    const outcome = await prepared();
    expect(outcome).toMatchObject({ kind: 'snapshot', order: { completeness: 'partial', lines: [{ quantity: 2 }] } });
    expect(fieldErrors('registerOrder', 'order' in outcome ? outcome.order : {})).toEqual([]);
  });

  test('have hundredths also in a currency without minor units', async () => {
    const chile = { storePreferencesData: { currencyCode: 'CLP' } };
    const price = { price: 1999000, priceDefinition: { total: 3998000 } };
    const { order: facts, refunds } = await fetchSnapshot({
      ...chile,
      ...packages(output(), input({ invoiceValue: 1999000, restitutions: {} })),
      items: [item(price)],
      paymentData: {},
    });
    expect(facts.lines[0]?.unitPrice).toEqual({ amount: 19990, currency: 'CLP' });
    expect(refunds[0]?.amount).toEqual({ amount: 19990, currency: 'CLP' });
  });

  test('omit a line with an unreadable price, with a discrepancy', async () => {
    const unreadable = item({ uniqueId: 'UNREADABLE', priceDefinition: { total: -1 } });
    expect(await factsOf({ items: [item(), unreadable] })).toMatchObject({
      completeness: 'partial',
      lines: [{ lineId }],
      discrepancies: [{ code: 'order_price_unreadable', detail: 'UNREADABLE' }],
    });
  });

  test.each([
    ['an unknown currency', { storePreferencesData: { currencyCode: 'XYZ' } }, 'order_currency_unreadable'],
    ['no currency', { storePreferencesData: {} }, 'order_currency_unreadable'],
    ['no items', { items: [] }, 'order_without_lines'],
    ['an invalid item', { items: [null] }, 'order_line_unreadable'],
    ['no units', { items: [item({ quantity: 0, priceDefinition: { total: 0 } })] }, 'order_without_lines'],
    ['a negative price', { items: [item({ priceDefinition: { total: -1 } })] }, 'order_price_unreadable'],
    [
      'a fraction of a cent as price',
      { items: [item({ priceDefinition: { total: 0.5 }, sellingPrice: 0.1 })] },
      'order_price_unreadable',
    ],
    [
      'a price beyond 2^53',
      { items: [item({ priceDefinition: { total: 2 ** 60 }, sellingPrice: 2 ** 60 })] },
      'order_price_unreadable',
    ],
    [
      '501 lines',
      { items: Array.from({ length: 501 }, (_, index) => item({ uniqueId: `L${index}` })) },
      'order_too_large',
    ],
  ])('are rejected for an order with %s', async (_, fields, reason) => {
    vtex.put(order({ ...packages(output(), input()), ...fields }));
    expect(await prepared()).toEqual({ kind: 'parked', reason });
  });
});

describe('VTEX refund', () => {
  test('is the restitution of an invoice of returned goods', async () => {
    const { returns, refunds } = await fetchSnapshot(packages(output(), input()));
    expect(returns).toEqual([]);
    expect(refunds).toEqual([
      {
        platform: 'vtex',
        orderId,
        externalId: '2001',
        amount: brl(4000),
        method: 'original_payment',
        occurredAt: '2026-10-20T12:00:00.000Z',
        lines: [{ orderLineId: lineId, quantity: 1 }],
      },
    ]);
    const [refund = {}] = refunds;
    expect(fieldErrors('recordRefund', refund)).toEqual([]);
  });

  test('is read in both spellings, and as a gift card', async () => {
    const refund = { value: 1200, giftCardData: { id: '7' } };
    const { refunds } = await fetchSnapshot(packages(output(), input({ restitutions: { refund } })));
    expect(refunds).toMatchObject([{ amount: brl(1200), method: 'gift_card' }]);
  });

  test.each([{}, null, undefined, { Refund: {} }])(
    'is the value of the invoice with the restitutions %j',
    async (restitutions) => {
      const { refunds } = await fetchSnapshot(packages(output(), input({ restitutions })));
      expect(refunds).toMatchObject([{ amount: brl(4500) }]);
    },
  );

  test('is separate for each invoice of an order', async () => {
    const { refunds } = await fetchSnapshot(packages(input(), output(), input({ invoiceNumber: '2002' })));
    expect(refunds.map(({ externalId }) => externalId)).toEqual(['2001', '2002']);
  });

  test('has units by SKU when the invoice has no items, and none with an unknown SKU', async () => {
    const bySku = await fetchSnapshot(packages(output(), input({ items: [] })));
    expect(bySku.refunds[0]?.lines).toEqual([{ orderLineId: lineId, quantity: 1 }]);
    const unknown = input({
      items: [
        { itemIndex: 0, quantity: 1 },
        { itemIndex: 9, quantity: 1 },
      ],
    });
    expect((await fetchSnapshot(packages(output(), unknown))).refunds[0]).not.toHaveProperty('lines');
    const twins = { items: [item({ uniqueId: 'A' }), item({ uniqueId: 'B' })] };
    expect((await fetchSnapshot({ ...twins, ...packages(input({ items: [] })) })).refunds[0]).not.toHaveProperty(
      'lines',
    );
  });

  test('has an id that is valid in a path for any invoice number', async () => {
    const { refunds } = await fetchSnapshot(packages(input({ invoiceNumber: 'NF 12/2026' })));
    expect(refunds[0]?.externalId).toMatch(/^[\w-]{43}$/);
  });

  test('is omitted for a bank slip without a restitution', async () => {
    const slip = { paymentData: { transactions: [{ payments: [{ id: 'p', group: 'bankInvoice', value: 1 }] }] } };
    vtex.put(order({ ...slip, ...packages(output(), input({ restitutions: {} })) }));
    expect(await prepared()).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
    expect((await fetchSnapshot({ ...slip, ...packages(output(), input()) })).refunds).toHaveLength(1);
  });

  test.each([
    ['nothing was returned', packages(output())],
    ['there are no packages', { packageAttachment: null }],
    ['the value is zero', packages(output(), input({ restitutions: { Refund: { value: 0 } } }))],
  ])('is omitted when %s', async (_, fields) => {
    vtex.put(order(fields));
    expect(await prepared()).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
  });

  test.each([
    ['a negative amount', { restitutions: { Refund: { value: -5 } } }],
    ['an amount in text', { restitutions: {}, invoiceValue: '4500' }],
    ['a restitution without a value', { restitutions: { Refund: { giftCardData: null, items: [] } } }],
    ['no time', { issuanceDate: '0001-01-01T00:00:00' }],
    ['no number', { invoiceNumber: null }],
  ])('is a discrepancy of its order with %s, and other refunds are read', async (_, fields) => {
    vtex.put(order(packages(output(), input(fields), input({ invoiceNumber: '2002' }))));
    expect(await prepared()).toMatchObject({
      ...snapshotWithout('refund_unreadable'),
      refunds: [{ externalId: '2002' }],
    });
  });
});

describe('VTEX Orders API', () => {
  test('vtex-apps/store-discussion#421: is not asked for states outside the hook’s filter', async () => {
    const before = vtex.requests.length;
    for (const State of ['payment-pending', 'ready-for-handling', 'window-to-cancel'])
      expect(await prepared(account, { OrderId: orderId, State })).toEqual({
        kind: 'ignored',
        reason: 'state_not_handled',
      });
    expect(vtex.requests.length).toBe(before);
  });

  test.each(['unknow', 'canceled', 'a-state-that-is-new', null, 7])(
    'is asked for an order in the state %j',
    async (State) => {
      vtex.put(order(packages(output(), input())));
      expect((await prepared(account, { OrderId: orderId, State })).kind).toBe('snapshot');
    },
  );

  test.each(inSoak('is asked again after a temporary failure, and in a later attempt after a 403'))('%s', async () => {
    vtex.put(order(packages(output(), input())));
    vtex.fail(500, 429);
    expect((await prepared()).kind).toBe('snapshot');
    vtex.fail(403);
    expect(await prepared()).toEqual({ kind: 'retry', reason: 'shop_status_403' });
    vtex.forget();
    expect(await prepared()).toEqual({ kind: 'parked', reason: 'shop_status_404' });
  });
});
