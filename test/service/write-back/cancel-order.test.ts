import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '../../../lib/contract/contract.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { orderFacts } from '../../support/orders.ts';
import { putSecret } from '../../../lib/tools/local/external-services.ts';
import { documentedOrder, startSite } from '../../shops/platforms/woocommerce-site.ts';
import { startSchedules } from '../schedules/support.ts';
import { openWorker } from './worker.ts';

const { secrets, backendWith } = await startSchedules();
const backend = backendWith({});
const { run, intents, enable } = openWorker(backend);
const site = await startSite();
const woo = { consumerKey: 'ck_first', consumerSecret: 'cs_first', apiUrl: site.server.origin };
const platform = 'woocommerce';

afterAll(async () => {
  await site.server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  setEnvironment({ PLATFORMS: platform, WRITE_BACK: platform });
  await putSecret(secrets, `unit/api/${platform}`, { sources: { site: woo } });
  site.accept('ck_first', 'cs_first');
  site.permitWrites(true);
  await enable(platform, { actions: { cancel_order: 'on' } });
});

let next = 1000;
/** Matches a withdrawal to an order that was not shipped, by a rule or by a person. */
const withdrawn = async ({ name = 'John Doe', isByPerson = false } = {}) => {
  next += 1;
  const order = { platform, orderId: String(next) };
  site.put(documentedOrder({ id: next, number: String(next), status: 'processing', date_completed_gmt: null }));
  const lines = orderFacts().lines.map((line) => ({ ...line, fulfilledQuantity: 0 }));
  const facts = { ...orderFacts(), lines, country: 'DE', placedAt: '2026-11-20T12:00:00Z' };
  const registered = { ...order, observedAt: '2026-11-21T00:00:00Z', ...facts } as Input<'registerOrder'>;
  expect(await backend.registerOrder(registered, backendCall())).toMatchObject({ ok: true });
  const declared = await backend.declareWithdrawal(
    { contract: order.orderId, name, email: `${randomUUID()}@example.com` },
    backendCall(),
  );
  if (!declared.ok) throw new Error(declared.failure.code);
  const { withdrawalId } = declared.value.body;
  const call = backendCall();
  const person = { ...call, caller: { ...call.caller, user: { id: 'ada', name: 'Ada' } } };
  const matched = await backend.matchWithdrawal({ withdrawalId, order }, isByPerson ? person : call);
  expect(matched).toMatchObject({ ok: true });
  return { order, withdrawalId };
};

const statusAtShop = ({ orderId }: { readonly orderId: string }) => site.orders.get(orderId)?.['status'];
const writes = () => site.server.requests.filter(({ method }) => method === 'PUT').length;

describe('the intent to cancel an order', () => {
  it('cancels the order at the shop once', async () => {
    const { order, withdrawalId } = await withdrawn();
    expect(await run(order)).toEqual({ batchItemFailures: [] });
    expect(statusAtShop(order)).toBe('cancelled');
    expect(await intents(order)).toMatchObject([
      { action: 'cancel_order', withdrawalId, status: 'confirmed', by: 'request', requests: 1 },
    ]);
    const before = writes();
    await run(order);
    expect(writes()).toBe(before);
  });

  it('sends one request when two workers get the order', async () => {
    const { order } = await withdrawn();
    const before = writes();
    await Promise.all([run(order), run(order)]);
    expect(writes() - before).toBe(1);
    expect(await intents(order)).toMatchObject([{ status: 'confirmed' }]);
  });

  it.each([
    ['no person', 'the same name', 'DOE, John', false, 'confirmed', 'cancelled'],
    ['no person', 'another name', 'Jane Doe', false, 'parked', 'processing'],
    ['a person', 'another name', 'Jane Doe', true, 'confirmed', 'cancelled'],
  ] as const)('of a match by %s with %s: %s', async (_by, _name, name, isByPerson, status, atShop) => {
    const { order } = await withdrawn({ name, isByPerson });
    await run(order);
    expect(await intents(order)).toMatchObject([{ status, ...(status === 'parked' && { reason: 'name_differs' }) }]);
    expect(statusAtShop(order)).toBe(atShop);
  });

  it('is parked when units were sent since', async () => {
    const { order } = await withdrawn();
    site.put(documentedOrder({ id: next, number: order.orderId, status: 'completed' }));
    await run(order);
    expect(await intents(order)).toMatchObject([{ status: 'parked', reason: 'order_shipped', requests: 0 }]);
    expect(statusAtShop(order)).toBe('completed');
  });

  it('is cancelled when the withdrawal was a mistake', async () => {
    const { order, withdrawalId } = await withdrawn();
    const mistaken = await backend.withdrawWithdrawal({ withdrawalId, reason: 'mistake' }, backendCall());
    expect(mistaken).toMatchObject({ ok: true });
    await run(order);
    expect(await intents(order)).toMatchObject([{ status: 'cancelled', reason: 'withdrawal_withdrawn' }]);
    expect(statusAtShop(order)).toBe('processing');
  });

  it('leaves no trace while the action is off', async () => {
    const { order } = await withdrawn();
    await enable(platform, { actions: {} });
    await run(order);
    expect(await intents(order)).toEqual([]);
    expect(statusAtShop(order)).toBe('processing');
  });

  it('waits while the shop is stopped', async () => {
    const { order } = await withdrawn();
    await enable(platform, { actions: { cancel_order: 'on' }, isStopped: true });
    await run(order);
    expect(await intents(order)).toMatchObject([{ status: 'planned', reason: 'stopped', requests: 0 }]);
  });

  it('only compares in the mode shadow', async () => {
    const { order } = await withdrawn();
    await enable(platform, { actions: { cancel_order: 'shadow' } });
    await run(order);
    expect(await intents(order)).toMatchObject([{ status: 'shadow', requests: 0 }]);
    expect(statusAtShop(order)).toBe('processing');
  });

  it('waits for a token that may write', async () => {
    const { order } = await withdrawn();
    site.permitWrites(false);
    await run(order);
    expect(await intents(order)).toMatchObject([{ status: 'planned', requests: 1, runs: 2 }]);
    expect(statusAtShop(order)).toBe('processing');
  });
});
