import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { translator } from '../../../../lib/shops/platforms/adobe/platform.ts';
import type { Effect, Wanted } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import { type CommerceRows, openCommerce, type Row } from '../../../../lib/tools/local/shops/adobe/shop.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { accessToken, order, rma, rmaItem } from '../adobe-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { drive, type Options, startClock, wordOf } from './drive-intent.ts';
import { wanted, wantedLine, wantedReturn } from './wanted.ts';
import { wireFaults } from './wire-faults.ts';

const rows: CommerceRows = { returns: [], orders: [order()], creditmemos: [], shipments: [], tracks: [] };
const server = await startShopServer({ port: 0, answer: openCommerce({ accessToken, rows }).answer });
const secret = await startPlatformSecret();

afterAll(async () => {
  vi.useRealTimers();
  await server.close();
  await secret.close();
});

/** Puts an RMA of 2 units of the line 31, and other items. */
const put = (over: Row = {}): void => void (rows.returns = [rma(over)]);
const two = (first: Row, second: Row): Row => ({
  items: [rmaItem({ ...first }), rmaItem({ entity_id: 10, order_item_id: 32, qty_requested: 1, ...second })],
});
const state = () => {
  const { status, items } = rows.returns[0] ?? {};
  return { status, items: (items as Row[]).map(({ status: word, qty_authorized: units }) => [word, units]) };
};
const writes = () => server.requests.filter(({ method }) => method === 'PUT');

beforeEach(() => {
  startClock('2026-11-29T12:00:00Z');
  startContainer();
  secret.put({ shop: { accessToken, apiUrl: server.url } });
  server.faults.clear();
  put();
});

const effectOf = (action: EffectAction): Effect => {
  const effect = platformEffects['adobe']?.[action];
  if (effect === undefined) throw new Error(`there is no ${action}`);
  return effect;
};
const intent = (action: EffectAction, units = 2, more: Partial<Wanted> = {}): Wanted =>
  wanted(action, '000000123', {
    return: wantedReturn([wantedLine('31', { quantity: units })], { externalId: '4', rejection: 'outside_window' }),
    ...more,
  });
const run = async (wish: Wanted, options?: Options) => drive(effectOf(wish.action), 'shop', wish, options);

const confirmed = { kind: 'confirmed', externalId: '4' };
const remote = async () => {
  const read = await translator.refetchReturn('shop', '4', Date.now() + 9_000);
  return read.ok ? read.value.status : read.failure.reason;
};

describe('Adobe decision', () => {
  it.each([
    ['approve', { status: 'authorized', items: [['authorized', 2]] }, 'approved'],
    ['reject', { status: 'closed', items: [['denied', null]] }, 'rejected'],
    ['cancel', { status: 'closed', items: [['pending', null]] }, 'cancelled'],
  ] as const)('%s is written once, and read as such', async (action, expected, status) => {
    const before = writes().length;
    expect(await run(intent(action))).toEqual(confirmed);
    expect(state()).toEqual(expected);
    expect(await remote()).toBe(status);
    expect(await run(intent(action))).toEqual(confirmed);
    expect(writes().length - before).toBe(1);
  });

  it('sends the whole RMA, without the comments and tracks that it has', async () => {
    put({ customer_custom_email: 'ann@example.com', tracks: [{ track_number: 'JJD1' }] });
    const whole = { ...rma({ customer_custom_email: 'ann@example.com' }), comments: [], tracks: [] };
    await run(intent('approve'));
    const { rmaDataObject } = JSON.parse(writes().at(-1)?.body ?? '{}') as { rmaDataObject: Row };
    const items = [rmaItem({ status: 'authorized', qty_authorized: 2 })];
    expect(rmaDataObject).toEqual({ ...whole, status: 'authorized', items });
    expect(rows.returns[0]?.['tracks']).toEqual([{ track_number: 'JJD1' }]);
    expect(rows.returns[0]?.['comments']).toEqual(rma()['comments']);
  });

  it('authorises a part of the units, and denies an item without any', async () => {
    put(two({}, {}));
    expect(await run(intent('approve', 1))).toEqual(confirmed);
    const items = [
      ['authorized', 1],
      ['denied', null],
    ];
    expect(state()).toEqual({ status: 'partially_authorized', items });
    expect(await remote()).toBe('approved');
  });

  it.each<readonly [string, EffectAction, Row]>([
    ['units_differ', 'approve', { items: [rmaItem({ qty_requested: 1 })] }],
    ['units_differ', 'approve', two({ qty_requested: 3 }, { order_item_id: 31 })],
    ['return_state_differs', 'approve', { items: [rmaItem({ status: 'denied' })] }],
    ['return_state_differs', 'approve', { items: [rmaItem({ status: 'authorized', qty_authorized: 1 })] }],
    ['return_state_differs', 'approve', { status: 'closed' }],
    ['return_state_differs', 'approve', two({ status: 'authorized' }, {})],
    ['return_state_differs', 'reject', { items: [rmaItem({ status: 'authorized' })] }],
    ['return_state_differs', 'reject', { status: 'closed' }],
    ['return_processed', 'cancel', { items: [rmaItem({ status: 'received', qty_returned: 2 })] }],
    ['return_missing', 'approve', { entity_id: 5 }],
    ['return_of_another_order', 'cancel', { order_increment_id: '000000124' }],
    ['return_line_unreadable', 'reject', { items: [rmaItem({ qty_requested: 0.5 })] }],
  ])('is blocked as %s: %s of %j', async (reason, action, over) => {
    const before = writes().length;
    put(over);
    expect(wordOf(await run(intent(action)))).toBe(reason);
    expect(writes().length).toBe(before);
  });

  it.each(['approve', 'reject', 'cancel'] as const)('%s ends without a return at the shop', async (action) => {
    const before = server.requests.length;
    expect(wordOf(await run(intent(action, 2, { return: wantedReturn([]) })))).toBe('action_unsupported');
    const other = wantedReturn([], { externalId: '4/../5' });
    expect(wordOf(await run(intent(action, 2, { return: other })))).toBe('return_missing');
    expect(server.requests.length).toBe(before);
  });

  it('is done when a clerk does the same by hand', async () => {
    const before = writes().length;
    put({ status: 'authorized', items: [rmaItem({ status: 'authorized', qty_authorized: 2 })] });
    expect(await run(intent('approve'))).toEqual(confirmed);
    expect(writes().length).toBe(before);
  });

  it('does not overwrite what a clerk changes between the read and the request', async () => {
    let isFirst = true;
    const before = (step: 'read' | 'request') => {
      if (step === 'request' && isFirst) put({ items: [rmaItem({ status: 'denied' })] });
      if (step === 'request') isFirst = false;
    };
    expect(wordOf(await run(intent('approve'), { before }))).toBe('return_state_differs');
    expect(state()).toEqual({ status: 'pending', items: [['denied', null]] });
  });

  it('waits for a token that may not write', async () => {
    secret.put({ shop: { accessToken: 'another', apiUrl: server.url } });
    const sight = await effectOf('approve').see('shop', intent('approve'), Date.now() + 9_000);
    expect(sight).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_401' } });
  });
});

const stored: readonly WireFault[] = [...wireFaults, { status: 400, carriedOut: true }];

describe('Adobe decision with a fault', () => {
  it.each(stored)('%j is written', async (fault) => {
    server.faults.push(fault);
    expect(await run(intent('approve'))).toEqual(confirmed);
    server.carryOutLate();
    expect(state()).toEqual({ status: 'authorized', items: [['authorized', 2]] });
  });

  it('of the network is sent again only when the first request can no longer arrive', async () => {
    const effect = effectOf('approve');
    const askedAt = new Date().toISOString();
    const see = async () => effect.see('shop', intent('approve', 2, { askedAt }), Date.now() + 9_000);
    expect(await see()).toMatchObject({ value: { kind: 'pending' } });
    vi.setSystemTime(Date.now() + effect.settleMs);
    expect(await see()).toMatchObject({ value: { kind: 'open' } });
  });

  it('is throttled, and written then', async () => {
    server.faults.push({ status: 429, carriedOut: false });
    expect(await run(intent('approve'))).toEqual(confirmed);
  });

  it('that Commerce rejects is parked with the status', async () => {
    server.faults.push({ status: 400, carriedOut: false });
    expect(wordOf(await run(intent('approve')))).toBe('shop_status_400');
  });
});
