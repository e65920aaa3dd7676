import { cancellation } from '../../../../lib/shops/platforms/shopify/order.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';

const requests: { query: string; variables: unknown }[] = [];
const shop = await startShop({ port: 0, onRequest: (request) => void requests.push(request) });
const store = await startPlatformSecret();
const entry = shopifyEntry(shop);

afterAll(async () => {
  await shop.close();
  await store.close();
});
beforeEach(() => {
  startContainer();
  store.put({ [shop.shopDomain]: entry });
  shop.scopes.add('write_orders');
  requests.splice(0);
});

const soon = () => Date.now() + 20_000;
/** An order without fulfillments that no other test cancels. */
const orderId = (): string => shop.sell(1, { isSent: false })[0] ?? '';
const fetchState = async (id: string) => cancellation.fetchState(shop.shopDomain, id, soon());
const cancel = async (id: string) => cancellation.cancel(shop.shopDomain, id, soon());
const mutations = () => requests.filter(({ query }) => query.startsWith('mutation'));

describe('Shopify cancellation', () => {
  test('restocks the units, refunds nothing by default, and shows the state', async () => {
    const id = orderId();
    expect(await fetchState(id)).toMatchObject({
      ok: true,
      value: { isCancelled: false, snapshot: { kind: 'snapshot', order: { orderId: id }, returns: [], refunds: [] } },
    });
    expect(await cancel(id)).toEqual({ ok: true, value: undefined });
    expect(shop.cancellations.requests.at(-1)).toMatchObject({
      orderId: id,
      reason: 'CUSTOMER',
      restock: true,
      notifyCustomer: false,
      refundMethod: { originalPaymentMethodsRefund: false },
    });
    expect(await fetchState(id)).toMatchObject({ ok: true, value: { isCancelled: true } });
  });

  test('refunds the original payments where the entry says so', async () => {
    store.put({ [shop.shopDomain]: { ...entry, cancellationRefund: 'original' } });
    expect(await cancel(orderId())).toEqual({ ok: true, value: undefined });
    expect(shop.cancellations.requests.at(-1)?.refundMethod).toEqual({ originalPaymentMethodsRefund: true });
  });

  test('rejects another word in the entry', async () => {
    store.put({ [shop.shopDomain]: { ...entry, cancellationRefund: 'store_credit' } });
    await expect(cancel(orderId())).rejects.toThrow('cancellationRefund');
  });

  test('is not done until the job of the shop has run', async () => {
    const id = orderId();
    shop.cancellations.hold();
    expect(await cancel(id)).toEqual({ ok: true, value: undefined });
    expect(await fetchState(id)).toMatchObject({ ok: true, value: { isCancelled: false } });
    shop.cancellations.release();
    expect(await fetchState(id)).toMatchObject({ ok: true, value: { isCancelled: true } });
  });

  test('names the code of a rejection, and no text of the shop', async () => {
    const id = orderId();
    await cancel(id);
    expect(await cancel(id)).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'cancellation_refused:INVALID' },
    });
    expect(await cancel('1')).toEqual({ ok: false, failure: { kind: 'permanent', reason: 'shop_order_not_found' } });
    expect(await fetchState('1')).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_order_not_found' },
    });
  });

  test('without the scope write_orders is retried later', async () => {
    shop.scopes.delete('write_orders');
    expect(await cancel(orderId())).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: 'shop_denied_access' },
    });
  });

  test.each([
    [{ status: 502 }, 'shop_status_502'],
    [{ status: 200, body: '{' }, 'shop_reply_unreadable'],
    [{ status: 200, body: '{"errors":[{"message":"x"}]}' }, 'shop_error'],
  ])('is sent once when the shop answers %j', async (fault, reason) => {
    const id = orderId();
    shop.fail({ times: 1, ...fault });
    expect(await cancel(id)).toEqual({ ok: false, failure: { kind: 'retryable', reason, mayHaveEffect: true } });
    expect(mutations()).toHaveLength(1);
  });
});
