import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderFacts } from '../../../lib/shops/platforms/adobe/facts.ts';
import type { OrderFacts, OrderLine } from '../../../lib/shops/platforms/platform.ts';
import { withCompleteness } from '../../../lib/shops/platforms/shared/fields/completeness.ts';
import { orderErrors } from '../../../lib/domain/returns/commands/order/order-errors.ts';
import { order, orderItem } from './adobe-shop.ts';
import { orders } from './readers-cases.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

const factsWith = (line: Omit<OrderLine, 'lineId'>, total: number): OrderFacts =>
  withCompleteness(
    {
      platform: 'shopify',
      orderId: '1',
      currency: 'EUR',
      lines: [{ ...line, lineId: '11' }],
      observedAt: '2026-11-20T00:00:00.000Z',
    },
    { totals: [total], found: [] },
  );

/** Returns the amount paid for a line whose price includes its tax. */
const paidFor = (price: number, quantity: number, discount: number): number => Math.max(0, price * quantity - discount);

describe('withCompleteness', () => {
  test('makes an order with a tax on a free line partial, and keeps the order acceptable', () => {
    const line = { quantity: 1, unitPrice: eur(1000), discountTotal: eur(1000), taxTotal: eur(160), taxIncluded: true };
    const facts = factsWith(line, 0);
    expect(facts).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_line_inconsistent', detail: '11: taxTotal' }],
      lines: [{ unitPrice: eur(1000), discountTotal: eur(1000), taxTotal: eur(0) }],
    });
    expect(orderErrors(facts)).toEqual([]);
  });

  test('keeps a tax that is added to a free line', () => {
    const line = { quantity: 1, unitPrice: eur(0), discountTotal: eur(0), taxTotal: eur(160), taxIncluded: false };
    expect(factsWith(line, 160)).toMatchObject({ completeness: 'full', lines: [{ taxTotal: eur(160) }] });
  });

  test('keeps the latest deliveries of a line whose units were sent again', () => {
    const deliveries = [
      { quantity: 2, at: '2026-11-02T00:00:00.000Z' },
      { quantity: 1, at: '2026-11-09T00:00:00.000Z' },
    ];
    const facts = factsWith({ quantity: 2, unitPrice: eur(1000), taxIncluded: true, deliveries }, 2000);
    expect(facts).toMatchObject({
      completeness: 'full',
      lines: [{ deliveries: [deliveries[1], { ...deliveries[0], quantity: 1 }] }],
    });
    expect(orderErrors(facts)).toEqual([]);
  });

  test('returns lines that the service accepts, and names each contradiction', () => {
    const amount = fc.nat(5000);
    const delivery = fc.record({
      quantity: fc.integer({ min: 1, max: 4 }),
      at: fc.constantFrom('2026-11-02T00:00:00.000Z', '2026-11-09T00:00:00.000Z'),
    });
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 1, max: 4 }),
        amount,
        amount,
        fc.array(delivery, { maxLength: 3 }),
        (price, quantity, discount, tax, deliveries) => {
          const line = {
            quantity,
            unitPrice: eur(price),
            discountTotal: eur(discount),
            taxTotal: eur(tax),
            taxIncluded: true,
          };
          const paid = paidFor(price, quantity, discount);
          const facts = factsWith({ ...line, deliveries }, paid);
          expect(orderErrors(facts)).toEqual([]);
          expect(facts.completeness).toBe(discount > price * quantity || tax > paid ? 'partial' : 'full');
        },
      ),
    );
  });
});

describe.each(Object.entries(orders))('order reader of %s', (_, { document, read }) => {
  test('reads lines that the service accepts', () => {
    const facts = read(document);
    expect(facts.ok && orderErrors(facts.value)).toEqual([]);
  });
});

test('Adobe order reader makes an order with a tax on a free item partial', () => {
  const free = orderItem({ row_total: 0, row_total_incl_tax: 0, tax_amount: 9.58, discount_amount: 60 });
  const observedAt = '2026-11-20T00:00:00.000Z';
  const facts = orderFacts({
    platform: 'adobe',
    order: order({ items: [free] }),
    shipments: [],
    whole: true,
    observedAt,
  });
  if (!facts.ok) throw new Error(facts.failure.reason);
  expect(facts.value).toMatchObject({
    completeness: 'partial',
    discrepancies: expect.arrayContaining([{ code: 'order_line_inconsistent', detail: '31: taxTotal' }]),
  });
  expect(orderErrors(facts.value)).toEqual([]);
});
