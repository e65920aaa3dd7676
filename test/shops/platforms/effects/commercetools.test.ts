import { describe, expect, test } from 'vitest';
import { item, money, payment, paidBy, refund as refundNode } from '../commercetools-project.ts';
import { openProjectCase, refundOf, returnId } from './commercetools-case.ts';
import { acceptedLine } from './wanted.ts';

const { project, sell, fieldOf, items, refunds, updates, wantedOf, ask, act, snapshot } = await openProjectCase();

describe('commercetools goods', () => {
  test('are written when they arrive, each unit with a key, in parts', async () => {
    const before = updates().length;
    expect(await act('receive', [acceptedLine('line-1', 2, { received: 1 })])).toEqual({ kind: 'confirmed' });
    const all = [acceptedLine('line-1', 2), acceptedLine('custom-1', 1)];
    expect(await act('receive', all)).toEqual({ kind: 'confirmed' });
    expect(await act('receive', all)).toEqual({ kind: 'confirmed' });
    expect(items()).toMatchObject([
      { key: `${returnId}_1`, lineItemId: 'line-1', shipmentState: 'Returned' },
      { key: `${returnId}_2`, lineItemId: 'line-1', shipmentState: 'Returned' },
      { key: `${returnId}_3`, customLineItemId: 'custom-1', shipmentState: 'Returned' },
    ]);
    expect(updates()).toHaveLength(before + 2);
  });

  test('are no news of our return', async () => {
    await act('receive', [acceptedLine('line-1', 2)]);
    expect(await snapshot()).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
    const returnInfo = [...fieldOf<object[]>('returnInfo', []), { items: [item('line-2', 'Advised')] }];
    project.state.order = { ...project.state.order, returnInfo };
    expect(await snapshot()).toMatchObject({ returns: [{ remote: { lines: [{ orderLineId: 'line-2' }] } }] });
  });

  test('get the states of the inspection', async () => {
    const lines = [
      acceptedLine('line-1', 2, {
        found: [
          { outcome: 'accept', disposition: 'restock', quantity: 1 },
          { outcome: 'refuse', disposition: 'return_to_customer', quantity: 1 },
        ],
      }),
      acceptedLine('line-2', 1, { found: [{ outcome: 'accept', disposition: 'destroy', quantity: 1 }] }),
    ];
    expect(await act('inspect', lines)).toMatchObject({ reason: 'units_not_received' });
    await act('receive', lines);
    expect(await act('inspect', lines)).toEqual({ kind: 'confirmed' });
    expect(await act('inspect', lines)).toEqual({ kind: 'confirmed' });
    expect(items()).toMatchObject([
      { shipmentState: 'BackInStock', paymentState: 'Initial' },
      { shipmentState: 'Unusable', paymentState: 'NotRefunded' },
      { shipmentState: 'Unusable', paymentState: 'Initial' },
    ]);
  });

  test('are left to people where the shop has them with another finding', async () => {
    const lines = [acceptedLine('line-1', 1)];
    await act('receive', lines);
    await act('inspect', lines);
    const none = [acceptedLine('line-1', 1, { found: [{ outcome: 'refuse', disposition: 'destroy', quantity: 1 }] })];
    expect(await act('inspect', none)).toMatchObject({ reason: 'units_not_received' });
  });

  test.each([
    [
      'more units there have the finding',
      [item('line-1', 'BackInStock'), item('line-1', 'BackInStock')],
      'units_inspected',
    ],
    ['an item has more units', [item('line-1', 'Returned', { quantity: 2 })], 'units_not_divisible'],
  ])('are left to people where %s', async (_, there, reason) => {
    sell({ returnInfo: [{ items: there.map((found, index) => ({ ...found, key: `${returnId}_${index}` })) }] });
    expect(await act('inspect', [acceptedLine('line-1', 1)])).toMatchObject({ reason });
  });

  test('of a return that began at the shop are only compared', async () => {
    sell({ returnInfo: [{ items: [item('line-1', 'Advised', { key: 'theirs' })] }] });
    const found = await snapshot();
    if (found.kind !== 'snapshot') throw new Error(found.kind);
    const externalId = found.returns[0]?.remote.externalId ?? '';
    const lines = [acceptedLine('line-1', 1)];
    expect(await act('receive', lines, { externalId })).toMatchObject({ reason: 'return_advised' });
    sell({ returnInfo: [{ items: [item('line-1', 'Returned', { key: 'theirs' })] }] });
    expect(await act('receive', lines, { externalId })).toEqual({ kind: 'confirmed' });
    expect(await act('inspect', lines, { externalId })).toEqual({ kind: 'confirmed' });
    expect(items()).toMatchObject([{ shipmentState: 'BackInStock' }]);
  });

  test('that people have written are taken, where the other ones of ours are known', async () => {
    sell({ returnInfo: [{ items: [item('line-1', 'Returned')] }] });
    const lines = [acceptedLine('line-1', 1)];
    expect(await act('receive', lines)).toMatchObject({ reason: 'return_stands' });
    const others = { returns: [], refunds: [] };
    expect(await act('receive', lines, { others })).toMatchObject({ kind: 'confirmed' });
    expect(items()).toHaveLength(1);
  });

  test('of an order id that is none reach no other path', async () => {
    const before = project.requests.length;
    expect(await ask({ ...wantedOf('receive', [acceptedLine('line-1', 1)]), orderId: '../payments/pay-1' })).toEqual({
      kind: 'parked',
      reason: 'shop_order_not_found',
    });
    expect(project.requests).toHaveLength(before);
  });

  test('are at most the ordered units', async () => {
    expect(await act('receive', [acceptedLine('line-2', 2)])).toMatchObject({ reason: 'units_not_returnable' });
    expect(await act('receive', [acceptedLine('line-9', 1)])).toMatchObject({ reason: 'units_not_returnable' });
  });
});

describe('commercetools money', () => {
  const lines = [acceptedLine('line-1', 2)];
  const refund = refundOf(9_000, [{ orderLineId: 'line-1', quantity: 2, gross: 9_000 }]);

  test('waits for the payment service, and marks the units', async () => {
    await act('receive', lines);
    await act('inspect', lines);
    const wanted = wantedOf('refund', lines, { refund });
    expect(await ask(wanted)).toEqual({ kind: 'waiting' });
    project.settle('Success');
    const outcome = await ask({ ...wanted, askedAt: new Date().toISOString() });
    expect(outcome).toEqual({ kind: 'confirmed', externalId: `pay-1:${refunds()[0]?.id}` });
    expect(items().map(({ paymentState }) => paymentState)).toEqual(['Refunded', 'Refunded']);
    expect(await ask(wanted)).toEqual(outcome);
    expect(refunds()).toHaveLength(1);
  });

  test('has the id that the translator reports', async () => {
    const wanted = wantedOf('refund', lines, { refund });
    await ask(wanted);
    project.settle('Success');
    const outcome = await ask(wanted);
    const found = await snapshot();
    if (found.kind !== 'snapshot') throw new Error(found.kind);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: found.refunds[0]?.externalId });
  });

  test('marks no units of another refund', async () => {
    await act('receive', lines);
    await act('inspect', lines);
    const half = refundOf(4_500, [{ orderLineId: 'line-1', quantity: 1, gross: 4_500 }]);
    const wanted = wantedOf('refund', lines, { refund: half });
    await ask(wanted);
    project.settle('Success');
    expect(await ask(wanted)).toMatchObject({ kind: 'confirmed' });
    expect(items().map(({ paymentState }) => paymentState)).toEqual(['Initial', 'Initial']);
  });

  test('is left to people if it fails, is too much, or is in another currency', async () => {
    const wanted = wantedOf('refund', lines, { refund });
    await ask(wanted);
    project.settle('Failure');
    expect(await ask(wanted)).toMatchObject({ reason: 'payment_failed' });
    expect(await act('refund', lines, { refund: refundOf(13_301) })).toMatchObject({
      reason: 'refund_exceeds_payments',
      seen: { ours: 13_301, shop: 13_300, currency: 'EUR' },
    });
    expect(await act('refund', lines, { refund: refundOf(1, [], 'USD') })).toMatchObject({
      reason: 'currency_differs',
    });
  });

  const charge = (id: string, ...amounts: readonly number[]) => ({
    ...payment([], { id }),
    transactions: amounts.map((amount, index) => ({
      id: `${id}-${index}`,
      type: 'Charge',
      state: 'Success',
      amount: money(amount),
    })),
  });

  test('of several payments is taken from the one that has enough, or is left to people', async () => {
    sell(paidBy(charge('small', 3_000), charge('large', 9_000)));
    expect(await act('refund', lines, { refund: refundOf(10_000) })).toMatchObject({ reason: 'several_payments' });
    const wanted = wantedOf('refund', lines, { refund: refundOf(5_000) });
    await ask(wanted);
    project.settle('Success');
    expect(await ask(wanted)).toMatchObject({ externalId: expect.stringMatching(/^large:/) });
  });

  test('waits before another payment is chosen than that of a request without an answer', async () => {
    sell(paidBy(charge('small', 3_000), charge('large', 9_000)));
    project.state.faults.push('late');
    const pauses = [
      () => undefined,
      () => sell(paidBy(charge('small', 3_000, 9_000), charge('large', 9_000))),
      () => project.runLate(),
    ];
    const pause = async () => pauses.shift()?.();
    expect(await ask(wantedOf('refund', lines, { refund: refundOf(5_000) }), pause)).toEqual({ kind: 'waiting' });
    expect(refunds()).toHaveLength(1);
  });

  test('with the same amount as that of people is taken only where the others are known', async () => {
    sell(paidBy(payment([refundNode('by-hand', 9_000)])));
    expect(await act('refund', lines, { refund })).toMatchObject({ reason: 'refund_unclear' });
    expect(await act('refund', lines, { refund, others: { returns: [], refunds: [] } })).toEqual({
      kind: 'confirmed',
      externalId: 'pay-1:by-hand',
    });
    const others = { returns: [], refunds: ['pay-1:by-hand'] };
    expect(await act('refund', lines, { refund: refundOf(4_000), others })).toEqual({ kind: 'waiting' });
    expect(refunds()).toHaveLength(2);
  });
});
