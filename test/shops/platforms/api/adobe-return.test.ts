import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fieldErrors } from '../field-errors.ts';
import { accessToken, event, order, rma, rmaItem, startAdobe, topic } from '../adobe-shop.ts';
import { newCase, sync, outcomeOf } from '../synced-case.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/adobe/platform.ts';

const adobe = await startAdobe();
const store = await startPlatformSecret();
store.put({ main: adobe.entry, second: { ...adobe.entry, orderPlatform: 'adobe-two' } });

beforeEach(() => {
  adobe.answers.clear();
  adobe.rows.returns = [rma()];
  adobe.rows.orders = [order()];
  adobe.rows.tracks = [];
});
afterAll(async () => {
  await adobe.close();
  await store.close();
});

const soon = () => Date.now() + 20_000;
const prepare = async (name = 'rma_save_commit_after', id: unknown = 4) =>
  translator.prepare(
    { source: 'main', topic: topic(name), body: event(name, { entity_id: id, order_id: 12 }) },
    soon(),
  );
const prepared = async (name?: string) => {
  const outcome = await prepare(name);
  if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
  return outcome;
};
const fetchRemoteReturn = async () => {
  const [{ remote } = {}] = (await prepared()).returns;
  if (remote === undefined) throw new Error('no return');
  return remote;
};
/** Returns the remote snapshot of a return in this state, with items in these states. */
const fetchReturnAs = async (status: string, ...items: readonly Record<string, unknown>[]) => {
  adobe.rows.returns = [
    rma({
      status,
      items: items.map((item, index) => rmaItem({ entity_id: 9 + index, order_item_id: 31 + index, ...item })),
    }),
  ];
  return fetchRemoteReturn();
};

describe('Adobe Commerce return', () => {
  test('has its order, and a reason with the shop’s label', async () => {
    const { order: facts, returns, refunds } = await prepared();
    expect(facts).toMatchObject({ platform: 'adobe', orderId: '000000123', number: '000000123' });
    expect(refunds).toEqual([]);
    expect(returns).toEqual([
      {
        refunds: [],
        remote: {
          platform: 'adobe',
          externalId: '4',
          orderId: '000000123',
          status: 'requested',
          createdAt: '2026-11-03T09:15:00.000Z',
          fetchedAt: expect.any(String),
          initiatedBy: 'customer',
          lines: [
            {
              orderLineId: '31',
              quantity: 2,
              reason: {
                code: 'fit.other',
                note: 'The sleeves are too short.',
                source: { system: 'adobe', code: '5', label: 'Wrong Size' },
              },
              condition: 'unopened',
              resolution: 'store_credit',
            },
          ],
          parcels: [],
          units: [],
        },
      },
    ]);
  });

  test('passes the schema of the contract with its order', async () => {
    const { order: facts, returns } = await prepared();
    expect(fieldErrors('registerOrder', facts)).toEqual([]);
    const request = { order: { platform: 'adobe', orderId: facts.orderId }, lines: returns[0]?.remote.lines };
    expect(fieldErrors('createReturn', request)).toEqual([]);
  });

  test.each([
    ['pending', [{ status: 'pending' }], 'requested'],
    ['authorized', [{ status: 'authorized', qty_authorized: 2 }], 'approved'],
    ['partially_authorized', [{ status: 'authorized' }, { status: 'denied' }], 'approved'],
    // The other item is undecided, and would count as approved.
    ['partially_authorized', [{ status: 'authorized' }, { status: 'pending' }], 'requested'],
    ['received_on_item', [{ status: 'received' }, { status: 'pending' }], 'approved'],
    ['pending', [{ status: 'pending' }, { status: 'denied' }], 'requested'],
    ['received', [{ status: 'received', qty_returned: 2 }], 'approved'],
    ['approved_on_item', [{ status: 'approved' }, { status: 'received' }], 'approved'],
    ['rejected_on_item', [{ status: 'rejected' }, { status: 'received' }], 'approved'],
    ['closed', [{ status: 'denied' }, { status: 'denied' }], 'rejected'],
    ['denied', [{ status: 'denied' }], 'rejected'],
    ['authorized', [{ status: 'authorized', qty_authorized: 0 }], 'rejected'],
    ['closed', [{ status: 'pending' }], 'cancelled'],
    ['closed', [{ status: 'authorized' }], 'cancelled'],
    ['closed', [{ status: 'received' }], 'completed'],
    ['closed', [{ status: 'rejected' }], 'completed'],
    ['processed_closed', [{ status: 'approved' }], 'completed'],
    ['PROCESSED_AND_CLOSED', [{ status: 'APPROVED' }], 'completed'],
    ['a word of tomorrow', [{ status: 'authorized' }], 'approved'],
    // An unknown status counts as the earliest one, unless a quantity proves more.
    ['a word of tomorrow', [{ status: 'another' }], 'requested'],
    ['a word of tomorrow', [{ status: 'another', qty_authorized: 1 }], 'approved'],
    ['a word of tomorrow', [{ status: 'another', qty_returned: 1 }], 'approved'],
    ['pending', [{ status: null }], 'requested'],
    ['authorized', [{ status: null }], 'approved'],
    [null, [{ status: null }], 'requested'],
  ] as const)('in the state %s with %j is %s', async (word, items, status) => {
    expect(await fetchReturnAs(word as string, ...items)).toMatchObject({ status });
  });

  const quarantined = (outcome: 'accept' | 'refuse', quantity: number) => ({
    outcome,
    disposition: 'quarantine',
    quantity,
  });
  test.each([
    [{ status: 'authorized', qty_authorized: 1 }, 1, undefined],
    [{ status: 'received', qty_authorized: 2 }, 2, { received: 2, found: [] }],
    [{ status: 'received', qty_authorized: '2.0000', qty_returned: '1.0000' }, 2, { received: 1, found: [] }],
    [{ status: 'approved', qty_returned: 2, qty_approved: 2 }, 2, { received: 2, found: [quarantined('accept', 2)] }],
    [
      { status: 'approved', qty_returned: 2, qty_approved: 1 },
      2,
      { received: 2, found: [quarantined('accept', 1), quarantined('refuse', 1)] },
    ],
    [{ status: 'approved', qty_approved: 1 }, 2, { received: 1, found: [quarantined('accept', 1)] }],
    [{ status: 'approved', qty_returned: 0, qty_approved: 2 }, 2, { received: 2, found: [quarantined('accept', 2)] }],
    [{ status: 'rejected', qty_returned: 2 }, 2, { received: 2, found: [quarantined('refuse', 2)] }],
    // More units arrived than were authorized, but not more than were requested.
    [{ status: 'received', qty_authorized: 1, qty_returned: 9 }, 2, { received: 2, found: [] }],
    [{ status: 'another', qty_returned: 2, qty_approved: 1 }, 2, { received: 2, found: [quarantined('accept', 1)] }],
  ] as const)('with the item %j has %s units, received: %j', async (item, quantity, came) => {
    const { lines, units } = await fetchReturnAs('received_on_item', item);
    expect(lines[0]?.quantity).toBe(quantity);
    expect(units).toEqual(came === undefined ? [] : [{ orderLineId: '31', missing: 0, ...came }]);
  });

  test('sums the items that were split from one line', async () => {
    const { lines, units } = await fetchReturnAs(
      'approved_on_item',
      { qty_requested: 1, status: 'approved', qty_approved: 1 },
      { qty_requested: 1, status: 'rejected', order_item_id: 31 },
      { qty_requested: 1, status: 'denied', order_item_id: 31 },
    );
    expect(lines.map(({ quantity }) => quantity)).toEqual([1, 1]);
    expect(units).toEqual([
      { orderLineId: '31', received: 2, missing: 0, found: [quarantined('accept', 1), quarantined('refuse', 1)] },
    ]);
  });

  test('that is closed with received goods omits items that were never authorized', async () => {
    const { lines } = await fetchReturnAs(
      'closed',
      { status: 'received' },
      { status: 'pending' },
      { status: 'authorized' },
    );
    expect(lines.map(({ orderLineId }) => orderLineId)).toEqual(['31', '33']);
  });

  test('has the tracking numbers of its response, or those of their own endpoint', async () => {
    const track = { entity_id: 1, rma_entity_id: 4, track_number: 'T1', carrier_title: 'DHL', carrier_code: 'dhl' };
    const authorized = { status: 'authorized', items: [rmaItem({ status: 'authorized' })] };
    adobe.rows.returns = [rma({ ...authorized, tracks: [track, { ...track, entity_id: 2 }, { track_number: ' ' }] })];
    expect((await fetchRemoteReturn()).parcels).toEqual([{ trackingNumber: 'T1', carrier: 'DHL' }]);
    adobe.rows.returns = [rma({ ...authorized, tracks: null })];
    adobe.rows.tracks = [{ ...track, carrier_title: null }];
    expect((await fetchRemoteReturn()).parcels).toEqual([{ trackingNumber: 'T1', carrier: 'dhl' }]);
    adobe.answers.set('/rest/all/V1/returns/4/tracking-numbers', { status: 404, body: '{}' });
    expect((await fetchRemoteReturn()).parcels).toEqual([]);
  });

  test('has the end date of the last comment with the end status', async () => {
    const comments = [
      { comment: 'x', admin: true, status: 'processed_closed', created_at: '2026-11-12 07:00:00' },
      { comment: 'y', admin: true, status: 'closed', created_at: '2026-11-13 07:00:00' },
      { comment: 'z', admin: true, status: 'closed', created_at: 'yesterday' },
    ];
    adobe.rows.returns = [rma({ status: 'closed', items: [rmaItem({ status: 'rejected' })], comments })];
    expect((await fetchRemoteReturn()).closedAt).toBe('2026-11-13T07:00:00.000Z');
  });

  test('is refetched from its shop', async () => {
    const refetched = await translator.refetchReturn('second', '4', soon());
    expect(refetched).toMatchObject({ ok: true, value: { externalId: '4', platform: 'adobe-two' } });
    expect(await translator.refetchReturn('main', '5', soon())).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_status_404' },
    });
    expect(await translator.refetchReturn('main', '../orders/12', soon())).toMatchObject({ ok: false });
    expect(await translator.refetchReturn('unknown', '4', soon())).toMatchObject({
      failure: { reason: 'unknown_source' },
    });
  });

  test('without an order number reads the number from the order', async () => {
    adobe.rows.returns = [rma({ order_increment_id: null })];
    expect((await fetchRemoteReturn()).orderId).toBe('000000123');
  });

  test.each([
    [{ items: [] }, 'return_without_lines'],
    [{ items: [rmaItem({ qty_requested: '1.5000' })] }, 'return_line_unreadable'],
    [{ items: [rmaItem({ qty_requested: null })] }, 'return_line_unreadable'],
    [{ items: [rmaItem({ order_item_id: 2 ** 53 })] }, 'return_line_unreadable'],
    [{ items: Array.from({ length: 201 }, () => rmaItem()) }, 'return_too_large'],
    [{ order_id: null }, 'return_unreadable'],
  ])('with %j is parked', async (over, reason) => {
    adobe.rows.returns = [rma(over)];
    expect(await prepare()).toEqual({ kind: 'parked', reason });
  });
});

describe('Adobe Commerce return reason', () => {
  const reasonOf = async (item: Record<string, unknown>) => (await fetchReturnAs('pending', item)).lines[0];

  test.each([
    ['4', 'preference.color'],
    ['5', 'fit.other'],
    ['6', 'condition.defective'],
    // A custom label of the shop.
    ['7', 'other'],
    // An option without a label, and no option.
    ['99', 'unknown'],
    [null, 'unknown'],
    ['', 'unknown'],
  ])('for the option %j is %s', async (reason, code) => {
    expect((await reasonOf({ reason }))?.reason).toMatchObject({ code });
  });

  test('has the note of the item, or else that of the return', async () => {
    const custom_attributes = [{ attribute_code: 'reason_other', value: 'Not my style' }];
    expect((await reasonOf({ custom_attributes }))?.reason.note).toBe('Not my style');
  });

  test('omits a custom resolution and condition of the shop', async () => {
    expect(await reasonOf({ resolution: '12', condition: '99' })).not.toHaveProperty('resolution');
    expect(await reasonOf({ resolution: '12', condition: '99' })).not.toHaveProperty('condition');
  });

  test('reads the labels once for many returns', async () => {
    const labelRequests = () =>
      adobe.requests.filter(({ path }) => path.endsWith('/returnsAttributeMetadata/reason')).length;
    await reasonOf({});
    const before = labelRequests();
    for (let count = 0; count < 5; count += 1) await reasonOf({});
    expect(labelRequests()).toBe(before);
  });
});

describe('Adobe Commerce prepare', () => {
  // mageos-common-async-events#10: an event before the commit may arrive before the shop has the return.
  test('mageos-common-async-events#10: retries when the event arrives before the commit', async () => {
    adobe.rows.returns = [];
    expect(await prepare('rma_save_after')).toEqual({ kind: 'retry', reason: 'not_committed_yet' });
    expect(await prepare('rma_save_commit_after')).toEqual({ kind: 'parked', reason: 'shop_status_404' });
  });

  test('retries a temporary failure and parks a permanent one', async () => {
    const path = '/rest/all/V1/returns/4';
    adobe.answers.set(path, { status: 403, body: '{}' });
    expect(await prepare()).toEqual({ kind: 'retry', reason: 'shop_status_403' });
    adobe.answers.set(path, { status: 400, body: '{}' });
    expect(await prepare()).toEqual({ kind: 'parked', reason: 'shop_status_400' });
  });

  test('sends the token only to the shop, in a header', async () => {
    await prepare();
    const apiRequests = adobe.requests.filter(({ path }) => path.startsWith('/rest/'));
    expect(apiRequests.every(({ headers }) => headers.authorization === `Bearer ${accessToken}`)).toBe(true);
    expect(apiRequests.every(({ path }) => !path.includes(accessToken))).toBe(true);
  });
});

describe('synced Adobe Commerce return', () => {
  const life = [
    ['pending', { status: 'pending' }],
    ['authorized', { status: 'authorized', qty_authorized: 2 }],
    ['received', { status: 'received', qty_authorized: 2, qty_returned: 2 }],
    ['processed_closed', { status: 'approved', qty_authorized: 2, qty_returned: 2, qty_approved: 1 }],
  ] as const;

  test('reaches the same state by all snapshots as by only the last', async () => {
    const snapshots = [];
    for (const [word, item] of life) snapshots.push(await fetchReturnAs(word, { ...item, order_item_id: 1 }));
    const [first, last] = [snapshots[0], snapshots.at(-1)];
    if (first === undefined || last === undefined) throw new Error('nothing seen');
    const all = snapshots.reduce((one, next) => sync(one, next).case, newCase(first));
    expect(outcomeOf(all)).toEqual(outcomeOf(sync(newCase(last), last).case));
    expect(outcomeOf(all)).toMatchObject({ status: 'completed', lines: { '1': { received: 2, accepted: 1 } } });
    expect(sync(all, last).steps).toEqual([]);
  });

  test.each([
    ['closed', { status: 'denied' }, 'rejected'],
    ['closed', { status: 'pending' }, 'cancelled'],
    ['closed', { status: 'authorized' }, 'cancelled'],
  ] as const)('in the state %s with %j becomes %s', async (word, item, status) => {
    const pending = await fetchReturnAs('pending', { order_item_id: 1 });
    const ended = await fetchReturnAs(word, { ...item, order_item_id: 1 });
    expect(outcomeOf(sync(newCase(pending), ended).case).status).toBe(status);
  });
});
