import { describe, expect, it, vi } from 'vitest';
import { translator } from '../../../../lib/shops/platforms/medusa/platform.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import type { Node } from '../../../../lib/tools/local/shops/medusa/order-changes.ts';
import type { RefundFault } from '../../../../lib/tools/local/shops/medusa/shop.ts';
import { orderId, returnNode } from '../medusa-shop.ts';
import { accepted, mug, openMedusaCase, paymentId, shirt } from './medusa-case.ts';
import { type Options, wordOf } from './drive-intent.ts';
import { wantedLine } from './wanted.ts';
import { wireFaults } from './wire-faults.ts';

const {
  shop,
  server,
  effectOf,
  run,
  intent,
  approved,
  inspection,
  received,
  refundIntent,
  order,
  returns,
  openChanges,
  paidFor,
  lastWrite,
  writeCount,
} = await openMedusaCase();

const detailOf = (id: string): Node =>
  ((order()['items'] as Node[]).find((item) => item['id'] === id) ?? {})['detail'] as Node;

describe('Medusa approval', () => {
  it('creates a return of the order lines, with its reason and the location of the parcel', async () => {
    const approval = intent('approve', [
      wantedLine(shirt, { lineId: 'rli_1', quantity: 1 }),
      wantedLine(shirt, { lineId: 'rli_2', quantity: 1, reason: 'other' }),
      wantedLine(mug, { quantity: 1, reason: 'delivery.late' }),
    ]);
    const outcome = await run(approval);
    expect(returns()).toMatchObject([
      {
        status: 'requested',
        location_id: 'sloc_1',
        metadata: { rma_number: 'RMA-1' },
        items: [
          { item_id: shirt, quantity: 2, reason_id: 'rr_small' },
          { item_id: mug, quantity: 1 },
        ],
      },
    ]);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: returns()[0]?.['id'] });
    expect(returns()[0]?.['items']).not.toMatchObject([{}, { reason_id: expect.anything() }]);
    expect(await run(approval)).toEqual(outcome);
    expect(returns()).toHaveLength(1);
  });

  it('of a return that the shop has sends nothing', async () => {
    shop.hold({ returns: [returnNode({ id: 'return_1' })] });
    const before = writeCount();
    const approval = intent('approve', [wantedLine(shirt)], { externalId: 'return_1' });
    expect(await run(approval)).toEqual({ kind: 'confirmed', externalId: 'return_1' });
    expect(writeCount()).toBe(before);
  });

  it.each<readonly [string, () => void]>([
    ['return_missing', () => shop.hold({})],
    [
      'return_cancelled',
      () => shop.hold({ returns: [returnNode({ id: 'return_1', canceled_at: '2026-11-29T00:00:00Z' })] }),
    ],
  ])('of a return that is no longer there is blocked as %s', async (reason, change) => {
    change();
    const approval = intent('approve', [wantedLine(shirt)], { externalId: 'return_1' });
    expect(await run(approval)).toMatchObject({ kind: 'parked', reason });
  });

  it('is blocked when a person has made the same return since', async () => {
    const items = [{ id: 'retitem_1', item_id: shirt, quantity: 1 }];
    shop.shelf.returns.push(returnNode({ id: 'return_hand', created_at: '2026-11-28T00:00:00Z', items }));
    const outcome = await run(intent('approve', [wantedLine(shirt)]));
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'return_exists', seen: { returnId: 'return_hand' } });
    const others = { returns: ['return_hand'], refunds: [] };
    expect(wordOf(await run({ ...intent('approve', [wantedLine(shirt)]), others }))).toBe('confirmed');
  });

  it('is made beside an equal return of another intent, and of an earlier time', async () => {
    const items = [{ id: 'retitem_1', item_id: shirt, quantity: 1 }];
    shop.shelf.returns.push(returnNode({ id: 'return_old', created_at: '2026-11-01T00:00:00Z', items }));
    expect(wordOf(await run(intent('approve', [wantedLine(shirt)])))).toBe('confirmed');
    expect(wordOf(await run(intent('approve', [wantedLine(shirt)])))).toBe('confirmed');
    expect(returns()).toHaveLength(3);
  });

  it('is blocked for units that were not sent or are in a return', async () => {
    await approved(2);
    const outcome = await run(intent('approve', [wantedLine(shirt, { quantity: 2 })]));
    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'units_not_returnable',
      seen: { orderLineId: shirt, left: 1 },
    });
  });

  it('waits for a change of staff, and is blocked when it is open for an hour', async () => {
    const change = {
      id: 'ordch_1',
      order_id: orderId,
      status: 'pending',
      change_type: 'edit',
      created_at: new Date().toISOString(),
      actions: [],
    };
    shop.shelf.changes.push(change);
    let reads = 0;
    const before: Options['before'] = (step) => {
      if (step === 'read' && (reads += 1) === 4) Object.assign(change, { status: 'confirmed' });
    };
    expect(wordOf(await run(intent('approve', [wantedLine(shirt)]), { before }))).toBe('confirmed');
    shop.shelf.changes.push({ ...change, status: 'pending', created_at: '2026-11-29T10:00:00Z' });
    const outcome = await run(intent('approve', [wantedLine(mug)]));
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'order_change_open', seen: { changeType: 'edit' } });
  });

  it.each([0, 90])('takes back a draft that another intent has left %i minutes ago', async (minutes) => {
    server.faults.push(undefined, 'answer_lost');
    const left = intent('approve', [wantedLine(mug)]);
    const { value } = (await effectOf('approve').see('nordic', left, Date.now() + 9_000)) as {
      value: { send: (at: number) => unknown };
    };
    await value.send(Date.now() + 9_000);
    expect(openChanges()).toHaveLength(1);
    vi.setSystemTime(Date.now() + minutes * 60_000);
    expect(wordOf(await run(intent('approve', [wantedLine(shirt)])))).toBe('confirmed');
    expect([returns().length, shop.shelf.returns.length]).toEqual([1, 1]);
  });

  it('leaves no draft when Medusa rejects its items', async () => {
    server.faults.push(undefined, { status: 400, carriedOut: false });
    expect(wordOf(await run(intent('approve', [wantedLine(shirt)])))).toBe('shop_status_400');
    expect([openChanges(), shop.shelf.returns]).toEqual([[], []]);
  });
});

/** The faults of one request of several, by its place. */
const places = [0, 1, 2, 3].flatMap((place) => wireFaults.map((fault) => [place, fault] as const));

describe('Medusa approval with a fault', () => {
  it.each(places.filter(([place]) => place < 3))('of request %d, %j, makes one return', async (place, fault) => {
    server.faults.push(...Array<undefined>(place).fill(undefined), fault);
    const outcome = await run(intent('approve', [wantedLine(shirt, { quantity: 2 })]));
    server.carryOutLate();
    expect(wordOf(outcome)).toBe('confirmed');
    expect(returns()).toMatchObject([{ items: [{ item_id: shirt, quantity: 2 }] }]);
    expect(openChanges()).toEqual([]);
  });
});

describe('Medusa cancellation', () => {
  it.each(['cancel', 'reject'] as const)('for %s cancels the return, once', async (action) => {
    const externalId = await approved();
    const cancel = intent(action, [], { externalId });
    expect(await run(cancel)).toEqual({ kind: 'confirmed', externalId });
    expect(returns()).toMatchObject([{ status: 'canceled' }]);
    const before = writeCount();
    expect(await run(cancel)).toEqual({ kind: 'confirmed', externalId });
    expect(writeCount()).toBe(before);
  });

  it('of a return that the shop never had is done', async () => {
    expect(await run(intent('reject', []))).toEqual({ kind: 'confirmed' });
  });

  it.each(wireFaults)('with the fault %j is done', async (fault) => {
    const externalId = await approved();
    server.faults.push(fault);
    expect(await run(intent('cancel', [], { externalId }))).toEqual({ kind: 'confirmed', externalId });
    server.carryOutLate();
    expect(detailOf(shirt)).toMatchObject({ return_requested_quantity: 0 });
  });

  it('is blocked after a receipt, and while a parcel is on its way', async () => {
    const first = await received(1);
    expect(await run(intent('cancel', [], { externalId: first }))).toMatchObject({
      reason: 'units_received',
      seen: { received: 1 },
    });
    const second = await approved(1);
    Object.assign(returns()[1] ?? {}, { fulfillments: [{ id: 'ful_2', canceled_at: null }] });
    expect(await run(intent('cancel', [], { externalId: second }))).toMatchObject({ reason: 'fulfillments_open' });
  });
});

describe('Medusa inspection', () => {
  it('receives units to restock, dismisses the others, and leaves refused ones', async () => {
    const externalId = await approved(3);
    const found = [accepted(1), accepted(1, 'quarantine'), { ...accepted(1), outcome: 'refuse' as const }];
    const outcome = await run(inspection(externalId, found, 3));
    expect(outcome).toEqual({ kind: 'confirmed', externalId });
    expect(returns()).toMatchObject([
      { status: 'partially_received', items: [{ quantity: 3, received_quantity: 2, damaged_quantity: 1 }] },
    ]);
    expect(order()['summary']).toEqual({ pending_difference: -39.8 });
  });

  it('is done without accepted units, and when a person has received them', async () => {
    const externalId = await approved(1);
    const before = writeCount();
    expect(wordOf(await run(inspection(externalId, [{ ...accepted(1), outcome: 'refuse' }], 1)))).toBe('confirmed');
    const byHand = { item_id: shirt, quantity: 1, received_quantity: 1, damaged_quantity: 0 };
    Object.assign(returns()[0] ?? {}, { items: [byHand] });
    expect(wordOf(await run(inspection(externalId, [accepted(1)], 1)))).toBe('confirmed');
    expect(writeCount()).toBe(before);
  });

  it('is blocked for a second receipt of a line, which would replace the first', async () => {
    const externalId = await approved(2);
    await run(inspection(externalId, [accepted(1)]));
    const outcome = await run(inspection(externalId, [accepted(2)]));
    expect(outcome).toMatchObject({ reason: 'received_before', seen: { expected: 2, received: 1, accepted: 2 } });
  });

  it.each<readonly [string, Node]>([
    ['location_missing', { location_id: null }],
    ['return_cancelled', { canceled_at: '2026-11-29T00:00:00Z' }],
    ['line_differs', { items: [] }],
    [
      'line_differs',
      {
        items: [
          { item_id: shirt, quantity: 1 },
          { item_id: shirt, quantity: 1 },
        ],
      },
    ],
    ['units_differ', { items: [{ item_id: shirt, quantity: 1 }] }],
  ])('is blocked as %s for a return with %j', async (reason, changes) => {
    const externalId = await approved(2);
    Object.assign(returns()[0] ?? {}, changes);
    const before = writeCount();
    expect(await run(inspection(externalId, [accepted(2)]))).toMatchObject({ kind: 'parked', reason });
    expect(writeCount()).toBe(before);
  });

  it.each(places)('with a fault of request %d, %j, receives the units once', async (place, fault) => {
    const externalId = await approved(3);
    server.faults.push(...Array<undefined>(place).fill(undefined), fault);
    expect(wordOf(await run(inspection(externalId, [accepted(2), accepted(1, 'quarantine')], 3)))).toBe('confirmed');
    server.carryOutLate();
    expect(returns()).toMatchObject([{ items: [{ received_quantity: 3, damaged_quantity: 1 }] }]);
    expect(detailOf(shirt)).toMatchObject({ return_received_quantity: 2, return_dismissed_quantity: 1 });
    expect(openChanges()).toEqual([]);
  });
});

describe('Medusa refund', () => {
  it('is an exact amount of the payment, with our key in its note', async () => {
    await received(1);
    const refund = refundIntent();
    const outcome = await run(refund);
    expect(lastWrite()).toEqual({
      path: `/admin/payments/${paymentId}/refund?fields=id%2Crefunds.id%2Crefunds.note`,
      body: `{"amount":19.90,"note":"Return RMA-1 [${refund.key}]"}`,
    });
    expect(paidFor(refund)).toMatchObject([{ amount: 19.9 }]);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: paidFor(refund)[0]?.refundId });
  });

  it('is reported by the translator under the id that the intent has', async () => {
    const returnId = await received(1);
    const outcome = await run(refundIntent());
    const delivery = { source: 'nordic', topic: 'order.return_received', body: { data: { order_id: orderId } } };
    const snapshot = await translator.prepare(delivery, Date.now() + 9_000);
    const externalId = outcome.kind === 'confirmed' ? outcome.externalId : '';
    expect(snapshot).toMatchObject({
      returns: [{ remote: { externalId: returnId }, refunds: [{ externalId, amount: { amount: 1990 } }] }],
    });
  });

  it('pays shipping and money on top, which become a credit of the order', async () => {
    await received(1);
    const refund = refundIntent([{ orderLineId: shirt, quantity: 1, gross: 1990 }], { shipping: 500, rest: 490 });
    expect(wordOf(await run(refund))).toBe('confirmed');
    expect(paidFor(refund)).toMatchObject([{ amount: 29.8 }]);
  });

  it('pays less than the units for a deduction', async () => {
    await received(1);
    const refund = refundIntent([{ orderLineId: shirt, quantity: 1, gross: 1990 }], { rest: -300 });
    expect(wordOf(await run(refund))).toBe('confirmed');
    expect(paidFor(refund)).toMatchObject([{ amount: 16.9 }]);
  });

  it.each([
    ['amount_differs', [{ orderLineId: shirt, quantity: 1, gross: 1992 }], {}, { amount: 1992, paid: 5970, units: 3 }],
    [
      'amount_differs',
      [
        { orderLineId: mug, quantity: 1, gross: 550 },
        { orderLineId: shirt, quantity: 1, gross: 1990 },
      ],
      {},
      { amount: 2540, shop: 1990 },
    ],
    ['order_line_unreadable', [{ orderLineId: 'ordli_other', quantity: 1, gross: 100 }], {}, {}],
    [
      'exceeds_payment',
      [{ orderLineId: shirt, quantity: 1, gross: 1990 }],
      { rest: 6000 },
      { amount: 7990, left: [7570] },
    ],
  ])('is blocked as %s for %j %j', async (reason, lines, more, seen) => {
    await received(1);
    const before = writeCount();
    expect(await run(refundIntent(lines, more))).toMatchObject({ kind: 'parked', reason, seen });
    expect(writeCount()).toBe(before);
  });

  it('is blocked before the order owes the goods', async () => {
    await approved(1);
    expect(await run(refundIntent())).toMatchObject({ reason: 'amount_differs', seen: { amount: 1990, shop: 0 } });
  });

  it('is blocked in another currency', async () => {
    await received(1);
    Object.assign(order(), { currency_code: 'usd' });
    expect(wordOf(await run(refundIntent()))).toBe('currency_differs');
  });

  it('uses the payment that has enough left', async () => {
    await received(1);
    const payment = { id: 'pay_small', currency_code: 'eur', captures: [{ amount: 10 }], refunds: [] };
    const [collection] = order()['payment_collections'] as { payments: Node[] }[];
    collection?.payments.unshift(payment);
    expect(wordOf(await run(refundIntent()))).toBe('confirmed');
    expect(lastWrite().path).toContain(`/payments/${paymentId}/`);
  });

  it('is blocked when a person has made the same refund since the return', async () => {
    await received(2);
    shop.refundByHand(paymentId, 19.9, 'by phone');
    const outcome = await run(refundIntent());
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'refund_exists', seen: { amount: 1990 } });
    expect(JSON.stringify(outcome)).not.toContain('by phone');
    const others = { returns: [], refunds: shop.paid.slice(-1).map(({ refundId }) => refundId) };
    expect(wordOf(await run({ ...refundIntent(), others }))).toBe('confirmed');
  });
});

describe('Medusa refund beside others', () => {
  it('is sent when another intent, or an earlier return, has refunded the same amount', async () => {
    await received(2);
    const node = { id: 'ref_old', amount: 19.9, note: null, created_at: '2026-11-01T00:00:00Z' };
    const [collection] = order()['payment_collections'] as { payments: Node[] }[];
    Object.assign(collection?.payments[0] ?? {}, { refunds: [node] });
    const [first, second] = [refundIntent(), refundIntent()];
    expect([wordOf(await run(first)), wordOf(await run(second))]).toEqual(['confirmed', 'confirmed']);
    expect([paidFor(first).length, paidFor(second).length]).toEqual([1, 1]);
  });
});

const wireCases: readonly (readonly [WireFault, number, string])[] = [
  ['answer_lost', 1, 'confirmed'],
  ['silent', 1, 'confirmed'],
  ['late', 1, 'confirmed'],
  [{ status: 400, carriedOut: true }, 1, 'confirmed'],
  [{ status: 500, carriedOut: true }, 1, 'confirmed'],
  [{ status: 429, carriedOut: false }, 1, 'confirmed'],
  [{ status: 400, carriedOut: false }, 0, 'shop_status_400'],
  ['cut_before', 0, 'effect_unknown'],
  [{ status: 500, carriedOut: false }, 0, 'effect_unknown'],
];
const shopCases: readonly (readonly [RefundFault, number, string])[] = [
  ['provider_rejected', 0, 'effect_unknown'],
  ['died_before_payment', 0, 'refund_unpaid'],
  ['died_after_payment', 1, 'refund_unpaid'],
];

describe('Medusa refund with a fault', () => {
  it.each(wireCases)('of the wire, %j, is paid %d times and %s', async (fault, payments, word) => {
    await received(1);
    const refund = refundIntent();
    server.faults.push(fault);
    expect(wordOf(await run(refund, fault === 'silent' ? { requestMs: 300 } : {}))).toBe(word);
    server.carryOutLate();
    expect(paidFor(refund)).toHaveLength(payments);
  });

  it.each(shopCases)('inside the shop, %s, is paid %d times and %s', async (fault, payments, word) => {
    await received(1);
    const refund = refundIntent();
    shop.failRefund(fault);
    expect(wordOf(await run(refund))).toBe(word);
    expect(paidFor(refund)).toHaveLength(payments);
  });
});
