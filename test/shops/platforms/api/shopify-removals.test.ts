import { describe, expect, test } from 'vitest';
import type { ShopOrder } from '../../../../lib/tools/local/shop/orders.ts';
import { openShopDeliveries } from './shopify-deliveries.ts';

const { shop, requests, prepare, snapshotOf } = await openShopDeliveries();

/** Sells an order in euros with its tax in the prices, and returns a line of it with several units and a discount. */
const sell = (isSent: boolean): { order: ShopOrder; line: number; worth: (units: number) => string } => {
  const orders = shop.sell(8, { isSent }).map(shop.order);
  const order = orders.find(
    ({ currency, lines }) => currency === 'EUR' && lines.some(({ quantity }) => quantity === 3),
  );
  const line = order?.lines.findIndex(({ quantity }) => quantity === 3) ?? -1;
  const node = order?.lines[line];
  if (order === undefined || node === undefined) throw new Error('no such order');
  const discounts = node.discounts.reduce((sum, discount) => sum + Number(discount), 0);
  const paid = Number(node.unitPrice) * node.quantity - discounts;
  return { order, line, worth: (units) => ((paid * units) / node.quantity).toFixed(2) };
};

describe('Shopify order after the removal of units without money', () => {
  test('has the units that are left, with their part of discount and tax', async () => {
    const { order, line, worth } = sell(false);
    const { order: facts, refunds } = await snapshotOf(
      shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) }),
    );
    const node = order.lines[line];
    const part = (amounts: readonly string[] = []) =>
      Math.round((amounts.reduce((sum, amount) => sum + Number(amount), 0) * 100 * 2) / 3);
    expect(facts).toMatchObject({ completeness: 'full', discrepancies: [] });
    expect(facts.lines.find(({ lineId }) => lineId === node?.id)).toMatchObject({
      quantity: 2,
      fulfilledQuantity: 0,
      discountTotal: { amount: part(node?.discounts) },
      taxTotal: { amount: part(node?.taxes) },
      taxes: [{ rate: '19', amount: { amount: part(node?.taxes) } }],
    });
    expect(refunds).toEqual([]);
  });

  test('has no line whose units were all removed before they were sent', async () => {
    const { order, line, worth } = sell(false);
    const { order: facts } = await snapshotOf(
      shop.refund(order.id, null, { amount: null, line, quantity: 3, subtotal: worth(3) }),
    );
    expect(facts.completeness).toBe('full');
    expect(facts.lines.map(({ lineId }) => lineId)).toEqual(
      order.lines.filter((_, index) => index !== line).map(({ id }) => id),
    );
  });

  test('keeps sent units, of which none can be returned', async () => {
    const { order, line, worth } = sell(true);
    const one = await snapshotOf(shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) }));
    expect(one.order.lines[line]).toMatchObject({ quantity: 2, fulfilledQuantity: 2 });
    const all = await snapshotOf(shop.refund(order.id, null, { amount: null, line, quantity: 2, subtotal: worth(2) }));
    expect(all.order.lines[line]).toMatchObject({ quantity: 3, fulfilledQuantity: 0 });
  });

  test('keeps the sold units after its first return, and limits those that can be returned', async () => {
    const { order, line, worth } = sell(true);
    const before = shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) });
    shop.makeReturn(order.id, { line });
    const after = shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) });
    for (const delivery of [before, after])
      expect((await snapshotOf(delivery)).order.lines[line]).toMatchObject({ quantity: 2, fulfilledQuantity: 1 });
    const paid = await snapshotOf(shop.refund(order.id, null, { amount: worth(1), quantity: 0 }));
    expect(paid.refunds).toMatchObject([{ lines: [{ quantity: 1 }] }]);
    expect(paid.order.lines[line]).toMatchObject({ quantity: 2, fulfilledQuantity: 2 });
  });

  test('keeps its lines when all units were removed', async () => {
    const { order } = sell(false);
    let facts;
    for (const [line, { quantity }] of order.lines.entries())
      facts = await snapshotOf(shop.refund(order.id, null, { amount: null, line, quantity, subtotal: '1.00' }));
    expect(facts?.order.lines.map(({ quantity }) => quantity)).toEqual(order.lines.map(({ quantity }) => quantity));
  });

  test('keeps its units when it is cancelled', async () => {
    const { order, line, worth } = sell(false);
    const delivery = shop.refund(order.id, null, { amount: null, line, quantity: 3, subtotal: worth(3) });
    shop.cancellations.start({ orderId: order.id, reason: 'CUSTOMER', restock: true });
    expect((await snapshotOf(delivery)).order.lines[line]).toMatchObject({ quantity: 3 });
  });

  test('keeps the units of a refund with money, and of one that waits for its money', async () => {
    const { order, line, worth } = sell(false);
    const paid = await snapshotOf(shop.refund(order.id, null, { amount: worth(1), line, quantity: 1 }));
    expect(paid.order.lines[line]).toMatchObject({ quantity: 3 });
    expect(paid.refunds).toMatchObject([{ lines: [{ quantity: 1 }] }]);
    const pending = shop.refund(order.id, null, { amount: worth(1), status: 'PENDING', line, quantity: 1 });
    expect(await prepare(pending)).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
    const failed = shop.refund(order.id, null, { amount: worth(1), status: 'FAILURE', line, quantity: 1 });
    expect(await prepare(failed)).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
  });

  test('asks for no refunds while no unit has left it', async () => {
    const { order } = sell(true);
    await snapshotOf(shop.refund(order.id, null, { amount: '1.00', line: 0, quantity: 0, shipping: '1.00' }));
    expect(requests.filter((query) => query.includes('RefundsOfOrder'))).toEqual([]);
  });
});

describe('Shopify refund without lines', () => {
  test('pays for removed units of the same amount, which stay sold', async () => {
    const { order, line, worth } = sell(false);
    shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) });
    const { order: facts, refunds } = await snapshotOf(shop.refund(order.id, null, { amount: worth(1), quantity: 0 }));
    expect(refunds).toMatchObject([{ lines: [{ orderLineId: order.lines[line]?.id, quantity: 1 }] }]);
    expect(facts.lines[line]).toMatchObject({ quantity: 3 });
    expect(facts.completeness).toBe('full');
  });

  test.each([
    ['of another amount', (worth: string) => ({ amount: (Number(worth) + 1).toFixed(2), quantity: 0 })],
    ['of the same amount for shipping', (worth: string) => ({ amount: worth, quantity: 0, shipping: worth })],
  ])('pays for no removed units if it is %s', async (_, refund) => {
    const { order, line, worth } = sell(false);
    shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) });
    const { order: facts, refunds } = await snapshotOf(shop.refund(order.id, null, refund(worth(1))));
    expect(refunds[0]).not.toHaveProperty('lines');
    expect(facts.lines[line]).toMatchObject({ quantity: 2 });
  });

  test('pays for no units that are removed later', async () => {
    const { order, line, worth } = sell(false);
    const paid = shop.refund(order.id, null, { amount: worth(1), quantity: 0 });
    shop.refund(order.id, null, { amount: null, line, quantity: 1, subtotal: worth(1) });
    expect((await snapshotOf(paid)).refunds[0]).not.toHaveProperty('lines');
  });
});
