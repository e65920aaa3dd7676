import { beforeEach, describe, expect, test } from 'vitest';
import { begun, look, outcomeOf } from '../synced-case.ts';
import { seenWithout } from '../faults.ts';
import { openMedusa, withRefunds } from '../medusa-case.ts';
import { itemId, itemNode, orderId, orderNode, paymentId, refundNode, returnId, returnNode } from '../medusa-shop.ts';

const { translator, hold, soon, run, requested, seen, seenReturn } = await openMedusa();
beforeEach(() => void hold([returnNode()]));

describe('a return as it stands in the shop', () => {
  test('is seen with its order', async () => {
    const { order, returns, refunds } = await seen();
    expect(returns).toEqual([
      {
        seen: {
          platform: 'medusa',
          externalId: returnId,
          orderId,
          status: 'approved',
          createdAt: '2026-11-10T09:00:01.000Z',
          seenAt: expect.any(String),
          initiatedBy: 'customer',
          lines: [
            {
              orderLineId: itemId,
              quantity: 2,
              reason: {
                code: 'fit.other',
                note: 'the sleeves',
                source: { system: 'medusa', code: 'wrong_size', label: 'Wrong size' },
              },
            },
          ],
          units: [],
          parcels: [],
        },
        refunds: [],
      },
    ]);
    expect(refunds).toEqual([]);
    expect(order).toMatchObject({ platform: 'medusa', orderId, number: '1042' });
  });

  test.each([
    ['order.return_requested', { order_id: orderId, return_id: returnId }],
    ['order.return_received', { order_id: orderId, return_id: returnId }],
    ['order.claim_created', { order_id: orderId, claim_id: 'claim_1' }],
    ['order.exchange_created', { order_id: orderId, exchange_id: 'oexc_1' }],
    ['order.canceled', { id: orderId }],
    ['payment.refunded', { id: paymentId }],
  ])('is seen after %s', async (topic, data) => {
    const { returns } = await seen(run(topic, data));
    expect(returns.map((one) => one.seen.externalId)).toEqual([returnId]);
  });

  test('medusa#15851: is not received because an event says so', async () => {
    const { returns } = await seen(run('order.return_received', { order_id: orderId, return_id: returnId }));
    expect(returns).toMatchObject([{ seen: { status: 'approved', units: [] } }]);
  });

  test('medusa#13880: is cancelled where it has a time of that, whatever its status says', async () => {
    const node = returnNode({ status: 'requested', canceled_at: '2026-11-11T09:00:00.000Z' });
    expect(await seenReturn(node)).toMatchObject({ status: 'cancelled' });
    expect(await seenReturn(returnNode({ status: 'canceled' }))).toMatchObject({ status: 'cancelled' });
  });

  test('is told of unit by unit: what came in order, and what came damaged', async () => {
    const node = returnNode({
      status: 'partially_received',
      items: [itemNode({ received_quantity: 2, damaged_quantity: 1, quantity: 3 })],
    });
    expect(await seenReturn(node)).toMatchObject({
      status: 'approved',
      units: [
        {
          orderLineId: itemId,
          received: 2,
          missing: 0,
          found: [
            { outcome: 'accept', disposition: 'restock', quantity: 1 },
            { outcome: 'accept', disposition: 'quarantine', quantity: 1 },
          ],
        },
      ],
    });
  });

  test('adds up items that are of one line', async () => {
    const items = [
      itemNode({ quantity: 1, received_quantity: 1 }),
      itemNode({ id: 'retitem_2', quantity: 1, received_quantity: 1, reason: null, note: null }),
    ];
    expect(await seenReturn(returnNode({ items }))).toMatchObject({
      lines: [{ quantity: 1 }, { quantity: 1, reason: { code: 'unknown' } }],
      units: [{ received: 2, found: [{ quantity: 2 }] }],
    });
  });

  const received = returnNode({
    status: 'received',
    received_at: '2026-11-11T09:00:00.000Z',
    items: [itemNode({ received_quantity: 2 })],
  });

  test('has ended when all came and the shop owes nothing', async () => {
    hold([received], orderNode({ summary: { pending_difference: -19.9 } }));
    expect((await seen()).returns).toMatchObject([{ seen: { status: 'approved' } }]);
    hold([received], withRefunds([refundNode()], { summary: { pending_difference: -0.0000001 } }));
    expect((await seen()).returns).toMatchObject([
      { seen: { status: 'completed', closedAt: '2026-11-12T09:00:00.000Z' } },
    ]);
    expect(await seenReturn(received)).toMatchObject({ status: 'completed', closedAt: '2026-11-11T09:00:00.000Z' });
  });

  test.each([
    ['user_01JC', 'agent'],
    ['apk_01JC', 'agent'],
    ['cus_01JC', 'customer'],
    [null, 'customer'],
  ])('that %s made is of the %s', async (by, expected) => {
    expect(await seenReturn(returnNode({ created_by: by }))).toMatchObject({ initiatedBy: expected });
  });

  test('is waited for where its status is a word that is not known', async () => {
    expect(await seenReturn(returnNode({ status: 'in_review' }))).toMatchObject({ status: 'requested' });
  });

  test('is not there while somebody puts it together', async () => {
    hold([returnNode({ status: 'open', requested_at: null })]);
    expect(await requested()).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
    expect(await translator.refetchReturn('nordic', returnId, soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_return_not_found' },
    });
  });

  test('is seen with its parcels', async () => {
    const labels = [
      { tracking_number: 'JD1', tracking_url: 'https://dhl.example/1', label_url: '#' },
      { tracking_number: 'JD1', tracking_url: 'https://dhl.example/1', label_url: '' },
      { tracking_number: '' },
    ];
    const fulfillments = [
      { id: 'ful_3', canceled_at: null, labels },
      { id: 'ful_4', canceled_at: '2026-11-10T10:00:00.000Z', labels: [{ tracking_number: 'JD2' }] },
    ];
    expect(await seenReturn(returnNode({ fulfillments }))).toMatchObject({
      parcels: [{ trackingNumber: 'JD1', trackingUrl: 'https://dhl.example/1' }],
    });
  });

  test('is followed from beginning to end', async () => {
    const item = (received: number, damaged: number) => ({
      items: [itemNode({ item_id: '1', received_quantity: received, damaged_quantity: damaged })],
    });
    const looks = [
      await seenReturn(returnNode(item(0, 0))),
      await seenReturn(returnNode({ ...item(1, 0), status: 'partially_received' })),
      await seenReturn(returnNode({ ...item(2, 1), status: 'received', received_at: '2026-11-11T09:00:00.000Z' })),
    ].flatMap((one) => one ?? []);
    const [first] = looks;
    if (first === undefined) throw new Error('nothing seen');
    let followed = begun(first);
    const passed = looks.map((one) => {
      followed = look(followed, one).case;
      return outcomeOf(followed).status;
    });
    expect(passed).toEqual(['approved', 'partially_received', 'completed']);
    expect(outcomeOf(followed).lines['1']).toEqual({ kept: 2, received: 2, missing: 0, restocked: 1, accepted: 2 });
  });

  test('is looked at again as it is then', async () => {
    expect(await translator.refetchReturn('nordic', returnId, soon())).toMatchObject({
      ok: true,
      value: { status: 'approved' },
    });
    hold([received]);
    expect(await translator.refetchReturn('nordic', returnId, soon())).toMatchObject({
      ok: true,
      value: { status: 'completed' },
    });
  });
});

describe('why it comes back', () => {
  test.each([
    [{ value: 'wrong_size', label: 'Größe' }, 'fit.other'],
    [{ value: 'rr-7', label: 'Too small' }, 'fit.too_small'],
    [{ value: 'Changed my mind', label: null }, 'preference.changed_mind'],
    [{ value: 'condition.defective', label: 'Kaputt' }, 'condition.defective'],
    [{ value: 'zu-kratzig', label: 'Kratzt' }, 'other'],
    [{ value: 'constructor', label: '__proto__' }, 'other'],
    [{ value: '', label: '' }, 'unknown'],
    ['rr_1', 'unknown'],
  ])('is, of %j, %s', async (reason, code) => {
    expect(await seenReturn(returnNode({ items: [itemNode({ reason })] }))).toMatchObject({
      lines: [{ reason: { code } }],
    });
  });
});

describe('a delivery that says nothing usable', () => {
  test.each([
    ['customer.created', { data: { id: 'cus_1' } }, { kind: 'ignored', reason: 'topic_not_handled' }],
    ['toString', {}, { kind: 'ignored', reason: 'topic_not_handled' }],
    ['payment.refunded', [], { kind: 'parked', reason: 'payload_unexpected', path: '' }],
    ['payment.refunded', { id: paymentId }, { kind: 'parked', reason: 'payload_unexpected', path: '/data' }],
    ['payment.refunded', { data: { id: 5 } }, { kind: 'parked', reason: 'payload_unexpected', path: '/data/id' }],
    [
      'order.return_received',
      { data: { order_id: '../x', return_id: returnId } },
      { kind: 'parked', reason: 'payload_unexpected', path: '/data/order_id' },
    ],
  ])('%s %j', async (topic, body, expected) => {
    expect(await translator.prepare({ source: 'nordic', topic, body }, soon())).toEqual(expected);
  });

  test.each([
    ['no lines', { items: [] }, 'return_without_lines'],
    ['part of a unit', { items: [itemNode({ quantity: 0.5 })] }, 'return_line_unreadable'],
    ['fewer than none', { items: [itemNode({ received_quantity: -1 })] }, 'return_line_unreadable'],
    ['no line of the order', { items: [itemNode({ item_id: null })] }, 'return_line_unreadable'],
    ['no time', { requested_at: null, created_at: null }, 'return_unreadable'],
    ['an id that is none', { id: 'a b' }, 'return_unreadable'],
  ])('is a discrepancy of its order where it has %s', async (_, odd, reason) => {
    hold([returnNode(odd)]);
    expect(await requested()).toMatchObject({ ...seenWithout(reason), returns: [] });
  });

  test('is followed without an item that cannot be read', async () => {
    hold([returnNode({ items: [itemNode(), itemNode({ id: 'retitem_2', quantity: 0.5 })] })]);
    expect(await requested()).toMatchObject({
      ...seenWithout('return_line_unreadable'),
      returns: [{ seen: { externalId: returnId, lines: [{ orderLineId: expect.any(String) }] } }],
    });
  });

  test('of which no unit is left is called off', async () => {
    hold([returnNode({ items: [itemNode({ quantity: 0 })] })]);
    const [first] = (await seen()).returns;
    expect(first?.seen).toMatchObject({ status: 'cancelled', lines: [] });
  });

  test('holds up no other return of its order', async () => {
    hold([returnNode(), returnNode({ id: 'return_odd', items: [] })]);
    expect(await requested()).toMatchObject({
      kind: 'seen',
      returns: [{ seen: { externalId: returnId } }],
      unread: { kind: 'permanent', reason: 'return_without_lines' },
    });
  });
});
