import { afterAll, describe, expect, test } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { inSoak } from '../../../support/samples.ts';

let now = Date.parse('2026-11-22T08:00:00Z');
const shop = await startShop({ port: 0, clock: () => now });
const store = await startPlatformSecret();
store.put({
  [shop.shopDomain]: shopifyEntry(shop),
});

afterAll(async () => {
  await shop.close();
  await store.close();
});

const soon = () => Date.now() + 20_000;
const freshOrder = () => shop.sell(1)[0] ?? '';
const prepare = async (topic: string, body: unknown) =>
  translator.prepare({ source: shop.shopDomain, topic, body }, soon());
const prepared = async ({ headers, body }: { headers: Record<string, string>; body: Buffer }) =>
  prepare(headers['x-shopify-topic'] ?? '', JSON.parse(body.toString()));
const opened = (orderId: string) => {
  const { returnGid } = shop.webhook(orderId, { quantity: 1 });
  shop.move(returnGid, { do: 'approve' });
  return returnGid;
};
const updated = async (returnGid: string) => prepare('returns/update', { admin_graphql_api_id: returnGid });

/** Makes the next response of the shop this one. */
const answer = (data: object) => shop.fail({ times: 1, status: 200, body: JSON.stringify({ data }) });
const whole = (nodes: readonly object[] = []) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } });
const cut = (nodes: readonly object[] = []) => ({ nodes, pageInfo: { hasNextPage: true, endCursor: 'next' } });

const money = (amount: string) => ({ presentmentMoney: { amount, currencyCode: 'EUR' } });
const paid = { kind: 'REFUND', status: 'SUCCESS', gateway: null, processedAt: null, amountSet: money('5.00') };

/** A response to the query of a refund without a return. */
const refundNode = (orderId: string, changes: object) => ({
  refund: {
    createdAt: '2026-11-22T08:00:00Z',
    order: { id: `gid://shopify/Order/${orderId}`, taxesIncluded: true },
    return: null,
    transactions: whole([paid]),
    refundShippingLines: whole(),
    refundLineItems: whole(),
    ...changes,
  },
});

describe('Shopify refund with a pending transaction', () => {
  const inPart = { amount: '10.00', pending: '20.00', subtotal: '30.00' };
  const inFull = { amount: { amount: 3000, currency: 'EUR' } };

  test('microsoft/BCApps#9112: waits until all of its money has moved', async () => {
    const orderId = freshOrder();
    const delivery = shop.refund(orderId, null, inPart);
    expect(await prepared(delivery)).toEqual({ kind: 'ignored', reason: 'nothing_refunded' });
    shop.settle(orderId);
    expect(await prepared(delivery)).toMatchObject({ kind: 'snapshot', refunds: [inFull] });
  });

  test('is absent from its return meanwhile, and stops no other refund of it', async () => {
    const orderId = freshOrder();
    const returnGid = opened(orderId);
    shop.refund(orderId, returnGid, { amount: '1.00' });
    shop.refund(orderId, returnGid, inPart);
    const first = { amount: { amount: 100, currency: 'EUR' } };
    expect(await updated(returnGid)).toMatchObject({ returns: [{ refunds: [first] }] });
    shop.settle(orderId);
    expect(await updated(returnGid)).toMatchObject({ returns: [{ refunds: [first, inFull] }] });
  });

  test('is found by reconciliation after its order has changed', async () => {
    const [alone, ofReturn] = [freshOrder(), freshOrder()];
    const returnGid = opened(ofReturn);
    shop.refund(alone, null, inPart);
    shop.refund(ofReturn, returnGid, inPart);
    now += 3_600_000;
    shop.settle(alone);
    shop.settle(ofReturn);
    const since = new Date(now - 1000).toISOString();
    const changes = await translator.fetchChanges?.(shop.shopDomain, { since }, soon());
    if (changes?.ok !== true) throw new Error('no changes');
    const { found } = changes.value;
    const snapshots = await Promise.all(found.map(async ({ topic, body }) => prepare(topic, body)));
    expect(snapshots.filter(({ kind }) => kind === 'snapshot')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ refunds: [expect.objectContaining(inFull)] }),
        expect.objectContaining({ returns: [expect.objectContaining({ refunds: [expect.objectContaining(inFull)] })] }),
      ]),
    );
  });
});

describe('Shopify order with an unreadable part', () => {
  const readable = { amount: { amount: 100, currency: 'EUR' } };

  test('has the return and its other refunds when one refund is unreadable', async () => {
    const orderId = freshOrder();
    const returnGid = opened(orderId);
    const unreadable = shop.refund(orderId, returnGid, { amount: '1.005' });
    shop.refund(orderId, returnGid, { amount: '1.00' });
    const expected = {
      ...snapshotWithout('refund_unreadable'),
      returns: [{ remote: { externalId: returnGid, status: 'approved' }, refunds: [readable] }],
    };
    const outcomes = [await updated(returnGid), await prepared(unreadable)];
    expect(outcomes).toMatchObject([expected, expected]);
    for (const outcome of outcomes)
      expect(fieldErrors('registerOrder', outcome.kind === 'snapshot' ? outcome.order : {})).toEqual([]);
  });

  test('is named when a refund without a return is unreadable', async () => {
    expect(await prepared(shop.refund(freshOrder(), null, { amount: '1.005' }))).toMatchObject({
      ...snapshotWithout('refund_unreadable'),
      returns: [],
      refunds: [],
    });
  });

  test('is named when a return is unreadable, whose refunds wait', async () => {
    const orderId = freshOrder();
    const returnGid = opened(orderId);
    shop.refund(orderId, returnGid, { amount: '1.00' });
    answer({ return: { status: 'LOST', order: { id: `gid://shopify/Order/${orderId}` }, refunds: whole() } });
    expect(await updated(returnGid)).toMatchObject({
      ...snapshotWithout('return_status_unknown'),
      returns: [],
      refunds: [],
    });
  });

  test('has the other returns of a reverse fulfillment order when one return is unreadable', async () => {
    const orderId = freshOrder();
    const [gone, other] = ['gid://shopify/Return/1', opened(orderId)];
    const own = whole([{ id: 'gid://shopify/ReverseFulfillmentOrder/7' }]);
    const nodes = [gone, other].map((id) => ({ id, reverseFulfillmentOrders: own }));
    answer({ reverseFulfillmentOrder: { order: { returns: whole(nodes) } } });
    expect(await prepare('reverse_fulfillment_orders/dispose', { id: 7 })).toMatchObject({
      ...snapshotWithout('shop_return_not_found'),
      returns: [{ remote: { externalId: other } }],
    });
  });

  test.each(inSoak('is not fetched while the shop cannot answer for a refund'))('%s', async () => {
    const orderId = freshOrder();
    const returnGid = opened(orderId);
    shop.refund(orderId, returnGid, { amount: '1.00' });
    answer({
      return: {
        status: 'REQUESTED',
        order: { id: `gid://shopify/Order/${orderId}` },
        decline: null,
        refunds: whole([{ id: 'gid://shopify/Refund/1' }]),
        reverseFulfillmentOrders: whole(),
        exchangeLineItems: whole(),
        returnLineItems: whole(),
      },
    });
    shop.fail({ times: 4, status: 503 });
    expect(await updated(returnGid)).toEqual({ kind: 'retry', reason: 'shop_status_503' });
  });
});

describe('Shopify lists with more than a page', () => {
  const returnWith = (orderId: string, lists: object) => ({
    return: {
      status: 'OPEN',
      order: { id: `gid://shopify/Order/${orderId}` },
      decline: null,
      refunds: whole(),
      reverseFulfillmentOrders: whole(),
      exchangeLineItems: whole(),
      returnLineItems: whole(),
      ...lists,
    },
  });

  test.each(['refunds', 'reverseFulfillmentOrders', 'exchangeLineItems'])(
    'make the return unreadable: %s',
    async (list) => {
      const orderId = freshOrder();
      answer(returnWith(orderId, { [list]: cut() }));
      expect(await updated('gid://shopify/Return/1')).toMatchObject({
        ...snapshotWithout('return_too_large'),
        returns: [],
      });
    },
  );

  test('leave no refund of a return out', async () => {
    const orderId = freshOrder();
    const returnGid = opened(orderId);
    for (let count = 0; count < 51; count += 1) shop.refund(orderId, returnGid, { amount: '0.01', quantity: 0 });
    expect(await translator.refetchReturn(shop.shopDomain, returnGid, soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'return_too_large' },
    });
  });

  test('are read to the end for parcels', async () => {
    const returnGid = opened(freshOrder());
    const numbers = Array.from({ length: 23 }, (_, index) => `JD${index}`);
    for (const number of numbers) shop.move(returnGid, { do: 'attach', number });
    const read = await translator.refetchReturn(shop.shopDomain, returnGid, soon());
    expect(read.ok && read.value.parcels.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
  });

  test.each(['lineItems', 'reverseDeliveries'])(
    'make the return unreadable when the shop names no next page of %s',
    async (list) => {
      const orderId = freshOrder();
      answer(
        returnWith(orderId, { reverseFulfillmentOrders: whole([{ id: 'gid://shopify/ReverseFulfillmentOrder/7' }]) }),
      );
      const noCursor = { nodes: [], pageInfo: { hasNextPage: true, endCursor: null } };
      const goods = { status: 'OPEN', lineItems: whole(), reverseDeliveries: whole(), [list]: noCursor };
      answer({ reverseFulfillmentOrder: goods });
      expect(await updated('gid://shopify/Return/1')).toMatchObject(snapshotWithout('return_too_large'));
    },
  );

  test.each(['refundShippingLines', 'transactions'])('make the refund unreadable: %s', async (list) => {
    const orderId = freshOrder();
    answer(refundNode(orderId, { [list]: cut(list === 'transactions' ? [paid] : []) }));
    expect(await prepare('refunds/create', { id: 7 })).toMatchObject(snapshotWithout('refund_unreadable'));
  });

  test.each([
    ['of an order', cut([{ id: 'gid://shopify/Return/1', reverseFulfillmentOrders: whole() }])],
    ['of a return', whole([{ id: 'gid://shopify/Return/1', reverseFulfillmentOrders: cut() }])],
  ])('park a reverse fulfillment order whose return is not on the first page: %s', async (_, returns) => {
    answer({ reverseFulfillmentOrder: { order: { returns } } });
    expect(await prepare('reverse_fulfillment_orders/dispose', { id: 7 })).toEqual({
      kind: 'parked',
      reason: 'return_too_large',
    });
  });
});
