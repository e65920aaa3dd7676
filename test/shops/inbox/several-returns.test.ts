import { describe, expect, test } from 'vitest';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import type { RemoteRefund } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import type { Prepared, Translator } from '../../../lib/shops/platforms/platform.ts';
import { backendWith, orderInput, ours, platformWith, preparedOf, failed, remote, storedRow } from './support.ts';
import { ampleDeadline } from '../../support/time.ts';

const row = storedRow();

const refund: RemoteRefund = {
  platform: 'acme',
  orderId: '7',
  externalId: '71',
  amount: { amount: 100, currency: 'EUR' },
  occurredAt: '2026-11-02T00:00:00Z',
};

const run = async (
  prepared: Prepared,
  answers: Parameters<typeof backendWith>[0],
  refetchReturn: Translator['refetchReturn'] = async () => ({ ok: true, value: remote }),
) => {
  const { backend, calls } = backendWith(answers);
  const platform = platformWith({ prepare: async () => prepared, refetchReturn });
  const outcome = await runDelivery(backend, platform, row, 'key', ampleDeadline());
  return { outcome, names: calls.map(({ name }) => name) };
};

describe('runDelivery with two returns and a separate refund of one order', () => {
  const returns = ['gid://acme/Return/5', 'gid://acme/Return/6'].map((externalId) => ({
    remote: { ...remote, externalId },
    refunds: [],
  }));
  const both = { ...preparedOf(remote, [], [refund]), returns } as Prepared;

  test('continues with the other return and the refund when one return is rejected', async () => {
    let requests = 0;
    const createReturn = () => {
      requests += 1;
      return requests === 1
        ? failed('quantity_exceeds_returnable')
        : { ok: true, value: { status: 201, body: ours({ returnId: 'ret_2' }) } };
    };
    const { outcome, names } = await run(both, { createReturn });
    expect(names).toEqual(['registerOrder', 'createReturn', 'createReturn', 'recordRefund']);
    expect(outcome).toMatchObject({ status: 'parked', reason: 'quantity_exceeds_returnable' });
  });

  test('continues with the other returns and the refund when one return is unreadable', async () => {
    const unread = { kind: 'permanent', reason: 'return_line_unreadable' } as const;
    const { outcome, names } = await run({ ...both, unread } as Prepared, {});
    expect(names).toEqual(['registerOrder', 'createReturn', 'createReturn', 'recordRefund']);
    expect(outcome).toMatchObject({ status: 'parked', reason: 'return_line_unreadable' });
  });

  test('retries after a temporary failure, even when another return was rejected', async () => {
    const rejected = { createReturn: () => failed('quantity_exceeds_returnable') };
    const { outcome } = await run(both, { ...rejected, recordRefund: () => failed('timeout') });
    expect(outcome).toMatchObject({ status: 'retry', reason: 'timeout' });
    expect((await run(both, { createReturn: () => failed('timeout') })).names).toEqual([
      'registerOrder',
      'createReturn',
    ]);
  });
});

describe('runDelivery with refunds of a return', () => {
  const approved = { ...remote, status: 'approved' as const };
  const second = { ...refund, externalId: '72' };
  const approve = () => ({ ok: true, value: { body: ours({ status: 'expired' }) } });

  test.each(['order_line_not_found', 'invalid_request', 'currency_mismatch', 'idempotency_key_reused'] as const)(
    'records the other refunds, takes the steps and parks when one refund meets %s',
    async (code) => {
      let refunds = 0;
      const recordRefund = () => {
        refunds += 1;
        return refunds === 1 ? failed(code) : { ok: true, value: { status: 201, body: {} } };
      };
      const { outcome, names } = await run(
        preparedOf(approved, [refund, second]),
        { recordRefund, approve },
        async () => ({
          ok: true,
          value: approved,
        }),
      );
      expect(names).toEqual(['registerOrder', 'createReturn', 'recordRefund', 'recordRefund', 'getReturn', 'approve']);
      expect(outcome).toMatchObject({ status: 'parked', reason: code });
    },
  );

  test('retries after a temporary failure of one refund, without further commands', async () => {
    const answers = { recordRefund: () => failed('dependency_unavailable') };
    const { outcome, names } = await run(preparedOf(approved, [refund, second]), answers);
    expect(names).toEqual(['registerOrder', 'createReturn', 'recordRefund']);
    expect(outcome).toMatchObject({ status: 'retry', reason: 'dependency_unavailable' });
  });

  test.each([
    ['the same amount', { amount: 100, currency: 'EUR' }, { status: 'done' }],
    ['another amount', { amount: 70, currency: 'EUR' }, { status: 'parked', reason: 'refund_amount_changed' }],
    ['another currency', { amount: 100, currency: 'USD' }, { status: 'parked', reason: 'refund_amount_changed' }],
  ])('compares a recorded refund with the reported one: %s', async (_, amount, expected) => {
    const external = { platform: 'acme', externalId: refund.externalId };
    const known = { ok: true, value: { status: 200, body: ours({ refunds: [{ external, amount }] as never }) } };
    const answers = { createReturn: () => known, getReturn: () => known, approve };
    const { outcome, names } = await run(preparedOf(approved, [refund, second]), answers, async () => ({
      ok: true,
      value: approved,
    }));
    expect(names).toEqual(['registerOrder', 'createReturn', 'recordRefund', 'getReturn', 'approve']);
    expect(outcome).toMatchObject(expected);
  });
});

test.each([
  ['a return', preparedOf({ ...remote, orderId: '8' })],
  ['a refund of a return', preparedOf(remote, [{ ...refund, orderId: '8' }])],
  ['a refund', preparedOf(remote, [], [{ ...refund, platform: 'other' }])],
])('runDelivery parks %s of another order than the delivery’s', async (_, prepared) => {
  const { outcome, names } = await run(prepared, {});
  expect(names).toEqual([]);
  expect(outcome).toMatchObject({ status: 'parked', reason: 'seen_of_another_order' });
});

test.each([
  [
    'in the first snapshot',
    { ...remote, orderId: '8', status: 'approved' as const },
    remote,
    [{ ...refund, orderId: '8' }],
  ],
  ['after a refetch', { ...remote, status: 'approved' as const }, { ...remote, orderId: '8', lines: [] }, []],
])(
  'runDelivery sends no step to a return that the platform reports for another order: %s',
  async (_, first, then, refunds) => {
    const { orderId } = first;
    const { outcome, names } = await run(
      { ...preparedOf(first, refunds), order: { ...orderInput, orderId } } as Prepared,
      { createReturn: () => failed('duplicate_return', 'ret_1') },
      async () => ({ ok: true, value: then }),
    );
    expect(names).toEqual(['registerOrder', 'createReturn', 'getReturn']);
    expect(outcome).toMatchObject({ status: 'parked', reason: 'return_of_another_order' });
  },
);
