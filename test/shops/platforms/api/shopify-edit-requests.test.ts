import { describe, expect, test } from 'vitest';
import type { ShopOrder } from '../../../../lib/tools/local/shop/orders.ts';
import { fetchEditRequests } from '../../../../lib/shops/platforms/shopify/edit-requests.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { openShopDeliveries } from './shopify-deliveries.ts';

const { shop, requests, snapshotOf, now } = await openShopDeliveries();

/** Sells an unsent order to a country. */
const sell = (country: string): ShopOrder => {
  const order = shop
    .sell(8, { isSent: false })
    .map(shop.order)
    .find((one) => one.country === country);
  if (order === undefined) throw new Error(`no order to ${country}`);
  return order;
};

describe('Shopify request of a consumer to edit an order', () => {
  test('is a withdrawal from the named units where the order has the right', async () => {
    const order = sell('DE');
    const edit = shop.requestEdit(order.id, [[1, 1]]);
    const { order: facts, withdrawals, returns, refunds } = await snapshotOf(edit);
    const line = order.lines[1];
    expect(withdrawals).toEqual([
      {
        declaration: {
          name: order.customer.name,
          email: order.customer.email,
          contract: order.name,
          lines: `1 × ${line?.title}`,
          platform: 'shopify',
          declaredAt: expect.stringMatching(/^2026-11-20T08:/),
          source: { platform: 'shopify', externalId: `edit-${edit.id}` },
        },
        covers: [{ orderLineId: line?.id, quantity: 1 }],
      },
    ]);
    expect(facts).toMatchObject({ completeness: 'full', discrepancies: [] });
    expect([returns, refunds]).toEqual([[], []]);
  });

  test('is a withdrawal from the whole order if it names all units', async () => {
    const order = sell('DE');
    const all = order.lines.map(({ quantity }, line) => [line, quantity + 1] as const);
    const { withdrawals } = await snapshotOf(shop.requestEdit(order.id, all));
    expect(withdrawals).toMatchObject([{ covers: 'whole_order' }]);
    expect(withdrawals?.[0]?.declaration).not.toHaveProperty('lines');
  });

  test.each(['US', 'JP'])('is a note for staff in %s, until the shop answers it', async (country) => {
    const order = sell(country);
    const edit = shop.requestEdit(order.id, [[0, 1]]);
    const requested = await snapshotOf(edit);
    expect(requested).not.toHaveProperty('withdrawals');
    expect(requested.order).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_edit_requested', detail: `${edit.id}: ${order.lines[0]?.id} x 1` }],
    });
    const answered = await snapshotOf(shop.answerEdit(edit.id, 'DECLINED'));
    expect(answered.order).toMatchObject({ completeness: 'full', discrepancies: [] });
  });

  test('is a note for staff where the address of the consumer cannot be read', async () => {
    const { id } = sell('DE');
    const edit = shop.requestEdit(id, [[0, 1]]);
    const { customer: _, ...facts } = (await snapshotOf(edit)).order;
    const source = { source: shop.shopDomain, deadline: Date.now() + 20_000 };
    expect(await fetchEditRequests(source, `gid://shopify/Order/${id}`, facts)).toMatchObject({
      ok: true,
      value: { order: { discrepancies: [{ code: 'order_edit_requested' }] }, withdrawals: [] },
    });
  });

  test.each(['RESOLVED', 'DECLINED'] as const)('is no new withdrawal once it is %s', async (status) => {
    const order = sell('DE');
    const edit = shop.requestEdit(order.id, [[0, 1]]);
    expect(await snapshotOf(shop.answerEdit(edit.id, status))).not.toHaveProperty('withdrawals');
  });

  test('is read with any other delivery of the order, and costs no request without one', async () => {
    const order = sell('DE');
    const paid = { amount: '1.00', quantity: 0, shipping: '1.00' };
    await snapshotOf(shop.refund(order.id, null, paid));
    expect(requests.filter((query) => query.includes('RequestedOrderEdits'))).toEqual([]);
    shop.requestEdit(order.id, [[0, 1]]);
    shop.requestEdit(order.id, [[1, 1]]);
    expect((await snapshotOf(shop.refund(order.id, null, paid))).withdrawals).toHaveLength(2);
  });

  test('is found by the reconciliation, also after its answer', async () => {
    const order = sell('DE');
    const since = new Date(now()).toISOString();
    const edit = shop.requestEdit(order.id, [[0, 1]]);
    const body = { order: { admin_graphql_api_id: `gid://shopify/Order/${order.id}` } };
    const changes = async () => {
      const found = await translator.fetchChanges?.(shop.shopDomain, { since }, Date.now() + 20_000);
      return found?.ok ? found.value.found.filter(({ topic }) => topic.startsWith('requested_order_edit/')) : found;
    };
    expect(await changes()).toMatchObject([{ topic: 'requested_order_edit/created', body }]);
    shop.answerEdit(edit.id, 'RESOLVED');
    expect(await changes()).toMatchObject([{ topic: 'requested_order_edit/resolved', body }]);
  });
});
