import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import type { Effect, Wanted } from '../../../../lib/shops/platforms/effect.ts';
import { platformEffects } from '../../../../lib/shops/platforms/effects.ts';
import { translator } from '../../../../lib/shops/platforms/vtex/platform.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { type Document, openAccount } from '../../../../lib/tools/local/shops/vtex/account.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { item, order, request, requestId, step } from '../vtex-account.ts';
import { drive, type Options, startClock, wordOf } from './drive-intent.ts';
import { keyOf, wanted, wantedLine, wantedReturn } from './wanted.ts';
import { wireFaults } from './wire-faults.ts';

const keys = { appKey: 'vtexappkey-acme', appToken: 'app-token' };
const account = openAccount({ ...keys, clock: () => Date.now() });
const server = await startShopServer({ port: 0, answer: account.answer });
const secret = await startPlatformSecret();

afterAll(async () => {
  vi.useRealTimers();
  await server.close();
  await secret.close();
});

const orderId = String(order()['orderId']);
const orderLineId = String(item()['uniqueId']);

/** Puts a request of 2 units. */
const put = (status = 'new', more: Document = {}): void =>
  void account.requests.set(
    requestId,
    request({ status, refundStatusData: [step(status, '2026-10-11T10:00:00.000Z')], ...more }),
  );
const stored = () => account.requests.get(requestId) as { status: string; refundStatusData: Document[] };
const writes = () => server.requests.filter(({ method }) => method === 'PUT');

beforeEach(() => {
  startClock('2026-11-29T12:00:00Z');
  startContainer();
  secret.put({ acme: { ...keys, apiUrl: server.url, returnsUrl: server.url } });
  server.faults.clear();
  account.orders.set(orderId, order());
  put();
});

const effectOf = (action: EffectAction): Effect => {
  const effect = platformEffects['vtex']?.[action];
  if (effect === undefined) throw new Error(`there is no ${action}`);
  return effect;
};
const intent = (action: EffectAction, units = 2, more: Partial<Wanted> = {}): Wanted =>
  wanted(action, orderId, {
    return: wantedReturn([wantedLine(orderLineId, { quantity: units })], {
      externalId: requestId,
      rejection: 'outside_window',
    }),
    ...more,
  });
const run = async (wish: Wanted, options?: Options) => drive(effectOf(wish.action), 'acme', wish, options);

const confirmed = { kind: 'confirmed', externalId: requestId };
const commentsOf = (status: string) =>
  stored().refundStatusData.find((found) => found['status'] === status)?.['comments'] as Document[] | undefined;

describe('VTEX decision', () => {
  it.each([
    ['approve', 'processing', 'Return RMA-1 approved.', 'approved'],
    ['reject', 'denied', 'Return RMA-1 rejected (outside_window).', 'rejected'],
    ['cancel', 'cancelled', 'Return RMA-1 cancelled.', 'cancelled'],
  ] as const)('%s is the status %s with our key for staff', async (action, status, text, read) => {
    const before = writes().length;
    expect(await run(intent(action))).toEqual(confirmed);
    expect(stored().status).toBe(status);
    const comment = { comment: `${text} [${keyOf(1)}]`, visibleForCustomer: false };
    expect(commentsOf(status)).toMatchObject([comment]);
    expect(await translator.refetchReturn('acme', requestId, Date.now() + 9_000)).toMatchObject({
      value: { status: read },
    });
    expect(await run(intent(action))).toEqual(confirmed);
    expect(writes().length - before).toBe(1);
  });

  it('knows its own by the comment', async () => {
    await run(intent('approve'));
    const see = async (key: string) =>
      effectOf('approve').see('acme', { ...intent('approve'), key }, Date.now() + 9_000);
    expect(await see(keyOf(1))).toMatchObject({ value: { kind: 'done', isOurs: true } });
    expect(await see(keyOf(2))).not.toMatchObject({ value: { isOurs: true } });
  });

  it.each<readonly [string, EffectAction, string, Document]>([
    ['units_differ', 'approve', 'new', { items: [{ orderItemIndex: 0, id: '1234568', quantity: 1 }] }],
    ['return_state_differs', 'approve', 'denied', {}],
    ['return_state_differs', 'approve', 'cancelled', {}],
    ['return_state_differs', 'reject', 'processing', {}],
    ['return_state_differs', 'reject', 'amountRefunded', {}],
    ['return_processed', 'cancel', 'pickedUpFromClient', {}],
    ['return_processed', 'cancel', 'amountRefunded', {}],
    ['return_of_another_order', 'cancel', 'new', { orderId: 'v1-01' }],
  ])('is blocked as %s: %s of a request that is %s %j', async (reason, action, status, more) => {
    const before = writes().length;
    put(status, more);
    expect(wordOf(await run(intent(action)))).toBe(reason);
    expect(writes().length).toBe(before);
  });

  it.each(['processing', 'pickedUpFromClient', 'packageVerified', 'amountRefunded'])(
    'approve is done when a clerk has made it %s',
    async (status) => {
      const before = writes().length;
      put(status);
      expect(await run(intent('approve'))).toEqual(confirmed);
      expect(writes().length).toBe(before);
    },
  );

  it.each(['approve', 'reject', 'cancel'] as const)('%s ends without a return at the account', async (action) => {
    const before = server.requests.length;
    expect(wordOf(await run(intent(action, 2, { return: wantedReturn([]) })))).toBe('action_unsupported');
    const other = wantedReturn([], { externalId: '../orders' });
    expect(wordOf(await run(intent(action, 2, { return: other })))).toBe('return_missing');
    expect(server.requests.length).toBe(before);
    account.requests.clear();
    expect(wordOf(await run(intent(action)))).toBe('return_missing');
  });

  it('is refused by the app when a clerk decides between the read and the request', async () => {
    const before = (at: 'read' | 'request') => {
      if (at === 'request') account.update(requestId, { status: 'denied' });
    };
    expect(wordOf(await run(intent('approve'), { before }))).toBe('return_state_differs');
    expect(stored().status).toBe('denied');
  });

  it('waits for a key that is not valid', async () => {
    secret.put({ acme: { ...keys, appToken: 'another', apiUrl: server.url, returnsUrl: server.url } });
    const sight = await effectOf('cancel').see('acme', intent('cancel'), Date.now() + 9_000);
    expect(sight).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'shop_status_401' } });
  });
});

const faults: readonly WireFault[] = [...wireFaults, { status: 400, carriedOut: true }];

describe('VTEX decision with a fault', () => {
  it.each(faults)('%j is made, with one comment', async (fault) => {
    server.faults.push(fault);
    expect(await run(intent('approve'))).toEqual(confirmed);
    server.carryOutLate();
    expect(stored().status).toBe('processing');
    expect(commentsOf('processing')).toHaveLength(1);
  });

  it('is throttled, and made then', async () => {
    server.faults.push({ status: 429, carriedOut: false });
    expect(await run(intent('cancel'))).toEqual(confirmed);
  });

  it('that the app rejects is parked with the status', async () => {
    server.faults.push({ status: 400, carriedOut: false });
    expect(wordOf(await run(intent('cancel')))).toBe('shop_status_400');
  });
});
