import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fail } from '../../lib/contract/result.ts';
import { amountOf, exactly, nearest } from '../../lib/platforms/adobe/amounts.ts';
import { orderFacts } from '../../lib/platforms/adobe/facts.ts';
import type { OrderFacts } from '../../lib/platforms/platform.ts';
import { unitsOf } from '../../lib/platforms/adobe/values.ts';
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
/** What all units of a line were paid with. */
const paid = ({ unitPrice, quantity, discountTotal }: OrderFacts['lines'][number]): number =>
  unitPrice.amount * quantity - (discountTotal?.amount ?? 0);

describe('an order', () => {
  test('is told with all that the shop tells', () => {
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
          taxIncluded: true,
          sku: 'SHIRT-M',
          title: 'Shirt',
          productId: '501',
          shippedAt: '2026-10-23T08:00:00.000Z',
        },
      ],
      completeness: 'full',
      source: 'adobe',
      observedAt: '2026-11-20T00:00:00.000Z',
      country: 'DE',
      destination: { country: 'DE', region: 'BER' },
      placedAt: '2026-10-20T18:00:00.000Z',
      customer: { id: '7', email: 'ann@example.com', name: 'Ann Lee' },
      saleType: 'distance',
      shipping: { paid: eur(500), tax: eur(80), refunded: eur(0) },
      payments: [{ id: '12', method: 'checkmo', paid: eur(6500) }],
    });
  });

  test('is told with as little as there is', () => {
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

  test('is not whole where there were more shipments than were read', () => {
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
    [{ items: [orderItem({ row_total: -1, tax_amount: 0 })] }, 'order_without_lines'],
    [{ items: Array.from({ length: 501 }, (_, index) => orderItem({ item_id: index + 1 })) }, 'order_too_large'],
  ])('with %j cannot be told', (over, reason) => expect(read(over)).toEqual(fail({ kind: 'permanent', reason })));

  test('tells what was paid for wrapping', () => {
    const extension_attributes = {
      gw_price_incl_tax: '3.0000',
      gw_items_price_incl_tax: 1.5,
      gw_card_price_incl_tax: null,
    };
    expect(factsOf({ extension_attributes }).charges).toEqual([{ type: 'gift_wrap', paid: eur(450) }]);
  });

  test('takes the discount off the shipping', () => {
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

describe('the lines of an order', () => {
  test.each([
    // Prices without tax, the discount before the tax.
    [{ price_incl_tax: 108, row_total: 100, tax_amount: 7.2, discount_amount: 10, qty_ordered: 1 }, 9720],
    // Prices with tax, whose discount holds tax too.
    [
      {
        price_incl_tax: 20,
        row_total: 50.42,
        tax_amount: 8.62,
        discount_amount: 6,
        discount_tax_compensation_amount: 0.96,
      },
      5400,
    ],
    // Three for ten: no price of a unit comes to it.
    [{ price_incl_tax: 3.3333, row_total: 10, tax_amount: 0 }, 1000],
    [{ price_incl_tax: 3.3333, row_total: 10.01, tax_amount: 0 }, 1001],
    [{ price_incl_tax: null, row_total: 10, tax_amount: 0 }, 1000],
    [{ price_incl_tax: '32444.000000', row_total: '97332.000000', tax_amount: '0.0000' }, 9_733_200],
    [{ row_total: 50, tax_amount: 9.5, weee_tax_applied_row_amount: 0.3 }, 5980],
    [{ row_total: 0, tax_amount: 0, price_incl_tax: 0 }, 0],
  ])('come to exactly what was paid: %j is %s', (over, total) => {
    const [line] = linesOf(orderItem(over));
    expect(line && paid(line)).toBe(total);
  });

  test('come to what was paid, whatever was', () => {
    const cents = fc.integer({ min: 0, max: 10_000_00 }).map((amount) => amount / 100);
    fc.assert(
      fc.property(cents, cents, cents, fc.integer({ min: 1, max: 1000 }), (row, tax, price, quantity) => {
        const [line] = linesOf(
          orderItem({ row_total: row, tax_amount: tax, price_incl_tax: price, qty_ordered: quantity }),
        );
        expect(line && paid(line)).toBe(Math.round(row * 100) + Math.round(tax * 100));
        expect(line?.discountTotal?.amount).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('that were sold by weight are left out, and the order is not whole', () => {
    const facts = factsOf({ items: [orderItem(), orderItem({ item_id: 32, qty_ordered: '0.7500' })] });
    expect(facts.lines.map(({ lineId }) => lineId)).toEqual(['31']);
    expect(facts.completeness).toBe('partial');
  });

  test('without a tax are told without, and the order is not whole', () => {
    const facts = factsOf({ items: [orderItem({ tax_amount: null })] });
    expect(facts.lines[0]).not.toHaveProperty('taxTotal');
    expect(facts.completeness).toBe('partial');
  });

  test('are the sold product, not its variant', () => {
    const variant = orderItem({ item_id: 32, parent_item_id: 31, row_total: 0, tax_amount: 0 });
    const lines = linesOf(orderItem({ product_type: 'configurable' }), variant);
    expect(lines.map(({ lineId }) => lineId)).toEqual(['31']);
  });

  const bundle = (over: Row = {}) => orderItem({ product_type: 'bundle', ...over });
  const part = (over: Row = {}) => orderItem({ item_id: 32, parent_item_id: 31, qty_ordered: 6, ...over });

  test('are the parts of a bundle where they have prices', () => {
    const facts = factsOf({ items: [bundle(), part()] });
    expect(facts.lines).toMatchObject([{ lineId: '32', bundleId: '31' }]);
    expect(facts.completeness).toBe('full');
  });

  test('are the bundle and its parts where it has the price, and the order is not whole', () => {
    const facts = factsOf({ items: [bundle(), part({ row_total: 0, tax_amount: 0, price_incl_tax: 0 })] });
    expect(facts.lines.map((line) => [line.lineId, paid(line)])).toEqual([
      ['31', 6000],
      ['32', 0],
    ]);
    expect(facts.completeness).toBe('partial');
  });

  test('are fulfilled by what was shipped, by the bundle for its parts, or without a parcel', () => {
    expect(linesOf(orderItem({ qty_shipped: '1.0000' }))[0]?.fulfilledQuantity).toBe(1);
    expect(linesOf(orderItem({ qty_shipped: 9 }))[0]?.fulfilledQuantity).toBe(3);
    expect(linesOf(bundle({ qty_shipped: 2 }), part({ qty_shipped: 0 }))[0]?.fulfilledQuantity).toBe(4);
    expect(linesOf(bundle({ qty_shipped: 2 }), part({ qty_shipped: 1 }))[0]?.fulfilledQuantity).toBe(1);
    expect(linesOf(orderItem({ is_virtual: 1, qty_shipped: 0, qty_invoiced: 2 }))[0]?.fulfilledQuantity).toBe(2);
  });

  test('whose ids have lost their last digits are none', () => {
    expect(read({ items: [orderItem({ item_id: 2 ** 53 })] })).toEqual(
      fail({ kind: 'permanent', reason: 'order_without_lines' }),
    );
    expect(linesOf(orderItem({ item_id: '9007199254740993' }))[0]?.lineId).toBe('9007199254740993');
  });
});

describe('what Commerce writes', () => {
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
  ])('as the amount %j in %s is %s', (value, currency, minor) => {
    const amount = amountOf(value);
    expect(amount === undefined ? undefined : exactly(amount, currency)?.amount).toBe(minor);
  });

  test.each([
    ['16.8049', 'EUR', 1680],
    ['16.8050', 'EUR', 1681],
    ['0.4', 'JPY', 0],
    ['0.5', 'JPY', 1],
    ['1.2345', 'KWD', 1235],
    ['-0.0001', 'EUR', undefined],
    ['1', 'QQQ', undefined],
  ])('as the amount %j in %s is nearest to %s', (value, currency, minor) => {
    expect(nearest(amountOf(value) ?? 0n, currency)?.amount).toBe(minor);
  });

  test('as an amount is read exactly, as a number and as a text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (minor) => {
        const text = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
        expect(exactly(amountOf(text) ?? -1n, 'EUR')).toEqual(eur(minor));
        expect(exactly(amountOf(Number(text)) ?? -1n, 'EUR')).toEqual(eur(minor));
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
  ])('as the quantity %j is %s', (value, units) => expect(unitsOf(value)).toBe(units));
});
