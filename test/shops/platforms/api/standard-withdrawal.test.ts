import { cancellation } from '../../../../lib/shops/platforms/standard/platform.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { translator } from '../../../../lib/shops/platforms/standard/platform.ts';
import { fieldErrors } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { type Node, startSender } from '../standard-sender.ts';

const { origin, answers, requests, documented, example, declared, close } = await startSender();
const store = await startPlatformSecret();
store.put({ portal: { ...documented, apiUrl: `${origin}/api` } });

afterAll(async () => {
  await close();
  await store.close();
});
beforeEach(() => answers.clear());

const soon = () => Date.now() + 20_000;
const [first] = declared.withdrawals;
const answering = async (withdrawals: unknown) => {
  answers.set('/api/orders/O-77', { ...example, withdrawals });
  const body = { type: 'withdrawal.changed', data: { orderId: 'O-77' } };
  return translator.prepare({ source: 'portal', topic: 'withdrawal.changed', body }, soon());
};
const withdrawalOf = async (withdrawal: Node) => {
  const prepared = await answering([withdrawal]);
  if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
  const [found, ...others] = prepared.withdrawals ?? [];
  if (found === undefined || others.length > 0) throw new Error('there is not one withdrawal');
  expect(fieldErrors('declareWithdrawal', found.declaration)).toEqual([]);
  return found;
};
const without = (...names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(first).filter(([name]) => !names.includes(name)));

describe('standard withdrawal', () => {
  test('is the documented declaration, with the units that it means', async () => {
    expect(await withdrawalOf(first)).toEqual({
      declaration: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        contract: '77',
        lines: 'one of the shirts',
        language: 'de',
        timeZone: 'Europe/Berlin',
        platform: 'portal',
        declaredAt: '2026-11-20T20:15:00.000Z',
        source: { platform: 'portal', externalId: 'W-5' },
      },
      covers: [{ orderLineId: '1', quantity: 1 }],
    });
  });

  test('covers the whole order without lines, and units of staff with words only', async () => {
    expect(await withdrawalOf(without('lines', 'orderLines'))).toMatchObject({ covers: 'whole_order' });
    expect(await withdrawalOf(without('orderLines'))).not.toHaveProperty('covers');
    expect(await withdrawalOf({ ...first, orderLines: [] })).not.toHaveProperty('covers');
  });

  test('is never later than the request', async () => {
    const { declaration } = await withdrawalOf({ ...first, declaredAt: '2999-01-01T00:00:00Z' });
    expect(Date.parse(declaration.declaredAt)).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    [{ externalId: 5 }, '/withdrawals/0/externalId'],
    [{ declaredAt: 'yesterday' }, '/withdrawals/0/declaredAt'],
    [{ orderLines: [{ orderLineId: '1', quantity: 0 }] }, '/withdrawals/0/orderLines/0/quantity'],
    [{ orderLines: 'one' }, '/withdrawals/0/orderLines'],
  ])('is parked with a pointer for %j', async (change, pointer) => {
    expect(await answering([{ ...first, ...change }])).toEqual({
      kind: 'parked',
      reason: `snapshot_unexpected:${pointer}`,
    });
  });

  test('is absent from a snapshot without declarations', async () => {
    expect(await answering([])).not.toHaveProperty('withdrawals');
    expect(await answering(undefined)).not.toHaveProperty('withdrawals');
  });
});

describe('standard cancellation', () => {
  test('posts once, and reads the state from the order', async () => {
    answers.set('/api/orders/O-77', { ...example, cancelled: false });
    answers.set('/api/orders/O-77/cancel', { status: 200, body: '{}' });
    const state = async () => cancellation.fetchState('portal', 'O-77', soon());
    expect(await state()).toMatchObject({ ok: true, value: { isCancelled: false } });
    expect(await cancellation.cancel('portal', 'O-77', soon())).toEqual({ ok: true, value: undefined });
    expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/api/orders/O-77/cancel', body: '' });
    answers.set('/api/orders/O-77', { ...example, cancelled: true });
    expect(await state()).toMatchObject({ ok: true, value: { isCancelled: true } });
  });

  test.each([
    [404, 'permanent'],
    [405, 'permanent'],
    [500, 'retryable'],
  ])('is not repeated after %i', async (status, kind) => {
    answers.set('/api/orders/O-77/cancel', { status, body: '' });
    const before = requests.length;
    expect(await cancellation.cancel('portal', 'O-77', soon())).toEqual({
      ok: false,
      failure: { kind, reason: `shop_status_${status}`, ...(kind === 'retryable' && { mayHaveEffect: true }) },
    });
    expect(requests.length - before).toBe(1);
  });
});
