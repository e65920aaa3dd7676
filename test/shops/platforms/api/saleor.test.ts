import { afterAll, describe, expect, test } from 'vitest';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { startCase } from '../saleor-case.ts';
import {
  eur,
  event,
  fulfillment,
  globalId,
  line,
  mug,
  order,
  shirt,
  taxed,
  transaction,
  uuid,
} from '../saleor-shop.ts';

const here = await startCase();
const { main: saleor, older, busy } = here;
afterAll(here.close);

const back = fulfillment(2, 'RETURNED', [[shirt, 1]]);
const returned = {
  fulfillments: [
    fulfillment(1, 'FULFILLED', [
      [shirt, 1],
      [mug, 3],
    ]),
    back,
  ],
};
const denied = (order: null) =>
  JSON.stringify({
    errors: [{ message: '', extensions: { exception: { code: 'PermissionDenied' } } }],
    data: { order },
  });
const broken = (code: string) => JSON.stringify({ errors: [{ extensions: { exception: { code } } }], data: null });

describe('Saleor order', () => {
  test('is full, with the paid gross amount of each line', async () => {
    const user = { id: globalId('User', 3), email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' };
    const snapshot = await here.fetchSnapshot({ ...returned, user });
    expect(snapshot.order).toMatchObject({
      platform: 'saleor',
      orderId: globalId('Order', uuid(1)),
      number: '1',
      placedAt: '2026-11-01T08:00:00.000Z',
      currency: 'EUR',
      market: 'default-channel',
      country: 'DE',
      destination: { country: 'DE', region: 'Berlin' },
      customer: { id: user.id, email: 'ann@example.com', name: 'Ann Lee' },
      saleType: 'distance',
      shipping: { paid: { amount: 490 }, tax: { amount: 78 } },
      completeness: 'full',
      lines: [
        {
          lineId: shirt,
          sku: 'SHIRT-L',
          title: 'Shirt - L',
          quantity: 2,
          fulfilledQuantity: 2,
          unitPrice: { amount: 1999 },
          discountTotal: { amount: 398 },
          taxTotal: { amount: 575 },
          taxIncluded: true,
          categories: ['Apparel'],
          shippedAt: '2026-11-01T10:00:00.123Z',
        },
        // 3.33 for one of three that cost 10.00.
        { lineId: mug, unitPrice: { amount: 334 }, discountTotal: { amount: 2 }, taxTotal: { amount: 160 } },
      ],
    });
  });

  test.each([
    ['a discount that is on no line', { total: taxed(45.9, 38) }],
    ['an unreadable tax', { shippingPrice: taxed(4.9, 5) }],
  ])('is partial with %s', async (_, more) => {
    expect((await here.fetchSnapshot({ ...returned, ...more })).order.completeness).toBe('partial');
  });

  test('is full when a gift card paid a part of it', async () => {
    const snapshot = await here.fetchSnapshot({
      ...returned,
      total: taxed(20.9, 17),
      giftCards: [{ id: globalId('GiftCard', 1) }],
    });
    expect(snapshot.order.completeness).toBe('full');
  });

  test('is partial when the token lacks a permission', async () => {
    const one = order(4, { ...returned, userEmail: null });
    saleor.put(one);
    const errors = [{ message: '', extensions: { exception: { code: 'PermissionDenied' } } }];
    saleor.fail({ status: 200, body: JSON.stringify({ errors, data: { order: one } }) });
    expect(await here.prepare(one)).toMatchObject({ kind: 'snapshot', order: { completeness: 'partial' } });
    saleor.fail({ status: 200, body: JSON.stringify({ data: { order: one } }) });
    expect(await here.prepare(order(5))).toEqual({ kind: 'parked', reason: 'shop_order_not_found' });
  });

  test('of a guest has the name of the billing address', async () => {
    const billingAddress = { firstName: 'Ann', lastName: 'Guest' };
    const { order: facts } = await here.fetchSnapshot({ ...returned, user: null, billingAddress });
    expect(facts.customer).toEqual({ email: 'ann@example.com', name: 'Ann Guest' });
  });

  test('omits fields that it does not have', async () => {
    const lines = [line(shirt, 2, 0, 36, 36, { variant: null, productSku: null, quantityFulfilled: 9 })];
    const more = { lines, user: null, userEmail: null, shippingAddress: null, total: taxed(40.9, 40), origin: 'DRAFT' };
    const { order: facts } = await here.fetchSnapshot({ ...returned, ...more });
    expect(facts).toMatchObject({ lines: [{ unitPrice: { amount: 1800 }, fulfilledQuantity: 2 }] });
    for (const absent of ['customer', 'destination', 'country', 'saleType']) expect(facts).not.toHaveProperty(absent);
    expect(fieldErrors('registerOrder', facts)).toEqual([]);
  });

  test('in a currency without minor units has exact amounts', async () => {
    const lines = [
      line(shirt, 1, 0, 0, 0, {
        undiscountedUnitPrice: taxed(1500, 1500, 'JPY'),
        totalPrice: taxed(1500, 1364, 'JPY'),
      }),
    ];
    const yen = { lines, total: taxed(1500, 1364, 'JPY'), shippingPrice: taxed(0, 0, 'JPY') };
    expect((await here.fetchSnapshot({ ...returned, ...yen })).order).toMatchObject({
      currency: 'JPY',
      completeness: 'full',
    });
  });

  test.each([
    ['order_without_lines', { lines: [] }],
    ['order_price_unreadable', { lines: [line(shirt, 1, 1, -1, -1)] }],
    ['order_price_unreadable', { lines: [line(shirt, 1, 1, 1.005, 1)] }],
    ['order_price_unreadable', { lines: [line(shirt, 100_000, 9_999_999, 1, 1)] }],
    ['order_line_unreadable', { lines: [line(globalId('Product', 1), 1, 1, 1, 1)] }],
  ])('is parked as %s', async (reason, more) => {
    await expect(here.fetchSnapshot({ ...returned, ...more })).rejects.toThrow(reason);
  });
});

test('has a discrepancy for an unreadable return', async () => {
  const fulfillments = [{ ...back, lines: [{ id: 'x', quantity: 1, orderLine: null }] }];
  expect(await here.fetchSnapshot({ ...returned, fulfillments })).toMatchObject(
    snapshotWithout('return_line_unreadable'),
  );
});

test('omits an unreadable line, with a discrepancy', async () => {
  const lines = [line(shirt, 1, 20, 19.99, 16), line(mug, 1, 1, 1.005, 1)];
  expect((await here.fetchSnapshot({ ...returned, lines })).order).toMatchObject({
    completeness: 'partial',
    lines: [{ lineId: shirt }],
    discrepancies: [{ code: 'order_price_unreadable', detail: mug }, { code: 'order_total_differs' }],
  });
});

describe('Saleor return', () => {
  test('is a returned fulfillment without inspections', async () => {
    const { returns, refunds } = await here.fetchSnapshot(returned);
    expect(refunds).toEqual([]);
    expect(returns).toEqual([
      {
        remote: {
          platform: 'saleor',
          externalId: `${globalId('Order', uuid(1))}:${back.id}`,
          orderId: globalId('Order', uuid(1)),
          status: 'approved',
          createdAt: '2026-11-02T10:00:00.123Z',
          fetchedAt: expect.any(String),
          initiatedBy: 'agent',
          lines: [{ orderLineId: shirt, quantity: 1, reason: { code: 'unknown' } }],
          parcels: [],
          units: [{ orderLineId: shirt, received: 1, missing: 0, found: [] }],
        },
        refunds: [],
      },
    ]);
  });

  test('passes the schema of the contract with its order', async () => {
    const { order: facts, returns } = await here.fetchSnapshot(returned);
    expect(fieldErrors('registerOrder', facts)).toEqual([]);
    const [{ remote } = {}] = returns;
    const request = {
      order: { platform: 'saleor', orderId: facts.orderId },
      lines: remote?.lines,
      externalRefs: [{ platform: 'saleor', id: remote?.externalId }],
    };
    expect(fieldErrors('createReturn', request)).toEqual([]);
  });

  test('has the reason of each line', async () => {
    const reasonReference = { id: 'p', slug: 'fit-too-small', title: 'Zu klein' };
    const [first] = back.lines;
    const lines = [
      { ...first, reason: 'pinches', reasonReference },
      { ...first, id: 'other', orderLine: { id: mug } },
    ];
    const { returns } = await here.fetchSnapshot({ fulfillments: [{ ...back, lines, reason: 'a gift' }] });
    expect(returns[0]?.remote.lines.map(({ reason }) => reason)).toEqual([
      {
        code: 'fit.too_small',
        note: 'pinches',
        source: { system: 'saleor', code: 'fit-too-small', label: 'Zu klein' },
      },
      { code: 'other', note: 'a gift' },
    ]);
  });

  test('is each returned fulfillment, except emptied ones', async () => {
    const replaced = fulfillment(3, 'REPLACED', [[mug, 1]]);
    const others = ['FULFILLED', 'CANCELED', 'WAITING_FOR_APPROVAL', 'REFUNDED'].map((status, index) =>
      fulfillment(4 + index, status, [[mug, 1]]),
    );
    const { returns } = await here.fetchSnapshot({
      fulfillments: [back, replaced, fulfillment(8, 'RETURNED', []), ...others],
    });
    expect(returns.map(({ remote }) => remote.externalId.split(':')[1])).toEqual([back.id, replaced.id]);
    expect(returns[1]?.remote.lines).toMatchObject([{ resolution: 'exchange' }]);
  });

  test('sums the units of all warehouses', async () => {
    const lines = [1, 2].map((id) => ({ id: `f${id}`, quantity: 1, orderLine: { id: shirt } }));
    const [{ remote } = {}] = (await here.fetchSnapshot({ fulfillments: [{ ...back, lines }] })).returns;
    expect(remote?.lines).toHaveLength(2);
    expect(remote?.units).toEqual([{ orderLineId: shirt, received: 2, missing: 0, found: [] }]);
  });

  test('is read next to an unreadable one', async () => {
    const unreadable = {
      ...fulfillment(3, 'RETURNED', [[shirt, 1]]),
      lines: [{ id: 'x', quantity: 1, orderLine: null }],
    };
    const snapshot = await here.fetchSnapshot({ fulfillments: [fulfillment(2, 'RETURNED', [[shirt, 1]]), unreadable] });
    expect(snapshot.returns).toHaveLength(1);
    expect(snapshot.unread).toEqual({ kind: 'permanent', reason: 'return_line_unreadable' });
  });

  test('is refetched by its id, and not found by another', async () => {
    const [{ remote } = {}] = (await here.fetchSnapshot(returned)).returns;
    const again = await here.refetchReturn(remote?.externalId ?? '');
    expect(again).toMatchObject({ ok: true, value: { ...remote, fetchedAt: expect.any(String) } });
    const notFound = { ok: false, failure: { kind: 'permanent', reason: 'shop_return_not_found' } };
    expect(await here.refetchReturn(`${globalId('Order', uuid(1))}:${globalId('Fulfillment', 77)}`)).toEqual(notFound);
    expect(await here.refetchReturn('gid://shopify/Return/1')).toEqual(notFound);
  });

  test('saleor/saleor#7325: is read by the second of two deliveries when its goods moved after the first', async () => {
    const one = order(2);
    saleor.put(one);
    expect(await here.prepare(one)).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
    saleor.put(order(2, returned));
    const second = await here.prepare(one);
    expect(second).toMatchObject({ kind: 'snapshot', returns: [{ remote: { status: 'approved' } }] });
    const third = await here.prepare(one);
    expect(JSON.stringify(third).replaceAll(/"(fetchedAt|observedAt)":"[^"]*"/g, '')).toBe(
      JSON.stringify(second).replaceAll(/"(fetchedAt|observedAt)":"[^"]*"/g, ''),
    );
  });

  test('saleor/saleor#14498: has its refund, although the payload has no amounts', async () => {
    const { returns } = await here.fetchSnapshot({
      fulfillments: [fulfillment(2, 'REFUNDED_AND_RETURNED', [[shirt, 1]], { totalRefundedAmount: eur(18) })],
    });
    expect(returns).toMatchObject([{ remote: { status: 'completed' }, refunds: [{ amount: { amount: 1800 } }] }]);
  });
});

describe('Saleor API', () => {
  const one = order(3, returned);
  saleor.put(one);

  test.each([
    [{ status: 404 }, { kind: 'parked', reason: 'shop_status_404' }],
    [
      { status: 400, body: '{"errors":[{"message":"Cannot query field"}]}' },
      { kind: 'parked', reason: 'shop_status_400' },
    ],
    [
      { status: 429, headers: { 'retry-after': '60' } },
      { kind: 'retry', reason: 'shop_throttled' },
    ],
    [{ status: 403 }, { kind: 'retry', reason: 'shop_status_403' }],
    [
      { status: 200, body: broken('GraphQLError') },
      { kind: 'parked', reason: 'shop_refused_query:GraphQLError' },
    ],
    [
      { status: 200, body: broken('QueryCostError') },
      { kind: 'parked', reason: 'shop_refused_query:QueryCostError' },
    ],
    [
      { status: 200, body: denied(null) },
      { kind: 'retry', reason: 'shop_denied_access' },
    ],
    [
      { status: 200, body: broken('InvalidTokenError') },
      { kind: 'retry', reason: 'shop_denied_access' },
    ],
    [
      { status: 200, body: '{"data":{"order":null}}' },
      { kind: 'parked', reason: 'shop_order_not_found' },
    ],
  ] as const)('maps the answer %j to %j', async (answer, outcome) => {
    const before = saleor.requestCount();
    saleor.fail(answer);
    expect(await here.prepare(one)).toEqual(outcome);
    expect(saleor.requestCount() - before).toBe(1);
  });

  test.each([
    ['an error in a 200', { status: 200, body: broken('OperationalError') }],
    ['malformed errors', { status: 200, body: '{"errors":[null],"data":null}' }],
    ['text that is not JSON', { status: 200, body: '<html>' }],
    ['no data', { status: 200, body: '{}' }],
    ['a 500', { status: 500 }],
    ['a broken connection', 'reset'],
  ] as const)('is asked again after %s', async (_, answer) => {
    saleor.fail(answer);
    expect(await here.prepare(one)).toMatchObject({ kind: 'snapshot' });
  });

  test('is found at Saleor’s API path when only the origin is configured', async () => {
    expect(await here.prepare(one, 'plain')).toMatchObject({ kind: 'snapshot' });
  });

  test('causes a retry when the second request or a refetch fails', async () => {
    const fine = { status: 200, body: JSON.stringify({ data: { order: one } }) };
    saleor.fail(fine, { status: 403 });
    expect(await here.prepare(one)).toEqual({ kind: 'retry', reason: 'shop_status_403' });
    saleor.fail({ status: 403 });
    const refetched = await here.refetchReturn(`${one.id}:${back.id}`);
    expect(refetched).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_403' } });
  });

  test('retries with a wrong token, and parks an unknown source', async () => {
    expect(await here.prepare(one, 'wrong')).toEqual({ kind: 'retry', reason: 'shop_denied_access' });
    expect(await here.prepare(one, 'other')).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });
});

test('Saleor versions without reasons are read without them', async () => {
  const before = older.requestCount();
  const { returns } = await here.fetchSnapshot(returned, 'older');
  expect(returns).toMatchObject([{ remote: { lines: [{ reason: { code: 'unknown' } }] } }]);
  expect(older.requestCount() - before).toBe(2);
});

describe('Saleor fetchChanges', () => {
  test('finds the orders with returns, page by page, and each change once', async () => {
    const refunded = { transactions: [transaction(event(1, 'REFUND_SUCCESS', 1))] };
    for (let number = 1; number <= 59; number += 1)
      busy.put(order(number, number % 10 === 0 ? returned : number === 55 ? refunded : {}));
    const since = '2026-11-20T10:00:02.000Z';
    const first = await here.changes({ since });
    if (!first.ok) throw new Error(first.failure.reason);
    expect(first.value.more).toBe(true);
    expect(first.value.found.map(({ body }) => body)).toEqual(
      [10, 20, 30, 40, 50].map((number) => ({ order: { id: globalId('Order', uuid(number)) } })),
    );
    const second = await here.changes({ since, cursor: first.value.cursor });
    if (!second.ok) throw new Error(second.failure.reason);
    expect(second.value.more).toBe(false);
    expect(second.value.found).toEqual([
      {
        topic: 'order_updated',
        deliveryId: `${globalId('Order', uuid(55))}.2026-11-20T10:00:55.000001+00:00`,
        body: { order: { id: globalId('Order', uuid(55)) } },
      },
    ]);
    // The overlap finds late changes, under known ids.
    expect(second.value.cursor).toBe(since);
    const again = await here.changes({ since: '2026-11-21T00:00:00Z', cursor: second.value.cursor });
    expect(again).toMatchObject({ ok: true, value: { found: first.value.found } });
  });

  test('continues at its cursor without changes, and starts over when Saleor rejects the cursor', async () => {
    const since = '2026-11-20T12:00:00.000Z';
    busy.put(order(59, returned));
    expect(await here.changes({ since })).toEqual({ ok: true, value: { found: [], cursor: since, more: false } });
    busy.fail({ status: 200, body: broken('GraphQLError') });
    expect(await here.changes({ since, cursor: '2026-11-20T10:00:59.000Z odd' })).toMatchObject({
      ok: true,
      value: { found: [{ topic: 'order_updated' }], cursor: '2026-11-20T10:00:59.000Z', more: false },
    });
    busy.fail({ status: 200, body: '{"data":{"orders":null}}' });
    expect(await here.changes({ since })).toMatchObject({ ok: false, failure: { kind: 'retryable' } });
  });
});
