import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snapshotErrors, snapshotWithout } from '../field-errors.ts';
import { openMedusa, withRefunds } from '../medusa-case.ts';
import {
  itemId,
  itemNode,
  orderId,
  orderNode,
  paymentId,
  paymentNode,
  refundNode,
  returnNode,
  type Node,
} from '../medusa-shop.ts';
import { runs } from '../../../support/samples.ts';

const { hold, run, requested, fetchSnapshot } = await openMedusa();

describe('Medusa refund', () => {
  test('belongs to the open return', async () => {
    hold([returnNode()], withRefunds([refundNode()]));
    const { returns, refunds } = await fetchSnapshot(run('payment.refunded', { id: paymentId }));
    expect(refunds).toEqual([]);
    expect(returns).toMatchObject([
      {
        refunds: [
          {
            platform: 'medusa',
            orderId,
            externalId: 'ref_01JC0000000000000000000001',
            amount: { amount: 1990, currency: 'EUR' },
            method: 'original_payment',
            occurredAt: '2026-11-12T09:00:00.000Z',
          },
        ],
      },
    ]);
  });

  test.each([
    ['came before every return', [returnNode({ requested_at: '2026-11-13T09:00:00.000Z' })]],
    ['came while two returns were open', [returnNode(), returnNode({ id: 'return_2' })]],
    ['came after the cancellation of the only return', [returnNode({ canceled_at: '2026-11-11T09:00:00.000Z' })]],
    ['came without any return', []],
  ])('belongs to no return when it %s', async (_, nodes) => {
    hold(nodes, withRefunds([refundNode()]));
    const { returns, refunds } = await fetchSnapshot();
    expect(returns.flatMap((one) => one.refunds)).toEqual([]);
    expect(refunds).toMatchObject([{ externalId: 'ref_01JC0000000000000000000001' }]);
  });

  test('stays with its return when other returns follow', async () => {
    const later = { requested_at: '2026-11-14T09:00:00.000Z', created_at: '2026-11-14T09:00:00.000Z' };
    hold(
      [returnNode({ canceled_at: '2026-11-15T09:00:00.000Z' }), returnNode({ id: 'return_2', ...later })],
      withRefunds([refundNode()]),
    );
    expect((await fetchSnapshot()).returns).toMatchObject([{ refunds: [{}] }, { refunds: [] }]);
  });

  test.each([
    [10.83333333333333, 1083],
    [10.835, 1084],
    [0.1 + 0.2, 30],
    [1e-7, undefined],
    [0, undefined],
  ])('of %d has %s cents', async (amount, cents) => {
    hold([returnNode()], withRefunds([refundNode({ amount })]));
    const [first] = (await fetchSnapshot()).returns;
    expect(first?.refunds[0]?.amount.amount).toBe(cents);
  });

  test.each([{ amount: -5 }, { amount: 'five' }, { amount: 1e12 }, { created_at: 'yesterday' }, { id: 'a b' }])(
    'is a discrepancy of its order with %j',
    async (fields) => {
      hold([returnNode()], withRefunds([refundNode(fields)]));
      expect(await requested()).toMatchObject(snapshotWithout('refund_unreadable'));
    },
  );

  test('has the method manual when no provider moves it', async () => {
    const payment = paymentNode({ provider_id: 'pp_system_default', refunds: [refundNode()] });
    hold([], orderNode({ payment_collections: [{ payments: [payment] }] }));
    expect((await fetchSnapshot()).refunds).toMatchObject([{ method: 'manual' }]);
  });

  test('is ignored when its payment has no order', async () => {
    hold([], orderNode(), [paymentNode({ payment_collection: { id: 'paycol_1' } })]);
    expect(await run('payment.refunded', { id: paymentId })).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
  });
});

describe('Medusa order', () => {
  const eur = (amount: number) => ({ amount, currency: 'EUR' });
  const facts = async (changes: Node = {}) => {
    hold([returnNode()], orderNode(changes));
    return (await fetchSnapshot()).order;
  };

  test('of a guest has the name of the billing address', async () => {
    const { customer } = await facts({ customer: null, billing_address: { first_name: 'Ada', last_name: 'Guest' } });
    expect(customer).toEqual({ id: 'cus_01JC', email: 'ada@example.com', name: 'Ada Guest' });
  });

  test('has all lines as sold, not only the remaining units', async () => {
    expect(await facts()).toEqual({
      platform: 'medusa',
      orderId,
      number: '1042',
      placedAt: '2026-11-02T09:00:00.000Z',
      currency: 'EUR',
      country: 'DE',
      destination: { country: 'DE', region: 'de-by' },
      channel: 'medusa',
      source: 'medusa',
      completeness: 'full',
      discrepancies: [],
      customer: { id: 'cus_01JC', email: 'ada@example.com', name: 'Ada Byron' },
      payments: [{ id: paymentId, method: 'pp_stripe_stripe', paid: eur(6565) }],
      paymentsComplete: true,
      // Half of 10.00, and 19 % of the rest. The shipping of the return is excluded.
      shipping: { paid: eur(595), tax: eur(95), taxes: [{ rate: '19', amount: eur(95) }], standardCost: eur(1190) },
      lines: [
        {
          lineId: itemId,
          sku: 'SHIRT-M-BLACK',
          productId: 'prod_01JC',
          title: 'Shirt',
          categories: ['apparel'],
          quantity: 3,
          fulfilledQuantity: 2,
          unitPrice: eur(1990),
          discountTotal: eur(0),
          // 59.70 / 1.19 * 0.19 = 9.5319...; the shop's own total covers only the remaining unit.
          taxTotal: eur(953),
          taxes: [{ rate: '19', amount: eur(953) }],
          taxIncluded: true,
          deliveries: [{ quantity: 2, at: '2026-11-04T12:00:00.000Z' }],
          shippedAt: '2026-11-02T12:00:00.000Z',
        },
      ],
      observedAt: expect.any(String),
    });
  });

  const [item = {}] = orderNode()['items'] as Node[];
  test.each([
    ['with tax included', true, { amount: 11.9, is_tax_inclusive: true }, 1190, 763],
    ['without tax', true, { amount: 10, is_tax_inclusive: false }, 1190, 763],
    ['of a price without tax', false, { amount: 10 }, 1000, 944],
  ])('has a discount %s', async (_, taxInside, adjustment, discount, tax) => {
    const order = await facts({ items: [{ ...item, is_tax_inclusive: taxInside, adjustments: [adjustment] }] });
    expect(order.lines).toMatchObject([{ discountTotal: eur(discount), taxTotal: eur(tax) }]);
  });

  test.each([
    ['a tax rate', { tax_lines: [{ rate: null }] }],
    ['a discount', { adjustments: [{ amount: -1 }] }],
    ['a shipped quantity', { detail: null }],
  ])('is partial when %s is unreadable', async (_, fields) => {
    expect(await facts({ items: [{ ...item, ...fields }] })).toMatchObject({ completeness: 'partial' });
  });

  test('is partial when a discount exceeds the price', async () => {
    const order = await facts({ items: [{ ...item, adjustments: [{ amount: 100 }] }] });
    expect(order).toMatchObject({ completeness: 'partial', lines: [{ unitPrice: eur(1990) }] });
  });

  test.each([
    [{ items: [] }, 'order_without_lines'],
    [{ currency_code: 'xyz' }, 'order_price_unreadable'],
    [{ currency_code: null }, 'order_price_unreadable'],
  ])('with %j is parked', async (changes, reason) => {
    hold([returnNode()], orderNode(changes));
    expect(await requested()).toEqual({ kind: 'parked', reason });
  });

  test.each([
    [{ unit_price: -1 }, 'order_price_unreadable'],
    [{ unit_price: null }, 'order_price_unreadable'],
    [{ quantity: 1.5 }, 'order_line_unreadable'],
    [{ id: null }, 'order_line_unreadable'],
  ])('with a line of %j is parked', async (fields, reason) => {
    hold([returnNode()], orderNode({ items: [{ ...item, ...fields }] }));
    expect(await requested()).toEqual({ kind: 'parked', reason });
  });

  test.each([
    [19.995, 3, 5999],
    [6.666666666666667, 3, 2000],
    [0.333333, 1, 33],
  ])('with a unit price of %d has the exact total of %i units', async (price, quantity, sum) => {
    const order = await facts({ items: [{ ...item, unit_price: price, quantity }] });
    const [line] = order.lines;
    expect((line?.unitPrice.amount ?? 0) * quantity - (line?.discountTotal?.amount ?? 0)).toBe(sum);
    expect(order.discrepancies?.map(({ code }) => code)).toEqual(['order_total_differs']);
  });

  test('with a unit price of too many digits is full when the lines sum to its total', async () => {
    const summary = { pending_difference: 0, original_order_total: 65.935 };
    const order = await facts({ summary, items: [{ ...item, unit_price: 19.995 }] });
    expect(order).toMatchObject({ completeness: 'full', discrepancies: [], lines: [{ quantity: 3 }] });
  });

  test.each([
    ['quantity', { id: 'ordli_2', quantity: 1.5 }, 'order_line_unreadable'],
    ['price', { id: 'ordli_2', unit_price: null }, 'order_price_unreadable'],
  ])('omits a line with an unreadable %s, with a discrepancy', async (_, fields, code) => {
    const order = await facts({ items: [item, { ...item, ...fields }] });
    expect(order).toMatchObject({
      completeness: 'partial',
      lines: [{ lineId: itemId }],
      discrepancies: [{ code, detail: 'ordli_2' }],
    });
  });

  test('accepts prices up to the maximum of the contract', async () => {
    const order = await facts({ items: [{ ...item, unit_price: 9_999_999_999.99 }] });
    expect(order.lines[0]?.unitPrice).toEqual(eur(999_999_999_999));
    hold([returnNode()], orderNode({ items: [{ ...item, unit_price: 10_000_000_000.01 }] }));
    expect(await requested()).toEqual({ kind: 'parked', reason: 'order_price_unreadable' });
  });

  test.each([
    ['jpy', 1990, 1990],
    ['kwd', 1.234, 1234],
    ['huf', 19.9, 1990],
  ])('in %s has the digits of its currency', async (currency, price, minor) => {
    const order = await facts({ currency_code: currency, items: [{ ...item, unit_price: price }] });
    expect(order.lines[0]?.unitPrice).toEqual({ amount: minor, currency: currency.toUpperCase() });
  });

  test('passes the schema of the contract with its returns', async () => {
    hold([returnNode()], withRefunds([refundNode()]));
    expect(snapshotErrors(await fetchSnapshot())).toEqual([]);
  });

  test('passes the schema or is parked for any content of one field', async () => {
    const anyValue = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.constantFrom(-1, 0, 1e5, 1e21, '', 'a b', 'x'.repeat(600), '0.0'),
    );
    const within = (node: Node) => fc.tuple(fc.constantFrom(...Object.keys(node)), anyValue);
    await fc.assert(
      fc.asyncProperty(
        fc.option(within(orderNode())),
        fc.option(within(item)),
        fc.option(within(returnNode())),
        fc.option(within(itemNode())),
        fc.option(within(refundNode())),
        async (...changes) => {
          const [ofOrder, ofItem, ofReturn, ofReturned, ofRefund] = changes.map((change) =>
            change === null ? {} : { [change[0]]: change[1] },
          );
          const sold = { items: [{ ...item, ...ofItem }] };
          const order = withRefunds([{ ...refundNode(), ...ofRefund }], { ...sold, ...ofOrder });
          hold([{ ...returnNode(), items: [{ ...itemNode(), ...ofReturned }], ...ofReturn }], order);
          const prepared = await requested();
          expect(prepared.kind === 'snapshot' ? snapshotErrors(prepared) : []).toEqual([]);
          expect(['snapshot', 'parked', 'ignored']).toContain(prepared.kind);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
