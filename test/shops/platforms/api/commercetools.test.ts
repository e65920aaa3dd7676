import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors, snapshotWithout } from '../field-errors.ts';
import { item, money, orderNode, paidBy, payment, refund, startProject } from '../commercetools-project.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';

const projectKey = 'nl-unittests-dev';
const project = await startProject(projectKey);
const store = await startPlatformSecret();
store.put({ [projectKey]: project.entry() });

afterAll(async () => {
  await project.close();
  await store.close();
});

const orderId = String(orderNode()['id']);
const soon = () => Date.now() + 10_000;
const message = (type: string, typeId = 'order', id = orderId) => ({
  notificationType: 'Message',
  projectKey,
  id: '32ceddb2-3899-4115-9315-0be73d7d86cd',
  type,
  resource: { typeId, id },
});
const prepare = (type = 'ReturnInfoAdded', body: unknown = message(type)) =>
  translator.prepare({ source: projectKey, topic: type, body }, soon());

const put = (changes: Record<string, unknown> = {}) => {
  project.state.order = orderNode(changes);
};
const withInfos = (...returnInfo: readonly Record<string, unknown>[]) => put({ returnInfo });

const fetchNow = async () => {
  const outcome = await prepare('ReturnInfoSet');
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  return outcome;
};
const fetchRemoteReturns = async () => (await fetchNow()).returns.map(({ remote }) => remote);

beforeEach(() => {
  put();
  project.state.failures.length = 0;
});

describe('commercetools order', () => {
  test('is read when one return is unreadable, but without isAll and without refunds', async () => {
    put({
      returnInfo: [{ items: [item('line-1', 'Advised')] }, { items: [item('line-of-none', 'Advised')] }],
      ...paidBy(payment([refund('r-1', 5_000)])),
    });
    const snapshot = await fetchNow();
    expect(snapshot).toMatchObject({ unread: { kind: 'permanent', reason: 'return_line_unknown' }, refunds: [] });
    expect(snapshot.returns).toMatchObject([{ refunds: [] }]);
    expect(snapshot).not.toHaveProperty('isAll');
  });

  test('has the name of the billing address, and not of the person who gets the goods', async () => {
    put({ billingAddress: { firstName: 'Ada', lastName: 'Lovelace' }, shippingAddress: { firstName: 'Bob' } });
    const { order } = await fetchNow();
    expect(order.customer).toEqual({ id: 'c-1', email: 'buyer@example.com', name: 'Ada Lovelace' });
  });

  test('has facts in the terms of the contract', async () => {
    withInfos({ items: [item('line-1', 'Advised')] });
    const { order } = await fetchNow();
    expect(order).toMatchObject({
      platform: 'commercetools',
      orderId,
      number: 'O-1001',
      placedAt: '2026-11-01T08:00:00.000Z',
      currency: 'EUR',
      country: 'DE',
      destination: { country: 'DE', region: 'BE' },
      customer: { id: 'c-1', email: 'buyer@example.com' },
      completeness: 'full',
      shipping: { paid: { amount: 500, currency: 'EUR' }, tax: { amount: 80, currency: 'EUR' } },
    });
    expect(order.lines).toMatchObject([
      {
        lineId: 'line-1',
        sku: 'SHIRT-M',
        title: 'Shirt',
        quantity: 2,
        unitPrice: { amount: 5_000 },
        discountTotal: { amount: 1_000 },
        taxTotal: { amount: 1_437 },
        taxIncluded: true,
        shippedAt: '2026-11-02T10:00:00.000Z',
      },
      { lineId: 'line-2', title: 'Hut', discountTotal: { amount: 0 }, taxTotal: { amount: 479 } },
      { lineId: 'custom-1', unitPrice: { amount: 800 } },
    ]);
  });

  test.each([
    ['a discount above the total of its lines', { discountOnTotalPrice: { discountedAmount: money(13_300) } }],
    ['no shipping method of several', { shippingMode: 'Multiple', shippingInfo: undefined }],
    ['untaxed lines', { customLineItems: [{ id: 'c', money: money(1), quantity: 1 }] }],
    ['a custom line item with a negative price', { customLineItems: [{ id: 'c', money: money(-500), quantity: 1 }] }],
  ])('is partial with %s', async (_, changes) => {
    put({ ...changes, returnInfo: [{ items: [item('line-1', 'Advised')] }] });
    expect((await fetchNow()).order.completeness).toBe('partial');
  });

  test('omits a line with an unreadable price, with a discrepancy', async () => {
    const [line, ...others] = orderNode()['lineItems'] as object[];
    put({
      lineItems: [{ ...line, price: { value: money(-1) } }, ...others],
      returnInfo: [{ items: [item('line-2', 'Advised')] }],
    });
    expect((await fetchNow()).order).toMatchObject({
      completeness: 'partial',
      lines: [{ lineId: 'line-2' }, { lineId: 'custom-1' }],
      discrepancies: [{ code: 'order_price_unreadable', detail: 'line-1' }, { code: 'order_total_differs' }],
    });
  });

  test('is partial when its parts do not sum to the charged total', async () => {
    put({ taxedPrice: { totalGross: money(12_000) }, returnInfo: [{ items: [item('line-1', 'Advised')] }] });
    expect((await fetchNow()).order).toMatchObject({
      completeness: 'partial',
      discrepancies: [{ code: 'order_total_differs', detail: 'the parts come to 13300, the order to 12000' }],
    });
  });

  test.each([
    ['a negative price', money(-1)],
    ['a fraction of a cent', { ...money(1), centAmount: 1.5 }],
    ['a price beyond 2^53', { ...money(1), centAmount: 2 ** 53 }],
    ['an unknown currency', money(100, 'XXQ')],
    ['another currency', money(100, 'USD')],
    ['more digits than the currency has', money(12_345, 'EUR', 3)],
  ])('is parked with %s', async (_, value) => {
    const [line] = orderNode()['lineItems'] as object[];
    put({
      lineItems: [{ ...line, price: { value } }],
      customLineItems: [],
      returnInfo: [{ items: [item('line-1', 'Advised')] }],
    });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'order_price_unreadable' });
  });

  test.each([
    ['JPY', 0, 1_234],
    ['KWD', 3, 1_234],
    ['EUR', 3, 1_230],
  ])('has an amount in %s with %i digits exactly', async (currency, digits, cents) => {
    const value = money(cents, currency, digits);
    const lineItems = [{ id: 'line-1', quantity: 1, price: { value }, totalPrice: value }];
    put({ totalPrice: value, lineItems, customLineItems: [], returnInfo: [{ items: [item('line-1', 'Advised')] }] });
    const expected = currency === 'EUR' ? 123 : 1_234;
    expect((await fetchNow()).order.lines[0]?.unitPrice).toEqual({ amount: expected, currency });
  });
});

describe('commercetools return info', () => {
  test.each([
    ['Advised', undefined, [], 'approved'],
    ['Returned', 'Initial', [{ received: 1, found: [] }], 'approved'],
    [
      'BackInStock',
      'Initial',
      [{ received: 1, found: [{ outcome: 'accept', disposition: 'restock', quantity: 1 }] }],
      'approved',
    ],
    [
      'BackInStock',
      'Refunded',
      [{ received: 1, found: [{ outcome: 'accept', disposition: 'restock', quantity: 1 }] }],
      'completed',
    ],
    [
      'Unusable',
      'NotRefunded',
      [{ received: 1, found: [{ outcome: 'refuse', disposition: 'quarantine', quantity: 1 }] }],
      'completed',
    ],
    [
      'Returned',
      'Refunded',
      [{ received: 1, found: [{ outcome: 'accept', disposition: 'quarantine', quantity: 1 }] }],
      'completed',
    ],
    [
      'Returned',
      'NotRefunded',
      [{ received: 1, found: [{ outcome: 'refuse', disposition: 'quarantine', quantity: 1 }] }],
      'completed',
    ],
    ['Advised', 'Refunded', [], 'approved'],
    ['AddedSince', 'Initial', [], 'approved'],
  ])(
    'maps the goods state %s and the payment state %s to units and a status',
    async (state, paymentState, units, status) => {
      withInfos({ items: [item('line-2', state, paymentState === undefined ? {} : { paymentState })] });
      const [remote] = await fetchRemoteReturns();
      expect(remote).toMatchObject({ orderId, status, initiatedBy: 'customer', createdAt: '2026-11-05T08:00:00.000Z' });
      expect(remote?.units).toMatchObject(units);
    },
  );

  test('sums the items of one line and takes over its comments', async () => {
    withInfos({
      returnTrackingId: 'TRACK 1',
      items: [
        item('line-1', 'Returned', { comment: '  too small  ' }),
        item('line-1', 'Advised'),
        item('', 'Unusable', { lineItemId: undefined, customLineItemId: 'custom-1' }),
      ],
    });
    const [remote] = await fetchRemoteReturns();
    expect(remote).toMatchObject({
      lines: [
        { orderLineId: 'line-1', quantity: 2, reason: { code: 'other', note: 'too small' } },
        { orderLineId: 'custom-1', quantity: 1, reason: { code: 'unknown' } },
      ],
      parcels: [{ trackingNumber: 'TRACK 1' }],
      units: [
        { orderLineId: 'line-1', received: 1, missing: 0, found: [] },
        { orderLineId: 'custom-1', received: 1, missing: 0 },
      ],
    });
  });

  test.each([
    ['no items', { items: [] }, 'return_without_lines'],
    ['an item of an unknown line', { items: [item('line-9', 'Advised')] }, 'return_line_unknown'],
  ])('causes a discrepancy of its order with %s', async (_, info, reason) => {
    withInfos(info);
    expect(await prepare()).toMatchObject({ ...snapshotWithout(reason), returns: [] });
  });

  test('passes the schemas of the contract', async () => {
    put({ ...paidBy(payment([refund('tx-1', 3_000)])), returnInfo: [{ items: [item('line-2', 'Returned')] }] });
    const { order, returns } = await fetchNow();
    expect(fieldErrors('registerOrder', order)).toEqual([]);
    const [{ remote, refunds: [booked] } = { refunds: [] }] = returns;
    const request = {
      order: { platform: 'commercetools', orderId },
      lines: remote?.lines,
      externalRefs: [{ platform: 'commercetools', id: remote?.externalId }],
    };
    expect(fieldErrors('createReturn', request)).toEqual([]);
    expect(booked).toBeDefined();
    expect(fieldErrors('recordRefund', booked ?? {})).toEqual([]);
  });
});

describe('commercetools return info id', () => {
  const idsOf = async (...infos: readonly Record<string, unknown>[]) => {
    withInfos(...infos);
    return (await fetchRemoteReturns()).map(({ externalId }) => externalId);
  };

  test('is stable when the info is replaced on arrival, with other item ids, a tracking id and fewer units', async () => {
    const advised = await idsOf({ items: [item('line-1', 'Advised', { quantity: 2 }), item('line-2', 'Advised')] });
    const arrived = { items: [item('line-2', 'Returned'), item('line-1', 'Returned')], returnTrackingId: 'T-1' };
    expect(await idsOf(arrived)).toEqual(advised);
    const split = { items: [item('line-1', 'BackInStock'), item('line-1', 'Advised'), item('line-2', 'Unusable')] };
    expect(await idsOf(split)).toEqual(advised);
    expect(advised[0]).toMatch(new RegExp(`^${orderId}:[\\w-]{22}$`));
  });

  test('uses the merchant’s keys when all items have one', async () => {
    const [first, second] = await idsOf(
      { items: [item('line-1', 'Advised', { key: 'rma-1' })] },
      { items: [item('line-1', 'Advised', { key: 'rma-2' })] },
    );
    expect(first).not.toBe(second);
    expect(await idsOf({ items: [item('line-1', 'Returned', { key: 'rma-2' })] })).toEqual([second]);
    const half = { items: [item('line-1', 'Advised', { key: 'rma-1' }), item('line-2', 'Advised')] };
    const none = { items: [item('line-1', 'Advised'), item('line-2', 'Advised')] };
    expect(await idsOf(half)).toEqual(await idsOf(none));
  });

  test('numbers equal return infos', async () => {
    const [first = '', second, other] = await idsOf(
      { items: [item('line-1', 'Unusable')] },
      { items: [item('line-1', 'Advised')] },
      { items: [item('line-2', 'Advised')] },
    );
    expect(second).toBe(`${first}.2`);
    expect(new Set([first, second, other]).size).toBe(3);
    expect(await idsOf({ items: [item('line-1', 'Unusable')] })).toEqual([first]);
  });

  test('finds the return info again', async () => {
    const [externalId = ''] = await idsOf({ items: [item('line-1', 'Returned')] });
    const refetch = () => translator.refetchReturn(projectKey, externalId, soon());
    expect(await refetch()).toMatchObject({ ok: true, value: { externalId, status: 'approved' } });
    withInfos({ items: [item('line-2', 'Returned')] });
    expect(await refetch()).toMatchObject({ ok: true, value: { externalId, status: 'cancelled', lines: [] } });
    expect(await translator.refetchReturn(projectKey, 'nonsense', soon())).toMatchObject({
      failure: { kind: 'permanent', reason: 'return_id_unknown' },
    });
  });
});

test.each([{}, { returnInfo: [] }])(
  'commercetools-jvm-sdk#2182: the order has no returns after return info was removed (%j)',
  async (left) => {
    put(left);
    expect(await prepare('ReturnInfoSet')).toMatchObject({ kind: 'snapshot', isAll: true, returns: [], refunds: [] });
  },
);

test('commercetools order without returns is ignored after any change', async () => {
  expect(await prepare('ResourceUpdated')).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
  put({ lineItems: [], customLineItems: [] });
  expect(await prepare('ResourceUpdated')).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
});

describe('commercetools refund', () => {
  test('belongs to the only return that had begun before it', async () => {
    const first = item('line-1', 'Returned', { createdAt: '2026-11-05T08:00:00.000Z' });
    const second = item('line-2', 'Returned', { createdAt: '2026-11-07T08:00:00.000Z' });
    const transactions = [
      refund('early', 100, { timestamp: '2026-11-03T00:00:00.000Z' }),
      refund('first', 5_000, { timestamp: '2026-11-06T00:00:00.000Z' }),
      refund('later', 3_000, { timestamp: '2026-11-08T00:00:00.000Z' }),
    ];
    put({ ...paidBy(payment(transactions)), returnInfo: [{ items: [first] }, { items: [second] }] });
    const { returns, refunds } = await fetchNow();
    const ids = (list: readonly { readonly externalId: string }[]) => list.map(({ externalId }) => externalId);
    expect(returns.map((one) => ids(one.refunds))).toEqual([['pay-1:first'], []]);
    expect(ids(refunds)).toEqual(['pay-1:early', 'pay-1:later']);
    expect(returns[0]?.refunds[0]).toEqual({
      platform: 'commercetools',
      orderId,
      externalId: 'pay-1:first',
      amount: { amount: 5_000, currency: 'EUR' },
      method: 'original_payment',
      occurredAt: '2026-11-06T00:00:00.000Z',
    });
  });

  test.each([
    ['is pending', { state: 'Pending' }],
    ['failed', { state: 'Failure' }],
    ['is a charge', { type: 'Charge' }],
    ['is a chargeback', { type: 'Chargeback' }],
    ['is zero', { amount: money(0) }],
  ])('is omitted when the transaction %s', async (_, changes) => {
    put(paidBy(payment([refund('tx-1', 100, changes)])));
    expect((await fetchNow()).refunds).toEqual([]);
  });

  test('without a time has the time of its payment', async () => {
    put(paidBy(payment([refund('tx-1', 100, { timestamp: undefined })])));
    expect((await fetchNow()).refunds[0]?.occurredAt).toBe('2026-11-01T08:00:00.000Z');
  });

  test('with an unreadable amount is a discrepancy of its order, and other refunds are read', async () => {
    put(paidBy(payment([refund('tx-1', -100), refund('tx-2', 100)])));
    expect(await prepare()).toMatchObject({
      ...snapshotWithout('refund_unreadable'),
      refunds: [{ externalId: 'pay-1:tx-2' }],
    });
  });

  test('of a deleted payment is omitted', async () => {
    put({ paymentInfo: { payments: [{ typeId: 'payment', id: 'gone' }] } });
    expect((await fetchNow()).refunds).toEqual([]);
  });

  test.each(['PaymentTransactionAdded', 'PaymentTransactionStateChanged', 'ResourceUpdated'])(
    'leads to its order (%s)',
    async (topic) => {
      put(paidBy(payment([refund('tx-1', 100)])));
      expect(await prepare(topic, message(topic, 'payment', 'pay-1'))).toMatchObject({
        kind: 'snapshot',
        refunds: [{ externalId: 'pay-1:tx-1' }],
      });
      expect(project.requestedUrls().at(-1)?.searchParams.get('where')).toBe('paymentInfo(payments(id="pay-1"))');
      expect(await prepare(topic, message(topic, 'payment', 'pay-of-a-cart'))).toEqual({
        kind: 'ignored',
        reason: 'nothing_returned',
      });
    },
  );
});
