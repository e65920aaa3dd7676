import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { addSources } from '../shops/platforms/platform-secret.ts';
import { api } from '../support/api.ts';
import { auto, often, returned } from '../support/decided-shop.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { publishedPolicy } from '../support/policies.ts';
import { hooksOf, type Hooks, type Signed } from './support.ts';

const lockedShop = 'locked.myshopify.com';
const lockedSecret = 'a-secret-of-a-shop-whose-token-is-void';

const under = (deliveryId: string, { headers, body }: Signed): Signed => ({
  headers: { ...headers, 'x-shopify-webhook-id': deliveryId },
  body,
});

/** Tests a shop's deliveries in the standalone mode. It publishes a policy for orders of Shopify. */
export const standaloneDeliveries = (stackOf: () => OwnStack): void => {
  let stack: OwnStack;
  let hooks: Hooks;
  let orders: readonly string[];

  beforeAll(async () => {
    stack = stackOf();
    hooks = hooksOf(stack, 'standalone');
    orders = stack.shop.sell(3);
    await addSources(stack.secrets, 'shopify', {
      [lockedShop]: { webhookSecrets: [lockedSecret], accessToken: 'void', apiUrl: stack.shop.url },
    });
  });

  it('makes one return of a delivery and its copies, without a Returns Service', async () => {
    const [first, another] = [randomUUID(), randomUUID()];
    const delivery = stack.shop.webhook(orders[0] ?? '', { quantity: 1 });
    expect(await hooks.deliver(under(first, delivery))).toEqual({ status: 200, text: '' });
    const [row] = await hooks.settled(first);
    expect(row).toMatchObject({ status: 'done' });
    const { body } = await api('standalone', stack.info).get(`/returns/${String(row?.['returnId'])}`);
    expect(body).toMatchObject({ externalRefs: [{ platform: 'shopify', id: delivery.returnGid }] });
    expect(await hooks.deliver(under(first, delivery))).toEqual({ status: 200, text: '' });
    expect(await hooks.deliver(under(another, delivery))).toEqual({ status: 200, text: '' });
    expect(await hooks.inbox(first)).toEqual([row]);
    expect(await hooks.inbox(another)).toEqual([]);
  });

  it('holds the units that a consumer in Germany asks to remove, until the shop removes them', async () => {
    const service = api('standalone', stack.info);
    const ids = stack.shop.sell(8, { isSent: false });
    const order = ids.map(stack.shop.order).find((one) => one.country === 'DE' && one.lines[0]?.quantity === 1);
    const [line] = order?.lines ?? [];
    if (order === undefined || line === undefined) throw new Error('no such order');
    const settled = async (delivery: Signed) => {
      await hooks.deliver(delivery);
      return (await hooks.settled(delivery.headers['x-shopify-webhook-id'] ?? ''))[0];
    };
    const edit = stack.shop.requestEdit(order.id, [[0, 1]]);
    expect(await settled(edit)).toMatchObject({ status: 'done' });
    const { body } = await service.get('/withdrawals?limit=100');
    const { items } = body as unknown as Output<'listWithdrawals'>;
    const read = await Promise.all(
      items.map(async (one) => (await service.get(`/withdrawals/${one.withdrawalId}`)).body),
    );
    const own = read.filter((one) => JSON.stringify(one).includes(`"edit-${edit.id}"`));
    expect(own).toMatchObject([{ status: 'matched', cancelled: [{ orderLineId: line.id, quantity: 1 }] }]);
    const returnable = async () => {
      const answer = await service.get(`/orders/shopify/${order.id}/returnable`);
      return (answer.body as unknown as Output<'getReturnable'>).lines.find(({ lineId }) => lineId === line.id);
    };
    expect(await returnable()).toMatchObject({ quantity: 1, withdrawn: 1, refunded: 0, returnable: 0 });
    const worth = line.discounts.reduce((left, discount) => left - Number(discount), Number(line.unitPrice)).toFixed(2);
    stack.shop.refund(order.id, null, { amount: null, subtotal: worth });
    expect(await settled(stack.shop.refund(order.id, null, { amount: worth, quantity: 0 }))).toMatchObject({
      status: 'done',
    });
    expect(await returnable()).toMatchObject({ quantity: 1, refunded: 1, returnable: 0 });
  });

  it('evaluates the return by the policy for Shopify orders and counts earlier requests of the customer', async () => {
    const service = api('standalone', stack.info);
    await publishedPolicy(service, { selectors: { channels: ['shopify'] }, rules: [often, auto] });
    const counts: unknown[] = [];
    for (const deliveryId of [randomUUID(), randomUUID()]) {
      const delivery = stack.shop.webhook(orders[2] ?? '', { quantity: 1 });
      await hooks.deliver(under(deliveryId, delivery));
      const [row] = await hooks.settled(deliveryId);
      const created = await service.get(`/returns/${String(row?.['returnId'])}`);
      const { body } = await service.get(`/decisions/${returned(created).decision?.decisionId}`);
      counts.push(body);
    }
    expect(counts).toMatchObject([0, 1].map((count) => ({ facts: { customer: { returnsLast30Days: count } } })));
  });

  it('retries while the shop rejects requests', async () => {
    const { headers, body } = stack.shop.webhook(orders[1] ?? '');
    const signature = createHmac('sha256', lockedSecret).update(body).digest('base64');
    const theirs = { ...headers, 'x-shopify-shop-domain': lockedShop, 'x-shopify-hmac-sha256': signature };
    const run = hooks.processed();
    expect(await hooks.deliver({ headers: theirs, body })).toEqual({ status: 200, text: '' });
    await run;
    expect(await hooks.inbox(headers['x-shopify-webhook-id'])).toMatchObject([
      { status: 'received', lastError: 'shop_status_401' },
    ]);
  });

  it('dead-letters a message of another format', async () => {
    await hooks.send('poison');
    expect(await hooks.deadLetters()).toMatchObject([
      { Body: 'poison', MessageAttributes: { reason: { StringValue: 'message_invalid' } } },
    ]);
  });
};
