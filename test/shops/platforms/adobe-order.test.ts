import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fail } from '../../../lib/runtime/result.ts';
import { amountOf, exactMoney, roundedMoney, unitsOf } from '../../../lib/shops/platforms/adobe/amounts.ts';
import { orderFacts } from '../../../lib/shops/platforms/adobe/facts.ts';
import type { OrderFacts } from '../../../lib/shops/platforms/platform.ts';
import { order, orderItem } from './adobe-shop.ts';

type Row = Record<string, unknown>;

const read = (over: Row = {}, shipments: readonly Row[] = []) =>
  orderFacts({
    platform: 'adobe',
    order: order(over),
    shipments,
    whole: true,
    observedAt: '2026-11-20T00:00:00.000Z',
  });
const factsOf = (over: Row = {}, shipments: readonly Row[] = []): OrderFacts => {
  const facts = read(over, shipments);
  if (!facts.ok) throw new Error(facts.failure.reason);
  return facts.value;
};
const linesOf = (...items: readonly Row[]) => factsOf({ items }).lines;
const eur = (amount: number) => ({ amount, currency: 'EUR' });
/** Returns the amount that was paid for all units of a line. */
const paid = ({ unitPrice, quantity, discountTotal }: OrderFacts['lines'][number]): number =>
  unitPrice.amount * quantity - (discountTotal?.amount ?? 0);

describe('Adobe Commerce order facts', () => {
  test('contain all fields of a full order', () => {
    const shipments = [
      { created_at: '2026-10-21 08:00:00', items: [{ order_item_id: 31, qty: 2 }] },
      { created_at: '2026-10-23 08:00:00', items: [{ order_item_id: '31', qty: 1 }] },
      { created_at: '2026-10-25 08:00:00', items: [{ order_item_id: 32, qty: 1 }] },
    ];
    expect(factsOf({}, shipments)).toEqual({
      platform: 'adobe',
      orderId: '000000123',
      number: '000000123',
      currency: 'EUR',
      channel: 'adobe',
      lines: [
        {
          lineId: '31',
          quantity: 3,
          fulfilledQuantity: 3,
          unitPrice: eur(2000),
          discountTotal: eur(0),
          taxTotal: eur(958),
          taxes: [{ rate: '19', amount: eur(958) }],
          taxIncluded: true,
          sku: 'SHIRT-M',
          title: 'Shirt',
          productId: '501',
          shippedAt: '2026-10-23T08:00:00.000Z',
        },
      ],
      completeness: 'full',
      discrepancies: [],
      source: 'adobe',
      observedAt: '2026-11-20T00:00:00.000Z',
      country: 'DE',
      destination: { country: 'DE', region: 'BER' },
      placedAt: '2026-10-20T18:00:00.000Z',
      customer: { id: '7', email: 'ann@example.com', name: 'Ann Lee' },
      saleType: 'distance',
      shipping: { paid: eur(500), tax: eur(80), refunded: eur(0) },
      payments: [{ id: '12', method: 'checkmo', paid: eur(6500) }],
      paymentsComplete: true,
    });
  });

  test('name a guest by the billing address', () => {
    const guest = { customer_id: null, customer_firstname: null, customer_lastname: null };
    const billed = { country_id: 'DE', firstname: 'Ann', lastname: 'Guest' };
    expect(factsOf({ ...guest, billing_address: billed }).customer).toEqual({
      email: 'ann@example.com',
      name: 'Ann Guest',
    });
  });

  test('contain only the fields of a minimal order', () => {
    const bare = {
      customer_id: null,
      customer_email: null,
      customer_firstname: null,
      customer_lastname: null,
      remote_ip: null,
      shipping_amount: null,
      billing_address: null,
      payment: null,
      extension_attributes: [],
      created_at: null,
    };
    const facts = factsOf(bare);
    expect(facts.completeness).toBe('partial');
    for (const name of ['customer', 'saleType', 'shipping', 'country', 'destination', 'payments', 'placedAt'])
      expect(facts).not.toHaveProperty(name);
  });

  test('are partial when the order has more shipments than were read', () => {
    const reading = { platform: 'adobe', order: order(), shipments: [], whole: false, observedAt: '' };
    expect(orderFacts(reading)).toMatchObject({ value: { completeness: 'partial' } });
  });

  test.each([
    [{ increment_id: null }, 'order_number_unreadable'],
    [{ increment_id: 'A/1' }, 'order_number_unreadable'],
    [{ increment_id: '..' }, 'order_number_unreadable'],
    [{ increment_id: 'Ä1' }, 'order_number_unreadable'],
    [{ order_currency_code: 'QQQ' }, 'order_currency_unknown'],
    [{ order_currency_code: null }, 'order_currency_unknown'],
    [{ items: [] }, 'order_without_lines'],
    [{ items: null }, 'order_without_lines'],
    [{ items: [orderItem({ row_total: -1, row_total_incl_tax: -1, tax_amount: 0 })] }, 'order_without_lines'],
    [{ items: Array.from({ length: 501 }, (_, index) => orderItem({ item_id: index + 1 })) }, 'order_too_large'],
  ])('are rejected for an order with %j', (over, reason) =>
    expect(read(over)).toEqual(fail({ kind: 'permanent', reason })),
  );

  test('contain the charge for gift wrapping', () => {
    const extension_attributes = {
      gw_price_incl_tax: '3.0000',
      gw_items_price_incl_tax: 1.5,
      gw_card_price_incl_tax: null,
    };
    expect(factsOf({ extension_attributes }).charges).toEqual([{ type: 'gift_wrap', paid: eur(450) }]);
  });

  test('subtract the discount from the shipping amount', () => {
    const over = {
      shipping_discount_amount: 2.1,
      shipping_tax_amount: 0.4,
      shipping_refunded: 1,
      shipping_tax_refunded: 0.19,
    };
    expect(factsOf(over).shipping).toEqual({ paid: eur(250), tax: eur(40), refunded: eur(119) });
    expect(factsOf({ shipping_discount_amount: 9 })).not.toHaveProperty('shipping');
  });
});

describe('Adobe Commerce order lines', () => {
  /** Returns Commerce's fields of a row in `qty` units. REST totals are net of the discount. */
  const rest = (row: { net: number; tax: number; discount?: number; compensation?: number; weee?: number }) => {
    const { net, tax, discount = 0, compensation = 0, weee = 0 } = row;
    return {
      row_total: net - discount,
      row_total_incl_tax: net + tax + compensation + weee - discount,
      tax_amount: tax,
      discount_amount: discount,
      discount_tax_compensation_amount: compensation,
      weee_tax_applied_row_amount: weee,
    };
  };

  test.each([
    // Prices without tax, discounted before tax.
    [{ price_incl_tax: 108, qty_ordered: 1, ...rest({ net: 100, tax: 7.2, discount: 10 }) }, 9720],
    // Prices with tax, and a discount that includes tax.
    [{ price_incl_tax: 20, ...rest({ net: 50.42, tax: 8.62, discount: 6, compensation: 0.96 }) }, 5400],
    // Three units for ten: no unit price multiplies to the total.
    [{ price_incl_tax: 3.3333, ...rest({ net: 10, tax: 0 }) }, 1000],
    [{ price_incl_tax: 3.3333, ...rest({ net: 10.01, tax: 0 }) }, 1001],
    [{ price_incl_tax: null, ...rest({ net: 10, tax: 0 }) }, 1000],
    [{ price_incl_tax: '32444.000000', row_total_incl_tax: '97332.000000', tax_amount: '0.0000' }, 9_733_200],
    [rest({ net: 50, tax: 9.5, weee: 0.3 }), 5980],
    [{ price_incl_tax: 0, ...rest({ net: 0, tax: 0 }) }, 0],
  ])('sum to the exact paid amount: %j is %s', (over, total) => {
    const facts = factsOf({ items: [orderItem(over)], grand_total: total / 100 + 5 });
    expect(facts.lines.map(paid)).toEqual([total]);
    expect(facts.completeness).toBe('full');
  });

  test('sum to the paid amount of an order in dinars, not to that minus the discount', () => {
    const row = { qty_ordered: 1, price_incl_tax: 98, ...rest({ net: 98, tax: 0, discount: 9.8 }) };
    const over = { items: [orderItem(row)], order_currency_code: 'BHD', grand_total: 88.2 };
    const facts = factsOf({ ...over, shipping_amount: 0, shipping_tax_amount: 0 });
    expect(facts.lines.map(paid)).toEqual([88_200]);
    expect(facts).toMatchObject({ completeness: 'full', discrepancies: [] });
  });

  const sold = { qty_ordered: 2, price_incl_tax: 54, tax_amount: 7.2, discount_amount: 10 };
  test.each([
    ['2.4.8, whose row_total ignores the quantity', { row_total: 40, row_total_incl_tax: 97.2 }],
    ['2.4, whose totals are net of the discount', { row_total: 90, row_total_incl_tax: 97.2 }],
    ['2.3, whose row_total only is net of the discount', { row_total: 90, row_total_incl_tax: 108 }],
    ['2.2, as in its database', { row_total: 100, row_total_incl_tax: 108 }],
  ])('of version %s sum to the paid amount', (_, totals) => {
    const facts = factsOf({ items: [orderItem({ ...sold, ...totals })], grand_total: 102.2 });
    expect(facts.lines.map(paid)).toEqual([9720]);
    expect(facts).toMatchObject({ completeness: 'full', discrepancies: [] });
  });

  test('that do not sum to the total of the order cause a discrepancy', () => {
    expect(factsOf({ grand_total: 55 })).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_total_differs', detail: 'the parts come to 6500, the order to 5500' }],
    });
    expect(factsOf({ grand_total: null })).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_total_unreadable' }],
    });
  });

  test('sum to the total plus gift cards and store credit', () => {
    const extension_attributes = {
      gift_cards_amount: '20.0000',
      customer_balance_amount: 4.5,
      reward_currency_amount: 1,
    };
    expect(factsOf({ grand_total: 39.5, extension_attributes }).completeness).toBe('full');
  });

  test('sum to any paid amount', () => {
    const cents = fc.integer({ min: 0, max: 10_000_00 });
    fc.assert(
      fc.property(cents, cents, cents, fc.integer({ min: 1, max: 1000 }), (row, tax, price, quantity) => {
        const prices = { row_total_incl_tax: (row + tax) / 100, tax_amount: tax / 100, price_incl_tax: price / 100 };
        const [line] = linesOf(orderItem({ ...prices, qty_ordered: quantity }));
        expect(line && paid(line)).toBe(row + tax);
        expect(line?.discountTotal?.amount).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('that were sold by weight are omitted, and the order is partial', () => {
    const facts = factsOf({ items: [orderItem(), orderItem({ item_id: 32, qty_ordered: '0.7500' })] });
    expect(facts.lines.map(({ lineId }) => lineId)).toEqual(['31']);
    expect(facts.completeness).toBe('partial');
  });

  test('without a readable tax have none, and the order is partial', () => {
    const facts = factsOf({ items: [orderItem({ tax_amount: null })] });
    expect(facts.lines[0]).not.toHaveProperty('taxTotal');
    expect(facts.completeness).toBe('partial');
  });

  test('name the sold product, not its variant', () => {
    const variant = orderItem({ item_id: 32, parent_item_id: 31, row_total: 0, row_total_incl_tax: 0, tax_amount: 0 });
    const lines = linesOf(orderItem({ product_type: 'configurable' }), variant);
    expect(lines.map(({ lineId }) => lineId)).toEqual(['31']);
  });

  const bundle = (over: Row = {}) => orderItem({ product_type: 'bundle', ...over });
  const part = (over: Row = {}) => orderItem({ item_id: 32, parent_item_id: 31, qty_ordered: 6, ...over });

  test('are the parts of a bundle when the parts have prices', () => {
    const facts = factsOf({ items: [bundle(), part()] });
    expect(facts.lines).toMatchObject([{ lineId: '32', bundleId: '31' }]);
    expect(facts.completeness).toBe('full');
  });

  test('are the bundle and its parts when the bundle has the price, and the order is partial', () => {
    const facts = factsOf({
      items: [bundle(), part({ row_total: 0, row_total_incl_tax: 0, tax_amount: 0, price_incl_tax: 0 })],
    });
    expect(facts.lines.map((line) => [line.lineId, paid(line)])).toEqual([
      ['31', 6000],
      ['32', 0],
    ]);
    expect(facts.completeness).toBe('partial');
  });

  test('are fulfilled by shipments, by the bundle of a part, or without a shipment', () => {
    expect(linesOf(orderItem({ qty_shipped: '1.0000' }))[0]?.fulfilledQuantity).toBe(1);
    expect(linesOf(orderItem({ qty_shipped: 9 }))[0]?.fulfilledQuantity).toBe(3);
    expect(linesOf(bundle({ qty_shipped: 2 }), part({ qty_shipped: 0 }))[0]?.fulfilledQuantity).toBe(4);
    expect(linesOf(bundle({ qty_shipped: 2 }), part({ qty_shipped: 1 }))[0]?.fulfilledQuantity).toBe(1);
    expect(linesOf(orderItem({ is_virtual: 1, qty_shipped: 0, qty_invoiced: 2 }))[0]?.fulfilledQuantity).toBe(2);
  });

  test('are omitted when their ids have lost digits', () => {
    expect(read({ items: [orderItem({ item_id: 2 ** 53 })] })).toEqual(
      fail({ kind: 'permanent', reason: 'order_without_lines' }),
    );
    expect(linesOf(orderItem({ item_id: '9007199254740993' }))[0]?.lineId).toBe('9007199254740993');
  });
});

describe('Adobe Commerce values', () => {
  test.each([
    [20, 'EUR', 2000],
    ['32444.000000', 'EUR', 3_244_400],
    [24.990000000000002, 'EUR', 2499],
    ['16.8067', 'EUR', undefined],
    ['1000.0000', 'JPY', 1000],
    ['1000.5000', 'JPY', undefined],
    ['1.2345', 'KWD', undefined],
    ['1.2340', 'KWD', 1234],
    ['-1.0000', 'EUR', undefined],
    [1e21, 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    ['', 'EUR', undefined],
    [null, 'EUR', undefined],
    [true, 'EUR', undefined],
  ])('read the amount %j in %s as %s', (value, currency, minor) => {
    const amount = amountOf(value);
    expect(amount === undefined ? undefined : exactMoney(amount, currency)?.amount).toBe(minor);
  });

  test.each([
    ['16.8049', 'EUR', 1680],
    ['16.8050', 'EUR', 1681],
    ['0.4', 'JPY', 0],
    ['0.5', 'JPY', 1],
    ['1.2345', 'KWD', 1235],
    ['-0.0001', 'EUR', undefined],
    ['1', 'QQQ', undefined],
  ])('round the amount %j in %s to %s', (value, currency, minor) => {
    expect(roundedMoney(amountOf(value) ?? 0n, currency)?.amount).toBe(minor);
  });

  test('have exact amounts, as numbers and as texts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (minor) => {
        const text = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
        expect(exactMoney(amountOf(text) ?? -1n, 'EUR')).toEqual(eur(minor));
        expect(exactMoney(amountOf(Number(text)) ?? -1n, 'EUR')).toEqual(eur(minor));
      }),
    );
  });

  test.each([
    [2, 2],
    ['2.0000', 2],
    ['0', 0],
    [1.5, undefined],
    ['-1', undefined],
    [null, undefined],
    ['100000', 100_000],
    ['100001', undefined],
    ['99999999', undefined],
  ])('read the quantity %j as %s', (value, units) => expect(unitsOf(value)).toBe(units));
});
