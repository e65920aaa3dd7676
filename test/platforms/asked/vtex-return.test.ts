import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { faults } from '../faults.ts';
import { begun, look, outcomeOf } from '../synced-case.ts';
import { account, input, item, order, output, request, requestId, startAccount, step } from '../vtex-account.ts';
import { translator } from '../../../lib/platforms/vtex/platform.ts';

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
const seenOf = async (fields: Fields = {}, orderFields: Fields = {}) => {
  vtex.put(order(orderFields), request(fields));
  const outcome = await prepared();
  if (outcome.kind !== 'seen') throw new Error(outcome.reason);
  const [{ seen, refunds } = { seen: undefined, refunds: [] }] = outcome.returns;
  if (seen === undefined || outcome.returns.length > 1 || outcome.refunds.length > 0) throw new Error('not one return');
  return { seen, refunds, order: outcome.order };
};
const packages = (...list: readonly Fields[]) => ({ packageAttachment: { packages: list } });
/** The statuses that a request goes through, a day each. */
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

describe('a request of the return app', () => {
  test('is seen as it was made, with its order', async () => {
    const { seen, refunds, order: facts } = await seenOf();
    expect(seen).toEqual({
      platform: 'vtex',
      externalId: requestId,
      orderId,
      status: 'requested',
      createdAt: '2026-10-10T10:00:00.000Z',
      seenAt: expect.any(String),
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
    const made = { order: { platform: 'vtex', orderId }, lines: seen.lines };
    expect(faults('createReturn', made)).toEqual([]);
  });

  test('is looked at again by its id', async () => {
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

  test('is of the platform that the account’s orders are of', async () => {
    vtex.put(order(), request());
    expect(await prepared('other')).toMatchObject({
      order: { platform: 'vtex-other' },
      returns: [{ seen: { platform: 'vtex-other' } }],
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
  ])('has come so far after %d of its statuses', async (count, expected) => {
    const { seen } = await seenOf({ ...along(count), refundData: count > 4 ? refundData() : null });
    expect(seen).toMatchObject(expected);
    expect('closedAt' in seen).toBe(count === 6);
  });

  test('ends as it is denied or cancelled, with what the customer was told', async () => {
    const comments = [
      { comment: 'not ours', visibleForCustomer: true },
      { comment: 'the third this month', visibleForCustomer: false },
    ];
    const denied = {
      status: 'denied',
      refundStatusData: [step('new', '2026-10-10T10:00:00Z'), step('denied', '2026-10-11T10:00:00Z', comments)],
    };
    expect((await seenOf(denied)).seen).toMatchObject({
      status: 'rejected',
      rejection: { code: 'other', note: 'not ours' },
      closedAt: '2026-10-11T10:00:00.000Z',
      units: [],
    });
    expect((await seenOf(steps('new', 'cancelled'))).seen).toMatchObject({ status: 'cancelled' });
  });

  test('that is denied once its package was there has run its course: its goods are refused', async () => {
    const { seen } = await seenOf(steps('new', 'processing', 'pickedUpFromClient', 'pendingVerification', 'denied'));
    expect(seen).toMatchObject({ status: 'completed', units: whole([finding('refuse', 2)]) });
    expect(seen).not.toHaveProperty('rejection');
  });

  test('counts the units of one line of the order together', async () => {
    const [one] = request()['items'] as readonly Fields[];
    const { seen } = await seenOf({
      ...along(4),
      items: [
        { ...one, quantity: 1 },
        { ...one, quantity: 1 },
        { ...one, quantity: 0 },
      ],
    });
    expect(seen.lines).toHaveLength(2);
    expect(seen.units).toEqual(whole([]));
  });

  test('names its items by their SKUs where the order has changed since', async () => {
    const moved = [item({ uniqueId: 'NEW', id: '7' }), item()];
    expect((await seenOf({}, { items: moved })).seen.lines).toMatchObject([{ orderLineId: lineId }]);
    vtex.put(order({ items: [item({ id: '7' })] }));
    expect(await prepared()).toEqual({ kind: 'parked', reason: 'return_line_unknown' });
  });

  test.each([
    [
      'the address of a label',
      { labelUrl: 'https://carrier.example/label.pdf' },
      [{ labelUrl: 'https://carrier.example/label.pdf' }],
    ],
    [
      'an older address of one',
      { returnLabel: 'https://carrier.example/l' },
      [{ labelUrl: 'https://carrier.example/l' }],
    ],
    ['the number of a shipment', { returnLabel: ' BR123 ' }, [{ trackingNumber: 'BR123' }]],
    ['something else', { returnLabel: 'javascript:alert(1)' }, []],
    ['nothing', {}, []],
  ])('has a parcel by %s', async (_, pickupReturnData, parcels) => {
    expect((await seenOf({ ...along(2), pickupReturnData })).seen.parcels).toEqual(parcels);
  });

  test('has the parcel of its invoice', async () => {
    const invoice = input({
      invoiceNumber: requestId,
      trackingNumber: 'BR9',
      courier: 'Correios',
      trackingUrl: 'https://c.example/BR9',
    });
    const { seen } = await seenOf(
      { ...along(6), refundData: refundData(), pickupReturnData: { labelUrl: 'https://c.example/l' } },
      packages(output(), invoice),
    );
    expect(seen.parcels).toEqual([
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
    expect((await seenOf({ items: [{ ...one, condition }] })).seen.lines[0]?.condition).toBe(expected);
  });

  test.each([
    ['a status that is new to us', { status: 'lost' }, 'return_status_unknown'],
    ['no status', { status: null }, 'return_unreadable'],
    ['no order', { orderId: null }, 'return_without_order'],
    ['no items', { items: null }, 'return_without_lines'],
    ['an item of another order', { items: [{ orderItemIndex: 9, quantity: 1 }] }, 'return_line_unknown'],
    ['units below zero', { items: [{ orderItemIndex: 0, quantity: -1 }] }, 'return_unreadable'],
  ])('is parked with %s', async (_, fields, reason) => {
    vtex.put(order(), request(fields));
    expect(await prepared()).toEqual({ kind: 'parked', reason });
  });
});

describe('the money for a request', () => {
  const paid = { ...along(6), refundData: refundData() };

  test('is what was verified, less the fee, once its status says that it was given', async () => {
    const { refunds } = await seenOf(paid);
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
    expect(faults('recordRefund', refunds[0] ?? {})).toEqual([]);
    expect((await seenOf({ ...along(5), refundData: refundData() })).refunds).toEqual([]);
  });

  test.each([
    ['bank', 'bank_transfer'],
    ['giftCard', 'gift_card'],
    ['card', 'original_payment'],
    ['a new way', 'original_payment'],
  ])('goes by %s', async (refundPaymentMethod, method) => {
    expect((await seenOf({ ...paid, refundPaymentData: { refundPaymentMethod } })).refunds).toMatchObject([{ method }]);
  });

  test('is that of the invoice which the app wrote into the order, at its time', async () => {
    const invoice = input({ invoiceNumber: requestId, invoiceValue: 4200, restitutions: {} });
    const expected = [
      {
        externalId: requestId,
        amount: brl(4200),
        occurredAt: '2026-10-20T12:00:00.000Z',
        lines: [{ amount: brl(4000) }],
      },
    ];
    expect((await seenOf(paid, packages(output(), invoice))).refunds).toMatchObject(expected);
    // The app writes the invoice first.
    const before = { ...along(5), refundData: refundData() };
    expect((await seenOf(before, packages(output(), invoice))).refunds).toMatchObject(expected);
  });

  test('is the same whether the order or the request is heard of, and none of the order’s other money', async () => {
    const invoice = input({ invoiceNumber: requestId, invoiceValue: 4200, restitutions: {} });
    const { refunds } = await seenOf(paid, packages(output(), invoice, input()));
    const ofOrder = await translator.prepare(
      { source: account, topic: 'order', body: { OrderId: orderId, State: 'unknow' } },
      soon(),
    );
    expect(ofOrder).toMatchObject({
      kind: 'seen',
      returns: [{ seen: { externalId: requestId, status: 'completed' }, refunds }],
      refunds: [{ externalId: '2001' }],
    });
  });

  test('is of no return where the number is that of another order’s request, or of none', async () => {
    const invoice = input({ invoiceNumber: requestId });
    const hear = async () =>
      translator.prepare({ source: account, topic: 'order', body: { OrderId: orderId, State: 'unknow' } }, soon());
    vtex.put(order(packages(output(), invoice)));
    const expected = { kind: 'seen', returns: [], refunds: [{ externalId: requestId }] };
    expect(await hear()).toMatchObject(expected);
    vtex.put(request({ orderId: 'v1-01' }));
    expect(await hear()).toMatchObject(expected);
    vtex.put(request());
    vtex.fail(200, 403);
    expect((await hear()).kind).toBe('retry');
  });

  test('is told without its parts where they are more than it, and not at all where it is zero', async () => {
    const { refunds } = await seenOf({ ...paid, refundData: refundData({ invoiceValue: 1000 }) });
    expect(refunds[0]).toMatchObject({ amount: brl(1000), lines: [{ orderLineId: lineId, quantity: 1 }] });
    expect(refunds[0]?.lines?.[0]).not.toHaveProperty('amount');
    expect((await seenOf({ ...paid, refundData: refundData({ invoiceValue: 0 }) })).refunds).toEqual([]);
  });

  test.each([
    ['below zero', refundData({ invoiceValue: -1 })],
    ['beyond 2^53', refundData({ invoiceValue: 2 ** 60 })],
  ])('is parked where it is %s', async (_, data) => {
    vtex.put(order(), request({ ...paid, refundData: data }));
    expect(await prepared()).toEqual({ kind: 'parked', reason: 'refund_unreadable' });
  });
});

describe('our return', () => {
  /** What ours comes to by looks after each of these lives. */
  const after = async (...lives: readonly Fields[]) => {
    const own = { items: [item({ uniqueId: '1' })] };
    const { seen: first } = await seenOf(lives[0], own);
    let ours = begun(first);
    for (const life of lives) ours = look(ours, (await seenOf(life, own)).seen).case;
    return { status: ours.state.status, units: outcomeOf(ours).lines['1'] };
  };
  const verified = { refundData: refundData() };

  test.each([
    [1, 'requested', 0, 0],
    [2, 'approved', 0, 0],
    [4, 'received', 2, 0],
    [5, 'inspected', 2, 1],
    [6, 'completed', 2, 1],
  ])('comes to where a request is after %d of its statuses: %s', async (count, status, received, accepted) => {
    const life = { ...along(count), ...(count > 4 && verified) };
    const expected = { status, units: { received, accepted, missing: 0 } };
    expect(await after(life)).toMatchObject(expected);
    // Whatever was seen before, and when this comes twice.
    expect(await after(along(1), life)).toMatchObject(expected);
    expect(await after(along(Math.min(count, 2)), life, life)).toMatchObject(expected);
  });

  test('ends with a request that is denied or cancelled, before its goods came and after', async () => {
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
