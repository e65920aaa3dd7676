import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../lib/runtime/exact-json.ts';
import { orderFacts } from '../../../lib/shops/platforms/woocommerce/facts.ts';
import { refundOf } from '../../../lib/shops/platforms/woocommerce/refund.ts';
import { orderErrors } from '../../../lib/domain/returns/commands/order/order-errors.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import { runs } from '../../support/samples.ts';
import { bookingErrors, fieldErrors } from './field-errors.ts';
import { documentedOrder, documentedRefund } from './woocommerce-site.ts';

const parsed = (value: unknown): JsonObject => {
  const read = parseExactJson(JSON.stringify(value));
  if (!isObject(read)) throw new Error('not an object');
  return read;
};

/** Amounts as shops write them, some of them invalid. */
const decimal = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(fc.nat(9_999), fc.nat(9_999)).map(([whole, rest]) => `${whole}.${rest}`) },
  { weight: 1, arbitrary: fc.constantFrom('-1.00', '', null, 0.1, '1e9', '99999999999999') },
);
const anyValue = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.jsonValue());
const line = fc.record({
  quantity: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0, -1, 0.5)),
  subtotal: decimal,
  subtotal_tax: decimal,
  total: decimal,
  total_tax: decimal,
  sku: anyValue,
  name: anyValue,
  variation_id: anyValue,
});
const money = fc.record({ total: decimal, total_tax: decimal });

describe('WooCommerce facts', () => {
  test('of any order answer are unreadable, or valid for the contract and the domain', () => {
    const shape = fc.record({
      lines: fc.array(line, { maxLength: 4 }),
      shipping: fc.array(money, { maxLength: 2 }),
      fees: fc.array(money, { maxLength: 2 }),
      total: decimal,
      included: fc.boolean(),
      currency: fc.constantFrom('USD', 'JPY', 'KWD', 'XYZ'),
      billing: anyValue,
      created: anyValue,
      status: anyValue,
    });
    fc.assert(
      fc.property(shape, ({ lines, shipping, fees, total, included, currency, billing, created, status }) => {
        const order = documentedOrder({
          line_items: lines.map((changes, index) => ({ id: index + 1, ...changes })),
          shipping_lines: shipping,
          fee_lines: fees,
          total,
          prices_include_tax: included,
          currency,
          billing,
          date_created_gmt: created,
          status,
        });
        const of = { platform: 'woocommerce', shippingRefunded: 0, observedAt: new Date().toISOString() };
        const facts = orderFacts(parsed(order), of);
        const found = facts.ok ? [...fieldErrors('registerOrder', facts.value), ...orderErrors(facts.value)] : [];
        expect(found).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('of any refund answer are unreadable, no refund, or valid for the contract and the domain', () => {
    const item = fc.record({
      quantity: fc.oneof(fc.integer({ min: -50, max: 1 }), fc.constant(-0.5)),
      total: decimal.map((amount) => `-${String(amount)}`),
      total_tax: decimal.map((amount) => `-${String(amount)}`),
      meta_data: fc.constantFrom(
        [{ key: '_refunded_item_id', value: '313' }],
        [{ key: '_refunded_item_id', value: 5 }],
        [],
        7,
      ),
    });
    const shape = fc.record({ items: fc.array(item), shipping: fc.array(item), amount: decimal, refunded: anyValue });
    fc.assert(
      fc.property(shape, ({ items, shipping, amount, refunded }) => {
        const refund = documentedRefund({
          line_items: items,
          shipping_lines: shipping,
          amount,
          refunded_payment: refunded,
        });
        const parsedRefund = refundOf(parsed(refund), {
          platform: 'woocommerce',
          orderId: '1',
          currency: 'USD',
          lines: [{ lineId: '313', quantity: 3 }],
        });
        expect(parsedRefund.ok && parsedRefund.value ? bookingErrors(parsedRefund.value, '313') : []).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('of a refund of money without units are a part of the price of the units to keep', () => {
    const [item] = documentedRefund()['line_items'] as readonly JsonObject[];
    const refund = documentedRefund({
      amount: '1.50',
      line_items: [{ ...item, quantity: 0, total: '-1.50', total_tax: '0.00' }],
    });
    const lines = [{ lineId: '313', quantity: 3 }];
    const read = refundOf(parsed(refund), { platform: 'woocommerce', orderId: '1', currency: 'USD', lines });
    const usd = (amount: number) => ({ amount, currency: 'USD' });
    expect(read).toMatchObject({
      value: { lines: [{ orderLineId: '313', quantity: 3, kept: true, amount: usd(150), tax: usd(0) }] },
    });
  });
});
