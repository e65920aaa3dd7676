import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ShopOrder } from '../../../../lib/tools/local/shop/orders.ts';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { findApiCredentials } from '../../../../lib/shops/platforms/shopify/api.ts';
import { fetchOrder } from '../../../../lib/shops/platforms/shopify/order.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { fetchReturn } from '../../../../lib/shops/platforms/shopify/return.ts';
import { hearLines } from '../../../support/standard-output.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { inSoak } from '../../../support/samples.ts';

const requests: { query: string; variables: unknown }[] = [];
const shop = await startShop({ port: 0, onRequest: (request) => void requests.push(request) });
const store = await startPlatformSecret();
const hold = (accessToken: string) =>
  store.put({ [shop.shopDomain]: { webhookSecrets: [shop.webhookSecret], accessToken, apiUrl: shop.url } });
hold('shpat_replaced');

afterAll(async () => {
  await shop.close();
  await store.close();
});
beforeEach(() => void requests.splice(0));
afterEach(() => vi.restoreAllMocks());

const soon = () => Date.now() + 20_000;
const gid = (id: string) => `gid://shopify/Order/${id}`;
const orderWith = (fits: (order: ShopOrder) => boolean): ShopOrder => {
  const found = shop.orderIds.map(shop.order).find(fits);
  if (found === undefined) throw new Error('no such order');
  return found;
};
const read = async (order: ShopOrder) => {
  const result = await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(order.id));
  if (!result.ok) throw new Error(result.failure.reason);
  expect(result.value.withdrawals).toEqual([]);
  return result.value.order;
};
const large = () => shop.order(shop.orderIds.at(-1) ?? '');

test('Shopify client reads a replaced token again, once', async () => {
  expect((await findApiCredentials(shop.shopDomain))?.accessToken).toBe('shpat_replaced');
  hold(shop.accessToken);
  expect((await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(shop.orderIds[0] ?? ''))).ok).toBe(true);
  expect(requests).toHaveLength(2);
});

describe('Shopify fetchOrder', () => {
  test.each(['EUR', 'USD', 'JPY', 'KWD'])('reads an order in %s with the charged amounts', async (currency) => {
    const order = orderWith((candidate) => candidate.currency === currency);
    const facts = await read(order);
    const digits = { EUR: 2, USD: 2, JPY: 0, KWD: 3 }[currency] ?? 0;
    const minor = (amount: string) => Math.round(Number(amount) * 10 ** digits);
    expect(facts).toMatchObject({
      platform: 'shopify',
      orderId: order.id,
      number: order.name,
      currency,
      country: order.country,
      completeness: 'full',
      source: 'shopify',
      saleType: 'distance',
      placedAt: order.processedAt,
      customer: { id: order.customer.id, email: order.customer.email },
      shipping: { paid: { amount: minor(order.shipping.discounted), currency } },
    });
    expect(Number(facts.orderId)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    expect(facts.lines.map(({ lineId }) => lineId)).toEqual(order.lines.map(({ id }) => id));
    for (const [index, line] of order.lines.entries()) {
      const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + minor(amount), 0);
      expect(facts.lines[index]).toMatchObject({
        quantity: line.quantity,
        unitPrice: { amount: minor(line.unitPrice), currency },
        discountTotal: { amount: sum(line.discounts), currency },
        taxTotal: { amount: sum(line.taxes), currency },
        taxIncluded: order.taxesIncluded,
        sku: line.sku,
        productId: line.productId,
        brand: 'Northfold',
      });
      expect(facts.lines[index]?.taxes).toEqual(
        line.taxes.length === 0
          ? undefined
          : [{ rate: String(line.taxRate), amount: { amount: sum(line.taxes), currency } }],
      );
    }
    expect(requests).toHaveLength(1);
  });

  test('reads shipments and arrivals: in two parcels, in part, in transit, after a cancelled attempt', async () => {
    const [, split, part, underway, retried] = shop.orderIds.map(shop.order);
    const two = await read(split as ShopOrder);
    expect(two.lines[0]?.deliveries?.[0]?.at).not.toBe(two.lines[1]?.deliveries?.[0]?.at);
    const partly = await read(part as ShopOrder);
    expect(partly.lines.some(({ quantity, fulfilledQuantity }) => (fulfilledQuantity ?? 0) < quantity)).toBe(true);
    const sent = await read(underway as ShopOrder);
    expect(sent.lines[0]).toMatchObject({ fulfilledQuantity: sent.lines[0]?.quantity, shippedAt: expect.any(String) });
    expect(sent.lines[0]).not.toHaveProperty('deliveries');
    const again = await read(retried as ShopOrder);
    expect(again.lines[0]?.fulfilledQuantity).toBe(again.lines[0]?.quantity);
  });

  test('reads all pages of lines, fulfillments and their lines, each query below 1,000 points', async () => {
    const order = large();
    const facts = await read(order);
    expect(facts.lines).toHaveLength(order.lines.length);
    expect(facts.lines.map(({ fulfilledQuantity }) => fulfilledQuantity)).toEqual(
      order.lines.map(({ id, quantity }) =>
        order.fulfillments.some(({ units }) => units.some(({ lineId }) => lineId === id)) ? quantity : 0,
      ),
    );
    expect(facts.completeness).toBe('full');
    expect(requests.length).toBeGreaterThan(4);
  });

  test.each([503, ...inSoak(429, 500)])('retries after %i, and returns the answer', async (status) => {
    shop.fail({ times: 2, status, headers: { 'retry-after': '0.01' } });
    const result = await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id));
    expect(result.ok).toBe(true);
  });

  test.each(inSoak('waits for the points that a throttled query lacks'))('%s', async () => {
    const body = JSON.stringify({
      errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
      extensions: { cost: { requestedQueryCost: 101, throttleStatus: { currentlyAvailable: 100, restoreRate: 100 } } },
    });
    shop.fail({ times: 1, status: 200, body });
    expect((await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(shop.orderIds[0] ?? ''))).ok).toBe(
      true,
    );
    expect(requests).toHaveLength(2);
  });

  test.each(inSoak('returns retryable when the shop keeps failing'))('%s', async () => {
    shop.fail({ times: 4, status: 502 });
    const result = await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id));
    expect(result).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_502' } });
    expect(requests).toHaveLength(4);
  });

  test('does not wait beyond the deadline', async () => {
    shop.fail({ times: 1, status: 429, headers: { 'retry-after': '600' } });
    // A wait for either of them would exceed the time of the test.
    const result = await fetchOrder({ source: shop.shopDomain, deadline: Date.now() + 300_000 }, gid(large().id));
    expect(result).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_throttled' } });
  });

  test.each([
    [401, 'retryable'],
    [403, 'retryable'],
    [404, 'permanent'],
    [402, 'permanent'],
  ])('does not retry at once after %i, and returns %s', async (status, kind) => {
    shop.fail({ times: 1, status });
    const result = await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id));
    expect(result).toEqual({ ok: false, failure: { kind, reason: `shop_status_${status}` } });
    expect(requests).toHaveLength(1);
  });

  test('returns permanent for an unknown order', async () => {
    expect(await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid('1'))).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_order_not_found' },
    });
  });

  test.each(inSoak('retries an answer that is not JSON, but no rejected query'))('%s', async () => {
    shop.fail({ times: 4, status: 200, body: '<html>' });
    expect(await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id))).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: 'shop_reply_unreadable' },
    });
    shop.fail({ times: 1, status: 200, body: '{"errors":[{"message":"x","extensions":{"code":"undefinedField"}}]}' });
    expect(await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id))).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_refused_query:undefinedField' },
    });
  });

  test.each([
    '{"errors":[{"message":"x","extensions":{"code":"no order of jane@example.com"}}]}',
    '{"errors":[{"extensions":{"code":7}},null]}',
    '{"errors":{"id":"unknown"}}',
    '{"errors":"[API] Invalid API key of Jane Doe"}',
    '{"errors":[{"message":"query has exceeded the max error limit reached"}]}',
    '{"errors":[{"message":"Timeout"}]}',
  ])('retries an error without a code, and hides its text: %s', async (body) => {
    shop.fail({ times: 1, status: 200, body });
    // No time is left for another attempt.
    const result = await fetchOrder({ source: shop.shopDomain, deadline: Date.now() + 100 }, gid(large().id));
    expect(result).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_error' } });
  });

  test.each(['read_customers', 'read_products'])('reads an order without %s and names the scope', async (scope) => {
    const lines: string[] = [];
    hearLines((line) => void lines.push(line));
    shop.scopes.delete(scope);
    const facts = await read(large());
    shop.scopes.add(scope);
    expect(facts).toMatchObject({ completeness: 'partial', discrepancies: [{ code: 'scope_missing', detail: scope }] });
    expect(facts.lines).toHaveLength(large().lines.length);
    expect(lines.join('')).toContain(
      `"message":"scope missing","platform":"shopify","source":"${shop.shopDomain}","scopes":"${scope}"`,
    );
    expect(await read(large())).toMatchObject({ completeness: 'full', discrepancies: [] });
  });

  test('derives the missing scope from the field when the shop names none', async () => {
    const order = orderWith(({ fulfillments }) => fulfillments.length === 1);
    requests.splice(0);
    await read(order);
    const firstRequest = requests[0];
    const reply = (await (
      await fetch(`${shop.url}/admin/api/2026-10/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': shop.accessToken },
        body: JSON.stringify(firstRequest),
      })
    ).json()) as { data: { order: object } };
    const data = { order: { ...reply.data.order, customer: null, email: null } };
    const error = { message: 'x', path: ['order', 'customer'], extensions: { code: 'ACCESS_DENIED' } };
    shop.fail({ times: 1, status: 200, body: JSON.stringify({ data, errors: [error] }) });
    const facts = await read(order);
    expect(facts).toMatchObject({ completeness: 'partial', discrepancies: [{ detail: 'read_customers' }] });
    expect(facts).not.toHaveProperty('customer');
  });

  describe('with a denied scope beside the notice that more errors are cut', () => {
    const notice = { message: 'Too many execution errors, max error limit reached' };
    const denied = { message: 'Access denied.', path: ['order', 'customer'], extensions: { code: 'ACCESS_DENIED' } };
    const replyOf = async () => {
      requests.splice(0);
      await read(large());
      const [firstRequest] = requests.splice(0);
      const response = await fetch(`${shop.url}/admin/api/2026-10/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': shop.accessToken },
        body: JSON.stringify(firstRequest),
      });
      return (await response.json()) as { data: { order: object } };
    };

    test('names the scope in a partial order', async () => {
      const { data } = await replyOf();
      const order = { ...data.order, customer: null };
      requests.splice(0);
      shop.fail({ times: 1, status: 200, body: JSON.stringify({ data: { order }, errors: [denied, notice] }) });
      expect(await read(large())).toMatchObject({
        completeness: 'partial',
        discrepancies: [{ code: 'scope_missing', detail: 'read_customers' }],
      });
    });

    test('waits for an operator when the answer has no data', async () => {
      shop.fail({ times: 1, status: 200, body: JSON.stringify({ data: null, errors: [denied, notice] }) });
      const result = await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id));
      expect(result).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_denied_access' } });
      expect(requests).toHaveLength(1);
    });

    test('retries after an internal error beside it', async () => {
      const body = JSON.stringify({ data: null, errors: [denied, { message: 'Internal error' }] });
      shop.fail({ times: 1, status: 200, body });
      expect((await fetchOrder({ source: shop.shopDomain, deadline: soon() }, gid(large().id))).ok).toBe(true);
    });
  });

  test('returns a partial order when its parts do not sum to its total', async () => {
    const order = orderWith(({ fulfillments }) => fulfillments.length === 1);
    requests.splice(0);
    await read(order);
    const { query, variables } = requests[0] ?? {};
    const url = `${shop.url}/admin/api/2026-10/graphql.json`;
    const headers = { 'content-type': 'application/json', 'x-shopify-access-token': shop.accessToken };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { data } = (await reply.json()) as { data: { order: Record<string, unknown> } };
    const totalPriceSet = { presentmentMoney: { amount: '1.0', currencyCode: order.currency } };
    shop.fail({ times: 1, status: 200, body: JSON.stringify({ data: { order: { ...data.order, totalPriceSet } } }) });
    expect(await read(order)).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_total_differs' }],
    });
  });

  test('returns the missing scopes of the token; a write scope includes the read scope', async () => {
    const missing = async () => translator.missingScopes?.(shop.shopDomain, soon());
    expect(await missing()).toEqual({ ok: true, value: [] });
    shop.scopes.delete('read_customers');
    shop.scopes.delete('read_returns');
    shop.scopes.add('write_returns');
    expect(await missing()).toEqual({ ok: true, value: ['read_customers'] });
    shop.scopes.delete('write_returns');
    shop.scopes.add('read_customers').add('read_returns');
  });
});

describe('Shopify fetchReturn', () => {
  test('reads the lines that a thin delivery omits, with the handle of the reason', async () => {
    const [id = ''] = shop.orderIds;
    const { body, returnGid } = shop.webhook(id, {
      thin: true,
      line: 1,
      reason: 'OTHER',
      reasonHandle: 'sleeves-too-short',
      customerNote: 'short arms',
    });
    expect(JSON.parse(body.toString())).toMatchObject({ total_return_line_items: 1, return_line_items: [] });
    expect(await fetchReturn({ source: shop.shopDomain, deadline: soon() }, returnGid)).toMatchObject({
      ok: true,
      value: {
        orderGid: gid(id),
        refundGids: [],
        remote: {
          ok: true,
          value: {
            externalId: returnGid,
            status: 'requested',
            initiatedBy: 'customer',
            lines: [
              {
                orderLineId: shop.order(id).lines[1]?.id,
                quantity: 1,
                reason: {
                  code: 'fit.too_small',
                  note: 'short arms',
                  source: { system: 'shopify', code: 'sleeves-too-short', label: 'sleeves too short' },
                },
              },
            ],
          },
        },
      },
    });
  });

  test('returns permanent for an unknown return', async () => {
    expect(await fetchReturn({ source: shop.shopDomain, deadline: soon() }, 'gid://shopify/Return/1')).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_return_not_found' },
    });
  });
});
