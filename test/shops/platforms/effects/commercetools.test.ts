import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Effects, Wanted, WantedLine, WantedRefund } from '../../../../lib/shops/platforms/effect.ts';
import { effects } from '../../../../lib/shops/platforms/commercetools/effects.ts';
import { translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { UpdateFault } from '../../../../lib/tools/local/shops/commercetools/project.ts';
import { runs } from '../../../support/samples.ts';
import {
  item,
  money,
  orderNode,
  paidBy,
  payment,
  refund as refundNode,
  startProject,
} from '../commercetools-project.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { drive, type Outcome } from './driver.ts';

const projectKey = 'nl-unittests-dev';
const project = await startProject(projectKey);
const store = await startPlatformSecret();
store.put({ [projectKey]: project.entry() });
const orderId = String(orderNode()['id']);
const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';

afterAll(async () => {
  await project.close();
  await store.close();
});
beforeEach(() => {
  startContainer();
  sell();
  project.state.faults.splice(0);
});

type Item = { readonly key?: string; readonly lineItemId?: string; readonly customLineItemId?: string } & Record<
  'shipmentState' | 'paymentState',
  string
>;
type Transaction = {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly amount: { centAmount: number };
};

const sell = (changes: Record<string, unknown> = {}) => {
  project.state.order = orderNode({ ...paidBy(payment([])), ...changes });
};
/** Returns a field of the order. */
const fieldOf = <Value>(name: string, absent: Value): Value => (project.state.order?.[name] ?? absent) as Value;
const items = (): readonly Item[] => fieldOf<{ items: Item[] }[]>('returnInfo', []).flatMap((info) => info.items);
const refunds = (): readonly Transaction[] =>
  fieldOf<{ payments: { obj: { transactions: Transaction[] } }[] }>('paymentInfo', { payments: [] })
    .payments.flatMap(({ obj }) => obj.transactions)
    .filter(({ type }) => type === 'Refund');
const updates = () => project.requests.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token');

let count = 0;
const line = (orderLineId: string, quantity: number, changes: Partial<WantedLine> = {}): WantedLine => ({
  lineId: `rln_${orderLineId}`,
  orderLineId,
  quantity,
  received: quantity,
  found: [{ outcome: 'accept', disposition: 'restock', quantity }],
  reason: 'other',
  ...changes,
});
const refundOf = (amount: number, lines: WantedRefund['lines'] = [], currency = 'EUR'): WantedRefund => ({
  refundId: 'rfd_1',
  amount: { amount, currency },
  lines,
  shipping: 0,
  rest: amount,
});
const wantedOf = (
  action: keyof Effects,
  lines: readonly WantedLine[],
  { externalId, ...changes }: Partial<Wanted> & { readonly externalId?: string } = {},
): Wanted => ({
  key: `intent-${(count += 1)}`,
  action,
  orderId,
  return: {
    returnId,
    rmaNumber: 'R-1',
    requestedAt: '2026-11-05T08:00:00.000Z',
    lines,
    ...(externalId !== undefined && { externalId }),
  },
  paysRefunds: true,
  ...changes,
});
const ask = async (wanted: Wanted, pause?: () => Promise<void>): Promise<Outcome> => {
  const effect = effects[wanted.action];
  if (effect === undefined) throw new Error(`commercetools has no ${wanted.action}`);
  return drive(effect, projectKey, wanted, pause);
};
const act = async (...parts: Parameters<typeof wantedOf>) => ask(wantedOf(...parts));

const snapshot = async () => {
  const body = {
    notificationType: 'Message',
    projectKey,
    type: 'ReturnInfoAdded',
    resource: { typeId: 'order', id: orderId },
  };
  return translator.prepare({ source: projectKey, topic: 'ReturnInfoAdded', body }, Date.now() + 20_000);
};

describe('commercetools goods', () => {
  test('are written when they arrive, each unit with a key, in parts', async () => {
    const before = updates().length;
    expect(await act('receive', [line('line-1', 2, { received: 1 })])).toEqual({ status: 'confirmed' });
    const all = [line('line-1', 2), line('custom-1', 1)];
    expect(await act('receive', all)).toEqual({ status: 'confirmed' });
    expect(await act('receive', all)).toEqual({ status: 'confirmed' });
    expect(items()).toMatchObject([
      { key: `${returnId}_1`, lineItemId: 'line-1', shipmentState: 'Returned' },
      { key: `${returnId}_2`, lineItemId: 'line-1', shipmentState: 'Returned' },
      { key: `${returnId}_3`, customLineItemId: 'custom-1', shipmentState: 'Returned' },
    ]);
    expect(updates()).toHaveLength(before + 2);
  });

  test('are no news of our return', async () => {
    await act('receive', [line('line-1', 2)]);
    expect(await snapshot()).toEqual({ kind: 'ignored', reason: 'nothing_returned' });
    const returnInfo = [...fieldOf<object[]>('returnInfo', []), { items: [item('line-2', 'Advised')] }];
    project.state.order = { ...project.state.order, returnInfo };
    expect(await snapshot()).toMatchObject({ returns: [{ remote: { lines: [{ orderLineId: 'line-2' }] } }] });
  });

  test('get the states of the inspection', async () => {
    const lines = [
      line('line-1', 2, {
        found: [
          { outcome: 'accept', disposition: 'restock', quantity: 1 },
          { outcome: 'refuse', disposition: 'return_to_customer', quantity: 1 },
        ],
      }),
      line('line-2', 1, { found: [{ outcome: 'accept', disposition: 'destroy', quantity: 1 }] }),
    ];
    expect(await act('inspect', lines)).toMatchObject({ reason: 'units_not_received' });
    await act('receive', lines);
    expect(await act('inspect', lines)).toEqual({ status: 'confirmed' });
    expect(await act('inspect', lines)).toEqual({ status: 'confirmed' });
    expect(items()).toMatchObject([
      { shipmentState: 'BackInStock', paymentState: 'Initial' },
      { shipmentState: 'Unusable', paymentState: 'NotRefunded' },
      { shipmentState: 'Unusable', paymentState: 'Initial' },
    ]);
  });

  test('are left to people where the shop has them with another finding', async () => {
    const lines = [line('line-1', 1)];
    await act('receive', lines);
    await act('inspect', lines);
    const none = [line('line-1', 1, { found: [{ outcome: 'refuse', disposition: 'destroy', quantity: 1 }] })];
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
    expect(await act('inspect', [line('line-1', 1)])).toMatchObject({ reason });
  });

  test('of a return that began at the shop are only compared', async () => {
    sell({ returnInfo: [{ items: [item('line-1', 'Advised', { key: 'theirs' })] }] });
    const found = await snapshot();
    if (found.kind !== 'snapshot') throw new Error(found.kind);
    const externalId = found.returns[0]?.remote.externalId ?? '';
    const lines = [line('line-1', 1)];
    expect(await act('receive', lines, { externalId })).toMatchObject({ reason: 'return_advised' });
    sell({ returnInfo: [{ items: [item('line-1', 'Returned', { key: 'theirs' })] }] });
    expect(await act('receive', lines, { externalId })).toEqual({ status: 'confirmed' });
    expect(await act('inspect', lines, { externalId })).toEqual({ status: 'confirmed' });
    expect(items()).toMatchObject([{ shipmentState: 'BackInStock' }]);
  });

  test('that people have written are taken, where the other ones of ours are known', async () => {
    sell({ returnInfo: [{ items: [item('line-1', 'Returned')] }] });
    const lines = [line('line-1', 1)];
    expect(await act('receive', lines)).toMatchObject({ reason: 'return_stands' });
    const others = { returns: [], refunds: [] };
    expect(await act('receive', lines, { others })).toMatchObject({ status: 'confirmed' });
    expect(items()).toHaveLength(1);
  });

  test('are at most the ordered units', async () => {
    expect(await act('receive', [line('line-2', 2)])).toMatchObject({ reason: 'units_not_returnable' });
    expect(await act('receive', [line('line-9', 1)])).toMatchObject({ reason: 'units_not_returnable' });
  });
});

describe('commercetools money', () => {
  const lines = [line('line-1', 2)];
  const refund = refundOf(9_000, [{ orderLineId: 'line-1', quantity: 2, gross: 9_000 }]);

  test('waits for the payment service, and marks the units', async () => {
    await act('receive', lines);
    await act('inspect', lines);
    const wanted = wantedOf('refund', lines, { refund });
    expect(await ask(wanted)).toEqual({ status: 'waiting' });
    project.settle('Success');
    const outcome = await ask({ ...wanted, askedAt: new Date().toISOString() });
    expect(outcome).toEqual({ status: 'confirmed', externalId: `pay-1:${refunds()[0]?.id}` });
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
    expect(outcome).toEqual({ status: 'confirmed', externalId: found.refunds[0]?.externalId });
  });

  test('marks no units of another refund', async () => {
    await act('receive', lines);
    await act('inspect', lines);
    const half = refundOf(4_500, [{ orderLineId: 'line-1', quantity: 1, gross: 4_500 }]);
    const wanted = wantedOf('refund', lines, { refund: half });
    await ask(wanted);
    project.settle('Success');
    expect(await ask(wanted)).toMatchObject({ status: 'confirmed' });
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
    expect(await ask(wantedOf('refund', lines, { refund: refundOf(5_000) }), pause)).toEqual({ status: 'waiting' });
    expect(refunds()).toHaveLength(1);
  });

  test('with the same amount as that of people is taken only where the others are known', async () => {
    sell(paidBy(payment([refundNode('by-hand', 9_000)])));
    expect(await act('refund', lines, { refund })).toMatchObject({ reason: 'refund_unclear' });
    expect(await act('refund', lines, { refund, others: { returns: [], refunds: [] } })).toEqual({
      status: 'confirmed',
      externalId: 'pay-1:by-hand',
    });
    const others = { returns: [], refunds: ['pay-1:by-hand'] };
    expect(await act('refund', lines, { refund: refundOf(4_000), others })).toEqual({ status: 'waiting' });
    expect(refunds()).toHaveLength(2);
  });
});

const faults: readonly UpdateFault[] = [
  'cut_before',
  'cut_after',
  'late',
  'failed_after',
  'rejected_after',
  'conflict',
  'throttled',
];

describe.each(faults)('commercetools with the fault %s', (fault) => {
  test('writes goods and money once', async () => {
    const lines = [line('line-1', 2)];
    const pause = async () => project.runLate();
    for (const action of ['receive', 'inspect'] as const) {
      project.state.faults.push(fault);
      expect(await ask(wantedOf(action, lines), pause)).toEqual({ status: 'confirmed' });
    }
    const wanted = wantedOf('refund', lines, {
      refund: refundOf(9_000, [{ orderLineId: 'line-1', quantity: 2, gross: 9_000 }]),
    });
    project.state.faults.push(fault);
    expect(await ask(wanted, pause)).toEqual({ status: 'waiting' });
    project.settle('Success');
    project.state.faults.push(fault);
    expect(await ask({ ...wanted, askedAt: new Date().toISOString() }, pause)).toMatchObject({ status: 'confirmed' });
    expect(items()).toHaveLength(2);
    expect(refunds()).toHaveLength(1);
  });
});

/** A random life of a return, in steps. */
const story = fc.record({
  steps: fc.array(
    fc.record({ received: fc.nat(1), restocked: fc.boolean(), accepted: fc.boolean(), pays: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  ),
  faults: fc.array(fc.option(fc.constantFrom(...faults.filter((fault) => fault !== 'throttled'))), { maxLength: 14 }),
  runsLate: fc.array(fc.boolean(), { maxLength: 40 }),
});

describe('commercetools', () => {
  test('has each effect once, and nothing of the money is left to people', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ steps, faults: planned, runsLate }) => {
        sell({ lineItems: [{ id: 'line-1', quantity: 4, totalPrice: { centAmount: 13_300, currencyCode: 'EUR' } }] });
        project.state.faults.splice(0);
        let [step, pauses, received, paid] = [0, 0, 0, 0];
        const found: WantedLine['found'][number][] = [];
        const pause = async () => {
          if (runsLate[(pauses += 1)] ?? true) project.runLate();
        };
        const request = async (wanted: Wanted) => {
          const fault = planned[(step += 1)] ?? null;
          if (fault !== null) project.state.faults.push(fault);
          const outcome = await ask(wanted, pause);
          project.state.faults.splice(0);
          project.runLate();
          return outcome;
        };
        for (const { received: units, restocked, accepted, pays } of steps) {
          received += units;
          const now = () => [line('line-1', 4, { received, found: [...found] })];
          expect(await request(wantedOf('receive', now()))).toEqual({ status: 'confirmed' });
          if (units > 0)
            found.push({
              outcome: accepted ? 'accept' : 'refuse',
              disposition: restocked ? 'restock' : 'destroy',
              quantity: units,
            });
          expect(await request(wantedOf('inspect', now()))).toEqual({ status: 'confirmed' });
          if (!pays) continue;
          const refund = refundOf(1_000, [{ orderLineId: 'line-1', quantity: 1, gross: 1_000 }]);
          const wanted = wantedOf('refund', now(), { refund });
          await request(wanted);
          project.settle('Success');
          expect(await request({ ...wanted, askedAt: new Date().toISOString() })).toMatchObject({
            status: 'confirmed',
          });
          paid += 1;
        }
        expect(items()).toHaveLength(received);
        expect(items().filter(({ shipmentState }) => shipmentState === 'Returned')).toEqual([]);
        expect(items().filter(({ paymentState }) => paymentState === 'NotRefunded')).toHaveLength(
          found.filter(({ outcome }) => outcome === 'refuse').length,
        );
        expect(refunds()).toHaveLength(paid);
      }),
      { numRuns: runs(100) },
    );
  });
});
