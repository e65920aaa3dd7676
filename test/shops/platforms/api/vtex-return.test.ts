import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors } from '../field-errors.ts';
import { newCase, sync, outcomeOf } from '../synced-case.ts';
import { account, input, item, order, output, request, requestId, startAccount, step } from '../vtex-account.ts';
import { translator } from '../../../../lib/shops/platforms/vtex/platform.ts';

const vtex = await startAccount();

afterAll(vtex.close);
beforeEach(vtex.forget);

type Fields = Record<string, unknown>;

const orderId = 'v52277740atmc-01';
const lineId = '87F0945396994B349158C7D9C9941442';
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const soon = () => Date.now() + 10_000;
const prepared = async (source = account) =>
  translator.prepare({ source, topic: 'return-request', body: { id: requestId, status: 'whatever' } }, soon());
const fetchReturn = async (fields: Fields = {}, orderFields: Fields = {}) => {
  vtex.put(order(orderFields), request(fields));
  const outcome = await prepared();
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  const [{ remote, refunds } = { remote: undefined, refunds: [] }] = outcome.returns;
  if (remote === undefined || outcome.returns.length > 1 || outcome.refunds.length > 0)
    throw new Error('not one return');
  return { remote, refunds, order: outcome.order };
};
const packages = (...list: readonly Fields[]) => ({ packageAttachment: { packages: list } });
/** Returns the statuses of a request, one day apart. */
const steps = (...statuses: readonly string[]) => ({
  status: statuses.at(-1),
  refundStatusData: statuses.map((status, index) => step(status, `2026-10-1${index}T10:00:00.000Z`)),
});
const mode = ['new', 'processing', 'pickedUpFromClient', 'pendingVerification', 'packageVerified', 'amountRefunded'];
const along = (count: number) => steps(...mode.slice(0, count));
const refundData = (fields: Fields = {}) => ({
  invoiceNumber: requestId,
  invoiceValue: 4200,
  refundedItemsValue: 4000,
  refundedShippingValue: 200,
  items: [{ orderItemIndex: 0, id: '1234568', quantity: 1, restockFee: 500, price: 4500 }],
  ...fields,
});

describe('VTEX return request', () => {
  test('is read with all fields and its order', async () => {
    const { remote, refunds, order: facts } = await fetchReturn();
    expect(remote).toEqual({
      platform: 'vtex',
      externalId: requestId,
      orderId,
      status: 'requested',
      createdAt: '2026-10-10T10:00:00.000Z',
      fetchedAt: expect.any(String),
      initiatedBy: 'customer',
      lines: [
        {
          orderLineId: lineId,
          quantity: 2,
          reason: { code: 'preference.changed_mind', source: { system: 'vtex', code: 'noLongerNeeded' } },
          condition: 'newWithBox',
        },
      ],
      parcels: [],
      units: [],
    });
    expect(refunds).toEqual([]);
    expect(facts).toMatchObject({ orderId, completeness: 'full' });
    const created = { order: { platform: 'vtex', orderId }, lines: remote.lines };
    expect(fieldErrors('createReturn', created)).toEqual([]);
  });

  test('is refetched by its id', async () => {
    vtex.put(order(), request(along(2)));
    expect(await translator.refetchReturn(account, requestId, soon())).toMatchObject({
      ok: true,
      value: { status: 'approved' },
    });
    vtex.forget();
    expect(await translator.refetchReturn(account, requestId, soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_status_404' },
    });
  });

  test('has the platform of the account’s orders', async () => {
    vtex.put(order(), request());
    expect(await prepared('other')).toMatchObject({
      order: { platform: 'vtex-other' },
      returns: [{ remote: { platform: 'vtex-other' } }],
    });
  });

  const whole = (found: readonly object[]) => [{ orderLineId: lineId, received: 2, missing: 0, found }];
  const finding = (outcome: string, quantity: number) => ({ outcome, disposition: 'quarantine', quantity });
  test.each([
    [1, { status: 'requested', units: [] }],
    [2, { status: 'approved', units: [] }],
    [3, { status: 'approved', units: [] }],
    [4, { status: 'approved', units: whole([]) }],
    [5, { status: 'approved', units: whole([finding('accept', 1), finding('refuse', 1)]) }],
    [
      6,
      {
        status: 'completed',
        units: whole([finding('accept', 1), finding('refuse', 1)]),
        closedAt: '2026-10-15T10:00:00.000Z',
      },
    ],
  ])('after %d of its statuses has the matching state', async (count, expected) => {
    const { remote } = await fetchReturn({ ...along(count), refundData: count > 4 ? refundData() : null });
    expect(remote).toMatchObject(expected);
    expect('closedAt' in remote).toBe(count === 6);
  });

  test('is rejected or cancelled with the message to the customer', async () => {
    const comments = [
      { comment: 'not ours', visibleForCustomer: true },
      { comment: 'the third this month', visibleForCustomer: false },
    ];
    const denied = {
      status: 'denied',
      refundStatusData: [step('new', '2026-10-10T10:00:00Z'), step('denied', '2026-10-11T10:00:00Z', comments)],
    };
    expect((await fetchReturn(denied)).remote).toMatchObject({
      status: 'rejected',
      rejection: { code: 'other', note: 'not ours' },
      closedAt: '2026-10-11T10:00:00.000Z',
      units: [],
    });
    expect((await fetchReturn(steps('new', 'cancelled'))).remote).toMatchObject({ status: 'cancelled' });
  });

  test('that is denied after its package arrived is completed with refused goods', async () => {
    const { remote } = await fetchReturn(
      steps('new', 'processing', 'pickedUpFromClient', 'pendingVerification', 'denied'),
    );
    expect(remote).toMatchObject({ status: 'completed', units: whole([finding('refuse', 2)]) });
    expect(remote).not.toHaveProperty('rejection');
  });

  test('sums the units of one order line', async () => {
    const [one] = request()['items'] as readonly Fields[];
    const { remote } = await fetchReturn({
      ...along(4),
      items: [
        { ...one, quantity: 1 },
        { ...one, quantity: 1 },
        { ...one, quantity: 0 },
      ],
    });
    expect(remote.lines).toHaveLength(2);
    expect(remote.units).toEqual(whole([]));
  });

  test('has items by SKU when the order has changed since', async () => {
    const moved = [item({ uniqueId: 'NEW', id: '7' }), item()];
    expect((await fetchReturn({}, { items: moved })).remote.lines).toMatchObject([{ orderLineId: lineId }]);
    vtex.put(order({ items: [item({ id: '7' })] }));
    expect(await prepared()).toEqual({ kind: 'parked', reason: 'return_line_unknown' });
  });

  test.each([
    [
      'the URL of a label',
      { labelUrl: 'https://carrier.example/label.pdf' },
      [{ labelUrl: 'https://carrier.example/label.pdf' }],
    ],
    [
      'the older URL of a label',
      { returnLabel: 'https://carrier.example/l' },
      [{ labelUrl: 'https://carrier.example/l' }],
    ],
    ['the number of a shipment', { returnLabel: ' BR123 ' }, [{ trackingNumber: 'BR123' }]],
    ['another text', { returnLabel: 'javascript:alert(1)' }, []],
    ['an empty value', {}, []],
  ])('has parcels by %s', async (_, pickupReturnData, parcels) => {
    expect((await fetchReturn({ ...along(2), pickupReturnData })).remote.parcels).toEqual(parcels);
  });

  test('has the parcel of its invoice', async () => {
    const invoice = input({
      invoiceNumber: requestId,
      trackingNumber: 'BR9',
      courier: 'Correios',
      trackingUrl: 'https://c.example/BR9',
    });
    const { remote } = await fetchReturn(
      { ...along(6), refundData: refundData(), pickupReturnData: { labelUrl: 'https://c.example/l' } },
      packages(output(), invoice),
    );
    expect(remote.parcels).toEqual([
      {
        trackingNumber: 'BR9',
        carrier: 'Correios',
        trackingUrl: 'https://c.example/BR9',
        labelUrl: 'https://c.example/l',
      },
    ]);
  });

  test.each([
    ['unspecified', undefined],
    ['usedWithoutBox', 'usedWithoutBox'],
    [null, undefined],
  ])('has the condition %j as %j', async (condition, expected) => {
    const [one] = request()['items'] as readonly Fields[];
    expect((await fetchReturn({ items: [{ ...one, condition }] })).remote.lines[0]?.condition).toBe(expected);
  });

  test.each([
    ['an unknown status', { status: 'lost' }, 'return_status_unknown'],
    ['no status', { status: null }, 'return_unreadable'],
    ['no order', { orderId: null }, 'return_without_order'],
    ['no items', { items: null }, 'return_without_lines'],
    ['an item of another order', { items: [{ orderItemIndex: 9, quantity: 1 }] }, 'return_line_unknown'],
    ['a negative quantity', { items: [{ orderItemIndex: 0, quantity: -1 }] }, 'return_unreadable'],
  ])('is parked with %s', async (_, fields, reason) => {
    vtex.put(order(), request(fields));
    expect(await prepared()).toEqual({ kind: 'parked', reason });
  });
});

describe('VTEX refund of a return request', () => {
  const paid = { ...along(6), refundData: refundData() };

  test('is the verified amount less the fee, when the status says that it was paid', async () => {
    const { refunds } = await fetchReturn(paid);
    expect(refunds).toEqual([
      {
        platform: 'vtex',
        orderId,
        externalId: requestId,
        amount: brl(4200),
        method: 'original_payment',
        occurredAt: '2026-10-15T10:00:00.000Z',
        lines: [{ orderLineId: lineId, quantity: 1, amount: brl(4000) }],
        shipping: brl(200),
      },
    ]);
    expect(fieldErrors('recordRefund', refunds[0] ?? {})).toEqual([]);
    expect((await fetchReturn({ ...along(5), refundData: refundData() })).refunds).toEqual([]);
  });

  test.each([
    ['bank', 'bank_transfer'],
    ['giftCard', 'gift_card'],
    ['card', 'original_payment'],
    ['a new way', 'original_payment'],
  ])('by %s has the matching method', async (refundPaymentMethod, method) => {
    expect((await fetchReturn({ ...paid, refundPaymentData: { refundPaymentMethod } })).refunds).toMatchObject([
      { method },
    ]);
  });

  test('is the invoice that the app wrote into the order, at its time', async () => {
    const invoice = input({ invoiceNumber: requestId, invoiceValue: 4200, restitutions: {} });
    const expected = [
      {
        externalId: requestId,
        amount: brl(4200),
        occurredAt: '2026-10-20T12:00:00.000Z',
        lines: [{ amount: brl(4000) }],
      },
    ];
    expect((await fetchReturn(paid, packages(output(), invoice))).refunds).toMatchObject(expected);
    // The app writes the invoice first.
    const before = { ...along(5), refundData: refundData() };
    expect((await fetchReturn(before, packages(output(), invoice))).refunds).toMatchObject(expected);
  });

  test('is the same in a delivery of the order and of the request, without other refunds of the order', async () => {
    const invoice = input({ invoiceNumber: requestId, invoiceValue: 4200, restitutions: {} });
    const { refunds } = await fetchReturn(paid, packages(output(), invoice, input()));
    const ofOrder = await translator.prepare(
      { source: account, topic: 'order', body: { OrderId: orderId, State: 'unknow' } },
      soon(),
    );
    expect(ofOrder).toMatchObject({
      kind: 'snapshot',
      returns: [{ remote: { externalId: requestId, status: 'completed' }, refunds }],
      refunds: [{ externalId: '2001' }],
    });
  });

  test('belongs to no return when its number names another order’s request or none', async () => {
    const invoice = input({ invoiceNumber: requestId });
    const hear = async () =>
      translator.prepare({ source: account, topic: 'order', body: { OrderId: orderId, State: 'unknow' } }, soon());
    vtex.put(order(packages(output(), invoice)));
    const expected = { kind: 'snapshot', returns: [], refunds: [{ externalId: requestId }] };
    expect(await hear()).toMatchObject(expected);
    vtex.put(request({ orderId: 'v1-01' }));
    expect(await hear()).toMatchObject(expected);
    vtex.put(request());
    vtex.fail(200, 403);
    expect((await hear()).kind).toBe('retry');
  });

  test('has no parts when they exceed it, and is omitted when it is zero', async () => {
    const { refunds } = await fetchReturn({ ...paid, refundData: refundData({ invoiceValue: 1000 }) });
    expect(refunds[0]).toMatchObject({ amount: brl(1000), lines: [{ orderLineId: lineId, quantity: 1 }] });
    expect(refunds[0]?.lines?.[0]).not.toHaveProperty('amount');
    expect((await fetchReturn({ ...paid, refundData: refundData({ invoiceValue: 0 }) })).refunds).toEqual([]);
  });

  test.each([
    ['negative', refundData({ invoiceValue: -1 })],
    ['beyond 2^53', refundData({ invoiceValue: 2 ** 60 })],
  ])('is parked when it is %s', async (_, data) => {
    vtex.put(order(), request({ ...paid, refundData: data }));
    expect(await prepared()).toEqual({ kind: 'parked', reason: 'refund_unreadable' });
  });
});

describe('synced VTEX return', () => {
  /** Returns our return after the snapshots of each of these lives. */
  const after = async (...lives: readonly Fields[]) => {
    const own = { items: [item({ uniqueId: '1' })] };
    const { remote: first } = await fetchReturn(lives[0], own);
    let ours = newCase(first);
    for (const life of lives) ours = sync(ours, (await fetchReturn(life, own)).remote).case;
    return { status: ours.state.status, units: outcomeOf(ours).lines['1'] };
  };
  const verified = { refundData: refundData() };

  test.each([
    [1, 'requested', 0, 0],
    [2, 'approved', 0, 0],
    [4, 'received', 2, 0],
    [5, 'inspected', 2, 1],
    [6, 'completed', 2, 1],
  ])('reaches the state of the request after %d of its statuses: %s', async (count, status, received, accepted) => {
    const life = { ...along(count), ...(count > 4 && verified) };
    const expected = { status, units: { received, accepted, missing: 0 } };
    expect(await after(life)).toMatchObject(expected);
    // Independent of earlier snapshots, and of a repetition.
    expect(await after(along(1), life)).toMatchObject(expected);
    expect(await after(along(Math.min(count, 2)), life, life)).toMatchObject(expected);
  });

  test('ends with a request that is denied or cancelled, before and after its goods arrived', async () => {
    expect((await after(along(1), steps('new', 'denied'))).status).toBe('rejected');
    expect((await after(along(2), steps('new', 'processing', 'denied'))).status).toBe('cancelled');
    expect((await after(along(2), steps('new', 'processing', 'cancelled'))).status).toBe('cancelled');
    const refusedThere = steps('new', 'processing', 'pickedUpFromClient', 'pendingVerification', 'denied');
    expect(await after(along(4), refusedThere)).toMatchObject({
      status: 'completed',
      units: { received: 2, accepted: 0 },
    });
  });
});
