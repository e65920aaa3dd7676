import { describe, expect, test } from 'vitest';
import { effects } from '../../../../lib/shops/platforms/shopify/effects.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import type { WantedLine } from '../../../../lib/shops/platforms/effect.ts';
import { lineWith, nextKey, openShopifyCase, ownReturn, refundOf, worth } from './shopify-case.ts';
import { acceptedLine } from './wanted.ts';

const { shop, store, entry, requests, mutations, orderOf, wantedOf, ask, act, ...sales } = await openShopifyCase();
const { sell, sellLike, lineIdOf, requested, opened } = sales;

const statusOf = (orderId: string) => shop.ledger(orderId).returns.map(({ status }) => status);

/** Reads the refunds of an order as the worker of deliveries does. */
const snapshotOf = async (orderId: string) => {
  const [{ id } = { id: '' }] = shop.ledger(orderId).refunds;
  const body = { admin_graphql_api_id: `gid://shopify/Refund/${id}` };
  const found = await translator.prepare(
    { source: shop.shopDomain, topic: 'refunds/create', body },
    Date.now() + 9_000,
  );
  if (found.kind !== 'snapshot') throw new Error(found.reason);
  return { refunds: [...found.refunds, ...found.returns.flatMap((remote) => remote.refunds)] };
};

describe('Shopify decisions', () => {
  test('approve a request, and find it approved', async () => {
    const { orderId, own } = requested();
    expect(await act('approve', orderId, own)).toEqual({ kind: 'confirmed', externalId: own.externalId });
    expect(statusOf(orderId)).toEqual(['OPEN']);
    expect(await act('approve', orderId, own)).toMatchObject({ kind: 'confirmed' });
    expect(mutations()).toHaveLength(1);
  });

  test('leave a request with other units to people', async () => {
    const { orderId, own } = requested(1);
    const other = { ...own, lines: [acceptedLine(lineIdOf(orderId), 2)] };
    expect(await act('approve', orderId, other)).toMatchObject({ reason: 'units_differ', seen: { ours: 2, shop: 1 } });
  });

  test.each([
    ['final_sale', 'FINAL_SALE'],
    ['window_expired', 'RETURN_PERIOD_ENDED'],
    ['fraud', 'OTHER'],
  ])('reject a request for %s with the reason %s', async (rejection, reason) => {
    const { orderId, own } = requested();
    expect(await act('reject', orderId, { ...own, rejection })).toMatchObject({ kind: 'confirmed' });
    expect(mutations().at(-1)?.variables).toMatchObject({ input: { declineReason: reason, notifyCustomer: false } });
    expect(await act('reject', orderId, own)).toMatchObject({ kind: 'confirmed' });
    expect(await act('approve', orderId, own)).toMatchObject({
      reason: 'return_state_differs',
      seen: { status: 'DECLINED' },
    });
  });

  test('cancel and close a return once', async () => {
    const { orderId, own } = opened(1);
    expect(await act('cancel', orderId, own)).toMatchObject({ kind: 'confirmed' });
    expect(await act('cancel', orderId, own)).toMatchObject({ kind: 'confirmed' });
    const other = opened(1);
    expect(await act('close', other.orderId, other.own)).toMatchObject({ kind: 'confirmed' });
    expect(await act('close', other.orderId, other.own)).toMatchObject({ kind: 'confirmed' });
    expect(mutations()).toHaveLength(2);
  });

  test('cancel no return whose units are processed, and close none that is only requested', async () => {
    const { orderId, own } = opened(1);
    await act('inspect', orderId, own);
    expect(await act('cancel', orderId, own)).toMatchObject({ reason: 'return_processed' });
    const open = requested();
    expect(await act('close', open.orderId, open.own)).toMatchObject({ reason: 'return_state_differs' });
  });

  test.each(['cancel', 'close', 'inspect', 'refund', 'ship'] as const)(
    'do not %s a return of another order, whose id our return was given',
    async (action) => {
      const { orderId, own } = opened(1);
      const other = sell();
      const refund = refundOf(other, [{ orderLineId: lineIdOf(orderId), quantity: 1, gross: 1 }]);
      const parcel = { parcelId: 'par', trackingNumber: 'T1', contents: [] };
      expect(await act(action, other.id, own, { refund, parcel })).toMatchObject({ reason: 'return_of_another_order' });
      expect(mutations()).toEqual([]);
    },
  );

  test('are confirmed without a request where the shop has no return', async () => {
    const { id } = sell();
    const own = ownReturn([acceptedLine(lineIdOf(id), 1)]);
    for (const action of ['reject', 'cancel', 'close'] as const)
      expect(await act(action, id, own)).toEqual({ kind: 'confirmed' });
    expect(requests).toEqual([]);
  });

  test('name the code of a refusal, and no text of the shop', async () => {
    const { orderId, own } = requested();
    const sight = await effects.approve?.see(shop.shopDomain, wantedOf('approve', orderId, own), Date.now() + 9_000);
    shop.move(own.externalId ?? '', { do: 'decline', reason: 'OTHER' });
    if (sight?.ok !== true || sight.value.kind !== 'open') throw new Error('not open');
    expect(await sight.value.send(Date.now() + 9_000)).toEqual({
      ok: false,
      failure: { kind: 'permanent', reason: 'shop_refused:INVALID_STATE' },
    });
  });

  test('wait for the scope', async () => {
    shop.scopes.delete('write_returns');
    const { orderId, own } = requested();
    expect(await act('approve', orderId, own)).toEqual({ kind: 'waiting' });
    expect(statusOf(orderId)).toEqual(['REQUESTED']);
  });
});

describe('Shopify approval of a return that the shop does not have', () => {
  const fresh = (quantity = 1) => {
    const order = sellLike(quantity);
    const at = lineWith(order, quantity);
    return { orderId: order.id, at, own: ownReturn([acceptedLine(lineIdOf(order.id, at), quantity)]) };
  };

  test('creates it with our key, and knows it again', async () => {
    const { orderId, own } = fresh();
    const wanted = wantedOf('approve', orderId, own);
    const outcome = await ask(wanted);
    const [found] = shop.ledger(orderId).returns;
    expect(outcome).toEqual({ kind: 'confirmed', externalId: `gid://shopify/Return/${found?.id}` });
    expect(found?.lines).toMatchObject([{ quantity: 1, note: `returns:${wanted.key}` }]);
    expect(await ask({ ...wanted, askedAt: new Date().toISOString() })).toEqual(outcome);
    expect(shop.ledger(orderId).returns).toHaveLength(1);
  });

  test('takes the return that people made, where the other ones of ours are known', async () => {
    const { orderId, own, at } = fresh(2);
    const gid = shop.makeReturn(orderId, { line: at, quantity: 2 });
    expect(await act('approve', orderId, own)).toMatchObject({ reason: 'return_stands', seen: { returns: [gid] } });
    const others = { returns: [], refunds: [] };
    expect(await act('approve', orderId, own, { others })).toEqual({ kind: 'confirmed', externalId: gid });
  });

  test('creates a second one beside another of ours', async () => {
    const { orderId, own, at } = fresh(2);
    const half = { ...own, lines: [acceptedLine(lineIdOf(orderId, at), 1)] };
    const gid = shop.makeReturn(orderId, { line: at });
    const outcome = await act('approve', orderId, half, { others: { returns: [gid], refunds: [] } });
    expect(outcome).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(orderId).returns).toHaveLength(2);
  });

  test('leaves units that cannot be returned to people', async () => {
    const { id } = orderOf(shop.sell(1, { isSent: false })[0] ?? '');
    expect(await act('approve', id, ownReturn([acceptedLine(lineIdOf(id), 1)]))).toMatchObject({
      reason: 'units_not_returnable',
    });
  });
});

describe('Shopify goods', () => {
  test('are processed at the inspection, with their dispositions', async () => {
    const { orderId, own } = opened(2, {
      found: [
        { outcome: 'accept', disposition: 'restock', quantity: 1 },
        { outcome: 'accept', disposition: 'quarantine', quantity: 1 },
      ],
    });
    expect(await act('receive', orderId, own)).toEqual({ kind: 'deferred', to: 'inspect' });
    expect(await act('inspect', orderId, own)).toMatchObject({ kind: 'confirmed' });
    const [found] = shop.ledger(orderId).returns;
    expect(found).toMatchObject({ status: 'OPEN', lines: [{ processed: 2 }] });
    expect(found?.lines[0]?.dispositions.map(({ type }) => type)).toEqual(['RESTOCKED', 'NOT_RESTOCKED']);
    expect(await act('inspect', orderId, own)).toMatchObject({ kind: 'confirmed' });
    expect(mutations()).toHaveLength(1);
  });

  test('have no disposition without a location, for refused units, and for ours that Shopify has not', async () => {
    store.put({ [shop.shopDomain]: { ...entry, restockLocation: undefined } });
    const { orderId, own } = opened(3, {
      found: [
        { outcome: 'accept', disposition: 'restock', quantity: 1 },
        { outcome: 'accept', disposition: 'destroy', quantity: 1 },
        { outcome: 'refuse', disposition: 'quarantine', quantity: 1 },
      ],
    });
    expect(await act('inspect', orderId, own)).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(orderId).returns).toMatchObject([{ lines: [{ processed: 2, dispositions: [] }] }]);
  });

  test('go with the money where the shop pays', async () => {
    const { orderId, own } = opened(1);
    for (const action of ['receive', 'inspect'] as const)
      expect(await act(action, orderId, own, { paysRefunds: true })).toEqual({ kind: 'deferred', to: 'refund' });
  });

  test('add a parcel once', async () => {
    const { orderId, own } = opened(2);
    const parcel = {
      parcelId: 'par_1',
      trackingNumber: 'T-1',
      contents: [{ orderLineId: own.lines[0]?.orderLineId ?? '', quantity: 2 }],
    };
    expect(await act('ship', orderId, own, { parcel })).toMatchObject({ kind: 'confirmed' });
    expect(await act('ship', orderId, own, { parcel })).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(orderId).returns[0]?.deliveries).toHaveLength(1);
    const more = { ...parcel, trackingNumber: 'T-2' };
    expect(await act('ship', orderId, own, { parcel: more })).toMatchObject({ reason: 'units_not_in_return' });
  });
});

describe('Shopify money of a return', () => {
  const paid = (quantity: number, changes: Partial<WantedLine> = {}) => {
    const found = opened(quantity, changes);
    const gross = worth(found.order, found.at, quantity);
    const [own] = found.own.lines;
    const lines = [{ orderLineId: own?.orderLineId ?? '', quantity, gross }];
    return { ...found, refund: refundOf(found.order, lines) };
  };

  test('is paid with the goods, and closes the return', async () => {
    const { orderId, own, refund } = paid(2);
    const outcome = await act('refund', orderId, own, { refund, paysRefunds: true });
    const { returns, refunds } = shop.ledger(orderId);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: refunds[0]?.id });
    expect(refunds).toHaveLength(1);
    expect(returns).toMatchObject([{ status: 'CLOSED', lines: [{ processed: 2 }] }]);
    expect(await act('refund', orderId, own, { refund, paysRefunds: true })).toEqual(outcome);
    expect(await act('close', orderId, own, { paysRefunds: true })).toMatchObject({ kind: 'confirmed' });
    expect(mutations()).toHaveLength(1);
  });

  test('has the id that the translator reports', async () => {
    const { orderId, own, refund } = paid(1);
    const outcome = await act('refund', orderId, own, { refund, paysRefunds: true });
    const { refunds } = await snapshotOf(orderId);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: refunds[0]?.externalId });
  });

  test('waits for the inspection, and holds the end of the return', async () => {
    const { orderId, own, refund } = paid(1);
    const unseen = { ...own, lines: own.lines.map((item) => ({ ...item, found: [] })) };
    expect(await act('refund', orderId, unseen, { refund, paysRefunds: true })).toEqual({ kind: 'waiting' });
    expect(await act('close', orderId, own, { paysRefunds: true })).toEqual({ kind: 'deferred', to: 'refund' });
    expect(mutations()).toEqual([]);
  });

  test('is left to people where the shop would pay another amount', async () => {
    const { orderId, order, own, refund } = paid(1);
    const less = refundOf(order, refund.lines, { rest: -100 });
    expect(await act('refund', orderId, own, { refund: less, paysRefunds: true })).toMatchObject({
      reason: 'amount_differs',
      seen: { ours: refund.amount.amount - 100, shop: refund.amount.amount },
    });
    const other = { ...refund, amount: { ...refund.amount, currency: 'GBP' } };
    expect(await act('refund', orderId, own, { refund: other })).toMatchObject({ reason: 'currency_differs' });
    const many = refundOf(order, [{ orderLineId: own.lines[0]?.orderLineId ?? '', quantity: 9, gross: 1 }]);
    expect(await act('refund', orderId, own, { refund: many })).toMatchObject({ reason: 'units_not_in_return' });
  });

  test('is left to people where units are processed without it, or are exchanged', async () => {
    const { orderId, own, refund } = paid(1);
    await act('inspect', orderId, own);
    expect(await act('refund', orderId, own, { refund })).toMatchObject({ reason: 'units_processed' });
    const other = paid(1);
    shop.move(other.own.externalId ?? '', { do: 'exchange', quantity: 1, sku: 'X' });
    expect(await act('refund', other.orderId, other.own, { refund: other.refund })).toMatchObject({
      reason: 'return_has_exchange',
    });
  });

  test('of two equal refunds is paid twice, where the first is known', async () => {
    const { orderId, order, at, own } = paid(3);
    const half = (before: number) =>
      refundOf(order, [
        { orderLineId: own.lines[0]?.orderLineId ?? '', quantity: 1, gross: worth(order, at, 1, before) },
      ]);
    const first = await act('refund', orderId, own, { refund: half(0), paysRefunds: true });
    if (first.kind !== 'confirmed' || first.externalId === undefined) throw new Error(first.kind);
    const others = { returns: [], refunds: [first.externalId] };
    const second = await act('refund', orderId, own, { refund: half(1), paysRefunds: true, others });
    expect(second).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(orderId).refunds).toHaveLength(2);
  });

  test('waits for the gateway, and is left to people if it fails', async () => {
    shop.gateway.status = 'PENDING';
    const { orderId, own, refund } = paid(1);
    const wanted = wantedOf('refund', orderId, own, { refund, paysRefunds: true });
    expect(await ask(wanted)).toEqual({ kind: 'waiting' });
    shop.gateway.status = 'FAILURE';
    const other = paid(1);
    expect(await act('refund', other.orderId, other.own, { refund: other.refund })).toMatchObject({
      reason: 'payment_failed',
    });
    expect(shop.ledger(orderId).refunds).toHaveLength(1);
  });
});

describe('Shopify money without a return', () => {
  const sold = () => {
    const order = sellLike(1);
    const gross = worth(order, 0, 1);
    const refund = refundOf(order, [{ orderLineId: lineIdOf(order.id), quantity: 1, gross }]);
    return { order, orderId: order.id, own: ownReturn([acceptedLine(lineIdOf(order.id), 1)]), refund };
  };

  test('is refunded with our key', async () => {
    const { orderId, own, refund } = sold();
    const wanted = wantedOf('refund', orderId, own, { refund });
    const outcome = await ask(wanted);
    const { refunds } = shop.ledger(orderId);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: refunds[0]?.id });
    expect(refunds).toMatchObject([{ note: `returns:${wanted.key}` }]);
    expect(await ask(wanted)).toEqual(outcome);
    expect(mutations()).toHaveLength(1);
  });

  test('has the id that the translator reports', async () => {
    const { orderId, own, refund } = sold();
    const outcome = await act('refund', orderId, own, { refund });
    const { refunds } = await snapshotOf(orderId);
    expect(outcome).toEqual({ kind: 'confirmed', externalId: refunds[0]?.externalId });
  });

  test('on top of a return needs no lines', async () => {
    const { order, orderId, own } = sold();
    const refund = refundOf(order, [], { rest: 500 });
    expect(await act('refund', orderId, own, { refund })).toMatchObject({ kind: 'confirmed' });
    expect(await act('refund', orderId, own, { refund })).toMatchObject({ kind: 'confirmed' });
    expect(shop.ledger(orderId).refunds).toHaveLength(2);
  });

  test('is left to people where a return stands, where the parts or the amount differ, or too much is paid', async () => {
    const { order, orderId, own, refund } = sold();
    const mixed = refundOf(order, refund.lines, { rest: 1 });
    expect(await act('refund', orderId, own, { refund: mixed })).toMatchObject({ reason: 'parts_not_expressible' });
    const wrong = refundOf(order, [{ orderLineId: lineIdOf(orderId), quantity: 1, gross: 1 }]);
    expect(await act('refund', orderId, own, { refund: wrong })).toMatchObject({ reason: 'amount_differs' });
    const much = refundOf(order, [], { rest: 9_999_999 });
    expect(await act('refund', orderId, own, { refund: much })).toMatchObject({ reason: 'refund_exceeds_payments' });
    shop.makeReturn(orderId);
    expect(await act('refund', orderId, own, { refund })).toMatchObject({ reason: 'return_stands' });
    expect(mutations()).toEqual([]);
  });

  test('by people is taken as ours if it has the same units, and else is left to people', async () => {
    const { order, orderId, own, refund } = sold();
    const amount = order.currency === 'JPY' ? String(refund.amount.amount) : undefined;
    const text = amount ?? (refund.amount.amount / 10 ** (order.currency === 'KWD' ? 3 : 2)).toFixed(3);
    shop.refund(orderId, null, { amount: text, line: 0, quantity: 1 });
    const [made] = shop.ledger(orderId).refunds;
    expect(await act('refund', orderId, own, { refund })).toEqual({ kind: 'confirmed', externalId: made?.id });
    const extra = { ...refundOf(order, [], { rest: refund.amount.amount }) };
    expect(await act('refund', orderId, own, { refund: extra })).toMatchObject({ reason: 'refund_unclear' });
    expect(mutations()).toEqual([]);
  });

  test('is rejected under a key of another refund', async () => {
    const { order, orderId, own, refund } = sold();
    const key = nextKey();
    await ask({ ...wantedOf('refund', orderId, own, { refund }), key });
    const other = await effects.refund?.see(
      shop.shopDomain,
      wantedOf('refund', sellLike(1).id, own, { refund: refundOf(order, [], { rest: 1 }), key }),
      Date.now() + 9_000,
    );
    if (other?.ok !== true || other.value.kind !== 'open') throw new Error('not open');
    expect(await other.value.send(Date.now() + 9_000)).toMatchObject({
      failure: { kind: 'permanent', reason: 'shop_refused_query:IDEMPOTENCY_KEY_PARAMETER_MISMATCH' },
    });
  });
});

describe('Shopify cancellation of an order', () => {
  test('cancels an order that is not sent, once', async () => {
    const orderId = shop.sell(1, { isSent: false })[0] ?? '';
    const wanted = wantedOf('cancel_order', orderId, ownReturn([]));
    expect(await ask(wanted)).toEqual({ kind: 'confirmed' });
    expect(await ask(wanted)).toEqual({ kind: 'confirmed' });
    expect(mutations()).toHaveLength(1);
  });

  test('leaves an order that is sent to people', async () => {
    expect(await act('cancel_order', sell().id, ownReturn([]))).toMatchObject({ reason: 'order_shipped' });
  });
});
