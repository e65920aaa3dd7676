import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderFacts } from '../../../lib/shops/platforms/bigcommerce/facts.ts';
import { refundOf } from '../../../lib/shops/platforms/bigcommerce/refund.ts';
import { parseExactJson } from '../../../lib/runtime/exact-json.ts';
import { orderErrors } from '../../../lib/domain/returns/commands/order/order-errors.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import { runs } from '../../support/samples.ts';
import { documentedOrder, documentedProduct, documentedRefund } from './bigcommerce-store.ts';
import { bookingErrors, fieldErrors } from './field-errors.ts';

const parsed = (value: unknown): JsonObject => {
  const read = parseExactJson(JSON.stringify(value));
  if (!isObject(read)) throw new Error('not an object');
  return read;
};

/** Amounts as stores write them, as texts or numbers, some of them invalid. */
const decimal = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.nat(9_999), fc.nat(9_999)).map(([whole, rest]) => `${whole}.${rest}`) },
  { weight: 5, arbitrary: fc.nat(999_999).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.constantFrom('-1.00', -0.01, '', null, 1e-9, 1e21, '99999999999999') },
);
const anyValue = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.jsonValue());

describe('BigCommerce facts', () => {
  test('of any order answer are unreadable, or valid for the contract and the domain', () => {
    const product = fc.record({
      quantity: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0, -1, 0.5)),
      quantity_shipped: fc.integer({ min: -1, max: 60 }),
      total_inc_tax: decimal,
      discounted_total_inc_tax: fc.oneof(decimal, fc.constant(undefined)),
      total_tax: decimal,
      applied_discounts: fc.array(fc.record({ amount: decimal }), { maxLength: 2 }),
      sku: anyValue,
      brand: anyValue,
    });
    const shape = fc.record({
      products: fc.array(product, { maxLength: 4 }),
      changes: fc.record({
        total_inc_tax: decimal,
        shipping_cost_inc_tax: decimal,
        shipping_cost_tax: decimal,
        handling_cost_inc_tax: decimal,
        handling_cost_tax: decimal,
        fees: fc.array(fc.record({ cost_inc_tax: decimal, cost_tax: decimal }), { maxLength: 2 }),
        default_currency_code: fc.constantFrom('USD', 'JPY', 'XYZ'),
        status_id: fc.nat(15),
        billing_address: anyValue,
        consignments: anyValue,
        date_created: anyValue,
      }),
    });
    fc.assert(
      fc.property(shape, ({ products, changes }) => {
        const facts = orderFacts({
          order: parsed(documentedOrder(changes)),
          products: products.map((one, index) => parsed(documentedProduct({ ...one, id: index + 1 }))),
          platform: 'bigcommerce',
          observedAt: new Date().toISOString(),
        });
        const found = facts.ok ? [...fieldErrors('registerOrder', facts.value), ...orderErrors(facts.value)] : [];
        expect(found).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('of any refund answer are unreadable, no refund, or valid for the contract and the domain', () => {
    const item = fc.record({
      item_type: fc.constantFrom('PRODUCT', 'SHIPPING', 'ORDER', 'A_NEW_ONE'),
      item_id: fc.oneof(fc.nat(3), anyValue),
      quantity: fc.oneof(fc.nat(3), anyValue),
      requested_amount: fc.oneof(decimal, anyValue),
    });
    const payment = fc.record({
      amount: decimal,
      is_declined: fc.oneof(fc.boolean(), anyValue),
      provider_id: anyValue,
      offline: anyValue,
    });
    const shape = fc.record({
      items: fc.array(item),
      payments: fc.array(payment, { maxLength: 3 }),
      created: anyValue,
    });
    fc.assert(
      fc.property(shape, ({ created, ...changes }) => {
        const refund = documentedRefund({ ...changes, ...(created !== undefined && { created }) });
        const owner = { platform: 'bigcommerce', orderId: '1', currency: 'USD', shipping: { paid: 1200, tax: 91 } };
        const parsedRefund = refundOf(parsed(refund), owner);
        expect(parsedRefund.ok && parsedRefund.value ? bookingErrors(parsedRefund.value, '2') : []).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});
