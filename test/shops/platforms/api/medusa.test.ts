import { beforeEach, describe, expect, test } from 'vitest';
import { newCase, sync, outcomeOf } from '../synced-case.ts';
import { snapshotWithout } from '../field-errors.ts';
import { openMedusa, withRefunds } from '../medusa-case.ts';
import {
  exchangeNode,
  itemId,
  itemNode,
  orderId,
  orderNode,
  paymentId,
  refundNode,
  returnId,
  returnNode,
} from '../medusa-shop.ts';

const { translator, hold, soon, run, requested, fetchSnapshot, fetchRemoteReturn } = await openMedusa();
beforeEach(() => hold([returnNode()]));

describe('Medusa return', () => {
  test('is read with its order', async () => {
    const { order, returns, refunds } = await fetchSnapshot();
    expect(returns).toEqual([
      {
        remote: {
          platform: 'medusa',
          externalId: returnId,
          orderId,
          status: 'approved',
          createdAt: '2026-11-10T09:00:01.000Z',
          fetchedAt: expect.any(String),
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
          exchanges: [],
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
  ])('is read after %s', async (topic, data) => {
    const { returns } = await fetchSnapshot(run(topic, data));
    expect(returns.map((one) => one.remote.externalId)).toEqual([returnId]);
  });

  test.each([
    ['an exchange', { exchange_id: 'oexc_1' }, [{ externalId: 'oexc_1' }]],
    [
      'an exchange for an item of the order',
      { exchange_id: 'oexc_1', exchange: exchangeNode([itemId, 3]) },
      [{ externalId: 'oexc_1', price: { amount: 5970, currency: 'EUR' } }],
    ],
    ['a claim with a replacement', { claim_id: 'claim_1', claim: { type: 'replace' } }, [{ externalId: 'claim_1' }]],
    ['a claim for money', { claim_id: 'claim_1', claim: { type: 'refund' } }, []],
  ])('has %s as the shop shows it', async (_, fields, exchanges) => {
    expect(await fetchRemoteReturn(returnNode(fields))).toMatchObject({ exchanges });
  });

  test('medusa#15851: has received units only by its own state, for any event', async () => {
    const { returns } = await fetchSnapshot(run('order.return_received', { order_id: orderId, return_id: returnId }));
    expect(returns).toMatchObject([{ remote: { status: 'approved', units: [] } }]);
  });

  test('medusa#13880: is cancelled when it has a cancellation time, in any status', async () => {
    const node = returnNode({ status: 'requested', canceled_at: '2026-11-11T09:00:00.000Z' });
    expect(await fetchRemoteReturn(node)).toMatchObject({ status: 'cancelled' });
    expect(await fetchRemoteReturn(returnNode({ status: 'canceled' }))).toMatchObject({ status: 'cancelled' });
  });

  test('has the received units and the damaged ones', async () => {
    const node = returnNode({
      status: 'partially_received',
      items: [itemNode({ received_quantity: 2, damaged_quantity: 1, quantity: 3 })],
    });
    expect(await fetchRemoteReturn(node)).toMatchObject({
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

  test('sums the items of one line', async () => {
    const items = [
      itemNode({ quantity: 1, received_quantity: 1 }),
      itemNode({ id: 'retitem_2', quantity: 1, received_quantity: 1, reason: null, note: null }),
    ];
    expect(await fetchRemoteReturn(returnNode({ items }))).toMatchObject({
      lines: [{ quantity: 1 }, { quantity: 1, reason: { code: 'unknown' } }],
      units: [{ received: 2, found: [{ quantity: 2 }] }],
    });
  });

  test('merges equal items of one line, up to the sold units', async () => {
    const twice = (changes: Record<string, unknown>) => [itemNode(changes), itemNode({ ...changes, id: 'retitem_2' })];
    expect(await fetchRemoteReturn(returnNode({ items: twice({ quantity: 1 }) }))).toMatchObject({
      lines: [{ orderLineId: itemId, quantity: 2, reason: { note: 'the sleeves' } }],
    });
    const items = twice({ quantity: 2, received_quantity: 2, damaged_quantity: 2 });
    expect(await fetchRemoteReturn(returnNode({ items }))).toMatchObject({
      lines: [{ quantity: 3 }],
      units: [{ received: 3, found: [{ disposition: 'quarantine', quantity: 3 }] }],
    });
  });

  test('limits items of one line with several reasons to the sold units', async () => {
    const items = [
      itemNode(),
      itemNode({ id: 'retitem_2', reason: null, note: null }),
      itemNode({ note: 'the collar' }),
    ];
    expect((await fetchRemoteReturn(returnNode({ items })))?.lines).toMatchObject([
      { quantity: 2, reason: { note: 'the sleeves' } },
      { quantity: 1, reason: { code: 'unknown' } },
    ]);
  });

  const received = returnNode({
    status: 'received',
    received_at: '2026-11-11T09:00:00.000Z',
    items: [itemNode({ received_quantity: 2 })],
  });

  test('is completed when all units arrived and the shop owes nothing', async () => {
    hold([received], orderNode({ summary: { pending_difference: -19.9 } }));
    expect((await fetchSnapshot()).returns).toMatchObject([{ remote: { status: 'approved' } }]);
    hold([received], withRefunds([refundNode()], { summary: { pending_difference: -0.0000001 } }));
    expect((await fetchSnapshot()).returns).toMatchObject([
      { remote: { status: 'completed', closedAt: '2026-11-12T09:00:00.000Z' } },
    ]);
    expect(await fetchRemoteReturn(received)).toMatchObject({
      status: 'completed',
      closedAt: '2026-11-11T09:00:00.000Z',
    });
  });

  test.each([
    ['user_01JC', 'agent'],
    ['apk_01JC', 'agent'],
    ['cus_01JC', 'customer'],
    [null, 'customer'],
  ])('that %s created is initiated by the %s', async (by, expected) => {
    expect(await fetchRemoteReturn(returnNode({ created_by: by }))).toMatchObject({ initiatedBy: expected });
  });

  test('with an unknown status is retried', async () => {
    expect(await fetchRemoteReturn(returnNode({ status: 'in_review' }))).toMatchObject({ status: 'requested' });
  });

  test('is omitted while it is a draft', async () => {
    hold([returnNode({ status: 'open', requested_at: null })]);
    expect(await requested()).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
    expect(await translator.refetchReturn('nordic', returnId, soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_return_not_found' },
    });
  });

  test('has its parcels', async () => {
    const labels = [
      { tracking_number: 'JD1', tracking_url: 'https://dhl.example/1', label_url: '#' },
      { tracking_number: 'JD1', tracking_url: 'https://dhl.example/1', label_url: '' },
      { tracking_number: '' },
    ];
    const fulfillments = [
      { id: 'ful_3', canceled_at: null, labels },
      { id: 'ful_4', canceled_at: '2026-11-10T10:00:00.000Z', labels: [{ tracking_number: 'JD2' }] },
    ];
    expect(await fetchRemoteReturn(returnNode({ fulfillments }))).toMatchObject({
      parcels: [{ trackingNumber: 'JD1', trackingUrl: 'https://dhl.example/1' }],
    });
  });

  test('is synced from beginning to end', async () => {
    const item = (received: number, damaged: number) => ({
      items: [itemNode({ item_id: '1', received_quantity: received, damaged_quantity: damaged })],
    });
    const looks = [
      await fetchRemoteReturn(returnNode(item(0, 0))),
      await fetchRemoteReturn(returnNode({ ...item(1, 0), status: 'partially_received' })),
      await fetchRemoteReturn(
        returnNode({ ...item(2, 1), status: 'received', received_at: '2026-11-11T09:00:00.000Z' }),
      ),
    ].flatMap((one) => one ?? []);
    const [first] = looks;
    if (first === undefined) throw new Error('nothing seen');
    let synced = newCase(first);
    const passed = looks.map((one) => {
      synced = sync(synced, one).case;
      return outcomeOf(synced).status;
    });
    expect(passed).toEqual(['approved', 'partially_received', 'completed']);
    expect(outcomeOf(synced).lines['1']).toEqual({
      remaining: 2,
      received: 2,
      missing: 0,
      restocked: 1,
      accepted: 2,
    });
  });

  test('is refetched with its current state', async () => {
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

describe('Medusa return reason', () => {
  test.each([
    [{ value: 'wrong_size', label: 'Größe' }, 'fit.other'],
    [{ value: 'rr-7', label: 'Too small' }, 'fit.too_small'],
    [{ value: 'Changed my mind', label: null }, 'preference.changed_mind'],
    [{ value: 'condition.defective', label: 'Kaputt' }, 'condition.defective'],
    [{ value: 'zu-kratzig', label: 'Kratzt' }, 'other'],
    [{ value: 'constructor', label: '__proto__' }, 'other'],
    [{ value: '', label: '' }, 'unknown'],
    ['rr_1', 'unknown'],
  ])('of %j is %s', async (reason, code) => {
    expect(await fetchRemoteReturn(returnNode({ items: [itemNode({ reason })] }))).toMatchObject({
      lines: [{ reason: { code } }],
    });
  });
});

describe('Medusa delivery without usable data', () => {
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
  ])('is ignored or parked: %s %j', async (topic, body, expected) => {
    expect(await translator.prepare({ source: 'nordic', topic, body }, soon())).toEqual(expected);
  });

  test.each([
    ['no lines', { items: [] }, 'return_without_lines'],
    ['a part of a unit', { items: [itemNode({ quantity: 0.5 })] }, 'return_line_unreadable'],
    ['a negative quantity', { items: [itemNode({ received_quantity: -1 })] }, 'return_line_unreadable'],
    ['an unknown order line', { items: [itemNode({ item_id: null })] }, 'return_line_unreadable'],
    ['no time', { requested_at: null, created_at: null }, 'return_unreadable'],
    ['an invalid id', { id: 'a b' }, 'return_unreadable'],
  ])('with %s causes a discrepancy of its order', async (_, fields, reason) => {
    hold([returnNode(fields)]);
    expect(await requested()).toMatchObject({ ...snapshotWithout(reason), returns: [] });
  });

  test('is synced without an unreadable item', async () => {
    hold([returnNode({ items: [itemNode(), itemNode({ id: 'retitem_2', quantity: 0.5 })] })]);
    expect(await requested()).toMatchObject({
      ...snapshotWithout('return_line_unreadable'),
      returns: [{ remote: { externalId: returnId, lines: [{ orderLineId: expect.any(String) }] } }],
    });
  });

  test('without remaining units is cancelled', async () => {
    hold([returnNode({ items: [itemNode({ quantity: 0 })] })]);
    const [first] = (await fetchSnapshot()).returns;
    expect(first?.remote).toMatchObject({ status: 'cancelled', lines: [] });
  });

  test('leaves other returns of its order readable', async () => {
    hold([returnNode(), returnNode({ id: 'return_odd', items: [] })]);
    expect(await requested()).toMatchObject({
      kind: 'snapshot',
      returns: [{ remote: { externalId: returnId } }],
      unread: { kind: 'permanent', reason: 'return_without_lines' },
    });
  });
});
