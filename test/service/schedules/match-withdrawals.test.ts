import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input } from '../../../lib/contract/contract.ts';
import { matchWithdrawals } from '../../../lib/service/schedules/withdrawals/match-withdrawals.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readIntentsOf } from '../../../lib/store/write-back/intents.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { orderFacts } from '../../support/orders.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../support/time.ts';
import { startSchedules } from './support.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});
const run = matchWithdrawals(backend);

const start = Date.parse('2026-11-22T12:00:00.000Z');
const minutes = (count: number) => count * 60_000;
const days = (count: number) => minutes(count * 24 * 60);
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

/** Runs the schedule some time after the start. */
const runAt = async (ms: number) => {
  vi.setSystemTime(start + ms);
  return run({}, contextWith());
};

type Declaration = Input<'declareWithdrawal'>;
const declare = async (fact: Partial<Declaration> & Pick<Declaration, 'contract' | 'email'>): Promise<string> => {
  const declared = await backend.declareWithdrawal({ name: 'Ada Lovelace', ...fact }, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

/** Registers an order before its shipment. */
const register = async (
  number: string,
  email: string,
  { platform = 'web', name = 'Ada Lovelace' }: { readonly platform?: string; readonly name?: string | null } = {},
): Promise<string> => {
  const orderId = randomUUID();
  const lines = orderFacts().lines.map((line) => ({ ...line, fulfilledQuantity: 0 }));
  const facts = { ...orderFacts(), lines, number, country: 'DE', placedAt: '2026-11-20T12:00:00Z' };
  const customer = { email, ...(name !== null && { name }) };
  const input = { platform, orderId, observedAt: '2026-11-21T00:00:00Z', customer, ...facts };
  const registered = await backend.registerOrder(input as Input<'registerOrder'>, backendCall());
  if (!registered.ok) throw new Error(registered.failure.code);
  return orderId;
};

const read = async (withdrawalId: string) => {
  const found = await backend.getWithdrawal({ withdrawalId }, backendCall());
  if (!found.ok) throw new Error(found.failure.code);
  return found.value.body;
};

const own = () => {
  const digits = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  return { number: `R-${digits}`, email: `ada-${digits}@example.com` };
};

/** Ends the search of a withdrawal, so that later tests do not find it. */
const withdraw = async (withdrawalId: string) =>
  backend.withdrawWithdrawal({ withdrawalId, reason: 'mistake' }, backendCall());

describe('matchWithdrawals', () => {
  it.each([
    ['the number alone', ({ number }: ReturnType<typeof own>) => number],
    ['a number sign', ({ number }: ReturnType<typeof own>) => `#${number}`],
    ['words around it', ({ number }: ReturnType<typeof own>) => `Bestellung Nr. ${number}, vom 20. November`],
  ])('matches by order number and e-mail address: %s', async (_, textOf) => {
    const known = own();
    const orderId = await register(known.number, known.email);
    const id = await declare({ contract: textOf(known), email: ` ${known.email.toUpperCase()}` });
    expect((await read(id)).status).toBe('declared');
    expect(await runAt(0)).toMatchObject({ matched: 1, failed: 0, through: true });
    expect(await read(id)).toMatchObject({
      status: 'matched',
      match: { order: { platform: 'web', orderId } },
      cancelled: [{ orderLineId: '1', quantity: 3 }],
    });
    expect(await runAt(minutes(2))).toMatchObject({ matched: 0, waiting: 0, ended: 0 });
  });

  it('leaves a declaration to staff when the e-mail address differs, or two orders match', async () => {
    const known = own();
    await register(known.number, 'other@example.com');
    const differs = await declare({ contract: known.number, email: known.email });
    const twice = own();
    await register(twice.number, twice.email);
    await register(twice.number, twice.email, { platform: 'shopify' });
    const two = await declare({ contract: twice.number, email: twice.email });
    const named = { contract: twice.number, email: twice.email, platform: 'shopify', name: 'Lovelace, Ada' };
    const one = await declare(named);
    expect(await runAt(0)).toMatchObject({ matched: 1, waiting: 1, forStaff: 1 });
    expect([(await read(differs)).status, (await read(two)).status, (await read(one)).status]).toEqual([
      'declared',
      'declared',
      'matched',
    ]);
    await Promise.all([differs, two].map(withdraw));
    expect(await runAt(days(1))).toMatchObject({ matched: 0, ended: 2 });
  });

  it.each([
    ['another name', 'Bob Lovelace', 'name_differs'],
    ['an initial', 'A. Lovelace', 'name_differs'],
    ['no name', null, 'name_missing'],
    ['the e-mail address in place of a name', 'ada@example.com', 'name_missing'],
  ])('holds nothing, and counts it for staff, when the order has %s', async (_, name, reason) => {
    const known = own();
    await register(known.number, known.email, { name });
    const id = await declare({ contract: known.number, email: known.email });
    const lines: string[] = [];
    const heard = hearLines((line) => void lines.push(line));
    expect(await runAt(0)).toMatchObject({ matched: 0, forStaff: 1, failed: 0 });
    heard.mockRestore();
    expect(await read(id)).toMatchObject({ status: 'declared', version: 2 });
    expect((await read(id)).cancelled).toBeUndefined();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'withdrawal left to staff', withdrawalId: id, reason }),
        expect.objectContaining({ WithdrawalsForStaff: 1 }),
      ]),
    );
    expect(lines.join()).not.toContain('Lovelace');
    await withdraw(id);
  });

  it('matches when the order gets the name later', async () => {
    const known = own();
    const orderId = await register(known.number, known.email, { name: null });
    const id = await declare({ contract: known.number, email: known.email, name: 'lovelace, ADA' });
    expect(await runAt(0)).toMatchObject({ forStaff: 1 });
    const lines = orderFacts().lines.map((line) => ({ ...line, fulfilledQuantity: 0 }));
    const facts = { ...orderFacts(), lines, number: known.number, country: 'DE', placedAt: '2026-11-20T12:00:00Z' };
    const customer = { email: known.email, name: 'Ada Lovelace' };
    const input = { platform: 'web', orderId, observedAt: '2026-11-22T12:01:00Z', customer, ...facts };
    expect(await backend.registerOrder(input as Input<'registerOrder'>, backendCall())).toMatchObject({ ok: true });
    expect(await runAt(minutes(3))).toMatchObject({ matched: 1 });
    expect(await read(id)).toMatchObject({ status: 'matched', cancelled: [{ orderLineId: '1', quantity: 3 }] });
  });

  it('chooses among orders of one number and address by the name', async () => {
    const known = own();
    const orderId = await register(known.number, known.email);
    await register(known.number, known.email, { platform: 'shopify', name: 'Bob Lovelace' });
    const id = await declare({ contract: known.number, email: known.email });
    expect(await runAt(0)).toMatchObject({ matched: 1 });
    expect(await read(id)).toMatchObject({ match: { order: { platform: 'web', orderId } } });
  });

  it('leaves a declaration that names goods to staff, because a match without lines means the whole order', async () => {
    const known = own();
    await register(known.number, known.email);
    const id = await declare({ contract: known.number, email: known.email, lines: 'one shirt' });
    expect(await runAt(0)).toMatchObject({ matched: 0, ended: 1 });
    expect((await read(id)).status).toBe('declared');
    expect(await runAt(minutes(2))).toMatchObject({ matched: 0, ended: 0 });
  });

  it('looks again in growing pauses for an order that is registered later, and ends after 30 days', async () => {
    const known = own();
    const id = await declare({ contract: known.number, email: known.email });
    expect(await runAt(0)).toMatchObject({ waiting: 1 });
    expect(await runAt(0)).toMatchObject({ waiting: 0 });
    expect(await runAt(minutes(2))).toMatchObject({ waiting: 1 });
    await register(known.number, known.email);
    expect(await runAt(minutes(4))).toMatchObject({ matched: 1 });
    expect((await read(id)).status).toBe('matched');
    const lost = await declare({ contract: own().number, email: known.email });
    expect(await runAt(days(29))).toMatchObject({ waiting: 1 });
    expect(await runAt(days(37))).toMatchObject({ ended: 1 });
    expect([(await read(lost)).status, await runAt(days(50))]).toEqual([
      'declared',
      { matched: 0, waiting: 0, forStaff: 0, ended: 0, failed: 0, through: true },
    ]);
  });

  it('stops before its time is over, and the next run continues', async () => {
    const known = own();
    await register(known.number, known.email);
    const id = await declare({ contract: known.number, email: known.email });
    expect(await withTimeLeft(10_000, async (context) => run({}, context))).toMatchObject({
      matched: 0,
      through: false,
    });
    expect((await read(id)).status).toBe('declared');
    expect(await runAt(minutes(1))).toMatchObject({ matched: 1 });
  });

  it.each([
    ['web', 3, ['cancel_order']],
    ['web', 2, []],
    ['none', 3, []],
  ])('stores the intent to cancel an order at its shop: %s, %i of 3 units', async (writeBack, quantity, wanted) => {
    setEnvironment({ WRITE_BACK: writeBack });
    const known = own();
    const order = { platform: 'web', orderId: await register(known.number, known.email) };
    const withdrawalId = await declare({ contract: 'by hand', email: known.email });
    const lines = [{ orderLineId: '1', quantity }];
    const matched = await backend.matchWithdrawal({ withdrawalId, order, lines }, backendCall());
    expect(matched).toMatchObject({ ok: true, value: { body: { cancelled: lines } } });
    using session = openSession(ampleDeadline());
    const intents = await readIntentsOf(session, order);
    expect(intents.map(({ action }) => action)).toEqual(wanted);
    expect(intents.every((intent) => intent.withdrawalId === withdrawalId && intent.isByPerson === false)).toBe(true);
    setEnvironment({ WRITE_BACK: undefined });
  });

  it('matches once when two runs meet', async () => {
    const known = own();
    await register(known.number, known.email);
    const id = await declare({ contract: known.number, email: known.email });
    const both = await Promise.all([run({}, contextWith()), run({}, contextWith())]);
    expect(both.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await read(id)).toMatchObject({ status: 'matched', version: 4 });
  });
});
