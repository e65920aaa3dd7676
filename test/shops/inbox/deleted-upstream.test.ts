import { describe, expect, test } from 'vitest';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import type { RemoteReturn } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import type { Prepared, Translator } from '../../../lib/shops/platforms/platform.ts';
import { backendWith, ours, platformWith, preparedOf, failed, remote, storedRow } from './support.ts';
import { ampleDeadline } from '../../support/time.ts';

const row = storedRow('returns/set');

/** All returns that the platform still has of the order: one. */
const all = { ...(preparedOf(remote) as Extract<Prepared, { kind: 'snapshot' }>), isAll: true } as const;
const summary = (changes: object = {}) => ({
  returnId: 'ret_2',
  status: 'requested',
  managedBy: 'platform',
  externalRefs: [{ platform: 'acme', id: 'gone' }],
  ...changes,
});
const listing = (...items: readonly object[]) => ({
  listReturns: () => ({ ok: true, value: { status: 200, body: { items, nextCursor: null } } }),
});
/** Returns pages of a list, the first with a number of other returns, and the inputs of their requests. */
const pagesOf = (first: number, ...others: readonly (readonly object[])[]) => {
  const pages = [Array.from({ length: first }, () => summary({ externalRefs: [] })), ...others];
  let read = 0;
  return {
    listReturns: () => {
      const items = pages[read] ?? [];
      read += 1;
      return {
        ok: true,
        value: { status: 200, body: { items, nextCursor: read < pages.length ? `page-${read}` : null } },
      };
    },
    inputs: (calls: readonly { name: string; input: unknown }[]) =>
      calls.filter(({ name }) => name === 'listReturns').map(({ input }) => input),
  };
};
const cancelled: RemoteReturn = { ...remote, externalId: 'gone', status: 'cancelled', lines: [] };
const lookOf =
  (externalId: string, answer: Awaited<ReturnType<Translator['refetchReturn']>>): Translator['refetchReturn'] =>
  async (_, id) =>
    id === externalId ? answer : { ok: true, value: remote };
const deletedUpstream = lookOf('gone', { ok: true, value: cancelled });

const run = async (
  answers: Parameters<typeof backendWith>[0],
  refetchReturn: Translator['refetchReturn'] = deletedUpstream,
  prepared: Prepared = all,
) => {
  const { backend, calls } = backendWith(answers);
  const platform = platformWith({ prepare: async () => prepared, refetchReturn });
  const outcome = await runDelivery(backend, platform, row, 'key', ampleDeadline());
  return { outcome, calls, names: calls.map(({ name }) => name) };
};

describe('runDelivery with returns that are deleted upstream', () => {
  test('cancels them before it syncs the existing returns', async () => {
    const stillThere = { ...ours({ returnId: 'ret_2' }), status: 'cancelled' };
    const { names, calls, outcome } = await run({
      ...listing(summary()),
      cancel: () => ({ ok: true, value: { status: 200, body: stillThere } }),
    });
    expect(names).toEqual(['registerOrder', 'listReturns', 'getReturn', 'cancel', 'createReturn']);
    expect(calls[1]?.input).toEqual({ platform: 'acme', orderId: '7', limit: 100 });
    expect(calls[2]?.input).toEqual({ returnId: 'ret_2' });
    expect(outcome).toMatchObject({ status: 'done' });
  });

  test.each([
    ['exist on the platform', { externalRefs: [{ platform: 'acme', id: remote.externalId }] }],
    ['are managed by the service', { managedBy: 'service' }],
    ['belong to another platform', { externalRefs: [{ platform: 'other', id: 'gone' }] }],
    ['are rejected', { status: 'rejected' }],
    ['are completed', { status: 'completed' }],
  ])('leaves returns alone that %s', async (_, changes) => {
    const { names } = await run(listing(summary(changes)));
    expect(names).toEqual(['registerOrder', 'listReturns', 'createReturn']);
  });

  test('leaves returns alone that a refetch finds, or that have ended meanwhile', async () => {
    const back = lookOf('gone', { ok: true, value: { ...remote, externalId: 'gone', status: 'approved' } });
    expect((await run(listing(summary()), back)).names).not.toContain('approve');
    const getReturn = () => ({ ok: true, value: { status: 200, body: ours({ status: 'completed' }) } });
    expect((await run({ ...listing(summary()), getReturn })).names).not.toContain('reopen');
  });

  test.each([
    ['listReturns', failed('timeout'), { status: 'retry', reason: 'timeout' }],
    ['getReturn', failed('dependency_unavailable'), { status: 'retry', reason: 'dependency_unavailable' }],
    ['cancel', failed('invalid_transition'), { status: 'parked', reason: 'invalid_transition' }],
  ] as const)('retries or parks the delivery when %s fails', async (name, failure, expected) => {
    const { outcome } = await run({ ...listing(summary()), [name]: () => failure });
    expect(outcome).toMatchObject(expected);
  });

  test('retries when the shop does not answer', async () => {
    const refetchReturn = lookOf('gone', { ok: false, failure: { kind: 'retryable', reason: 'shop_timeout' } });
    expect((await run(listing(summary()), refetchReturn)).outcome).toMatchObject({
      status: 'retry',
      reason: 'shop_timeout',
    });
  });

  test('finds them on later pages, each of which it reads once', async () => {
    const { listReturns, inputs } = pagesOf(100, [], [summary()]);
    const ended = { ...ours({ returnId: 'ret_2' }), status: 'cancelled' };
    const cancel = () => ({ ok: true, value: { status: 200, body: ended } });
    const { names, calls, outcome } = await run({ listReturns, cancel });
    expect(inputs(calls)).toEqual([
      { platform: 'acme', orderId: '7', limit: 100 },
      { platform: 'acme', orderId: '7', limit: 100, cursor: 'page-1' },
      { platform: 'acme', orderId: '7', limit: 100, cursor: 'page-2' },
    ]);
    expect(names).toContain('cancel');
    expect(outcome).toMatchObject({ status: 'done' });
  });

  test('retries when the pages never end', async () => {
    const listReturns = () => ({ ok: true, value: { status: 200, body: { items: [], nextCursor: 'again' } } });
    const { names, outcome } = await run({ listReturns });
    expect(outcome).toMatchObject({ status: 'retry', reason: 'internal_error' });
    expect(names.filter((name) => name === 'listReturns')).toHaveLength(100);
  });

  test('skips the search where the platform does not list all returns of an order', async () => {
    expect((await run({}, deletedUpstream, preparedOf(remote))).names).toEqual(['registerOrder', 'createReturn']);
  });
});

describe('runDelivery with a return whose lines are all removed upstream', () => {
  const emptied = preparedOf({ ...remote, status: 'cancelled', lines: [] });

  test('finds our return on a later page, and reads no page after it', async () => {
    const own = summary({ returnId: 'ret_1', externalRefs: [{ platform: 'acme', id: remote.externalId }] });
    const { listReturns, inputs } = pagesOf(100, [own], [summary()]);
    const { calls, names } = await run({ listReturns }, deletedUpstream, emptied);
    expect(inputs(calls)).toHaveLength(2);
    expect(names).toContain('getReturn');
    expect(names).not.toContain('createReturn');
  });
});

test('runDelivery books no refund twice when a return has already recorded it', async () => {
  const refund = {
    platform: 'acme',
    orderId: '7',
    amount: { amount: 100, currency: 'EUR' },
    occurredAt: '2026-11-02T00:00:00Z',
  };
  const known = ours({ refunds: [{ external: { platform: 'acme', externalId: '70' } }] as never });
  const alone = [
    { ...refund, externalId: '70' },
    { ...refund, externalId: '71' },
  ];
  const { calls } = await run(
    { createReturn: () => ({ ok: true, value: { status: 201, body: known } }) },
    deletedUpstream,
    preparedOf(remote, [], alone),
  );
  expect(calls.filter(({ name }) => name === 'recordRefund').map(({ input }) => input)).toEqual([alone[1]]);
});
