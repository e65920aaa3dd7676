import { describe, expect, test } from 'vitest';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import type { RemoteSnapshot, RemoteWithdrawal } from '../../../lib/shops/platforms/platform.ts';
import { ampleDeadline } from '../../support/time.ts';
import { backendWith, orderInput, platformWith, failed, storedRow } from './support.ts';

const row = storedRow();

const declaration = {
  name: 'Ada',
  email: 'ada@example.com',
  contract: '7',
  platform: 'acme',
  declaredAt: '2026-11-02T00:00:00.000Z',
  source: { platform: 'acme', externalId: 'w-1' },
};
const whole: RemoteWithdrawal = { declaration, covers: 'whole_order' };
const declared = () => ({ ok: true, value: { status: 201, body: { withdrawalId: 'wdr_1' } } });

const snapshot: RemoteSnapshot = { kind: 'snapshot', order: orderInput, returns: [], refunds: [] };

const run = async (withdrawals: readonly RemoteWithdrawal[], answers: Parameters<typeof backendWith>[0] = {}) => {
  const { backend, calls } = backendWith({ declareWithdrawal: declared, ...answers });
  const prepared: RemoteSnapshot = { ...snapshot, withdrawals };
  const platform = platformWith({ prepare: async () => prepared });
  const outcome = await runDelivery(backend, platform, row, 'key', ampleDeadline());
  return { outcome, calls, names: calls.map(({ name }) => name) };
};

describe('runDelivery with a withdrawal', () => {
  test('stores the declaration, then the order, then the match', async () => {
    const { outcome, calls } = await run([whole]);
    expect(outcome).toMatchObject({ status: 'done', order: { platform: 'acme', orderId: '7' } });
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ['declareWithdrawal', declaration],
      ['registerOrder', orderInput],
      ['matchWithdrawal', { withdrawalId: 'wdr_1', order: { platform: 'acme', orderId: '7' } }],
    ]);
    for (const { call } of calls.filter(({ name }) => name !== 'registerOrder'))
      expect(call).toMatchObject({
        caller: { clientId: 'inbox', scopes: ['returns:write'], onBehalfOf: 'acme:shop.example' },
        idempotencyKey: expect.stringMatching(/^inbox-[\w-]{43}$/),
      });
  });

  test('matches the named units, and leaves unknown ones to staff', async () => {
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const { calls } = await run([{ declaration, covers: lines }]);
    expect(calls.at(-1)).toMatchObject({ name: 'matchWithdrawal', input: { lines } });
    expect((await run([{ declaration }])).names).toEqual(['declareWithdrawal', 'registerOrder']);
  });

  test('keeps what staff has decided', async () => {
    const { outcome } = await run([whole], { matchWithdrawal: () => failed('invalid_transition') });
    expect(outcome).toMatchObject({ status: 'done' });
  });

  test('uses the same keys for a repeated delivery', async () => {
    const keysOf = ({ calls }: Awaited<ReturnType<typeof run>>) => calls.map(({ call }) => call.idempotencyKey);
    expect(keysOf(await run([whole]))).toEqual(keysOf(await run([whole])));
  });

  test('uses other keys for another spelling of the shop, whose responses are stored apart', async () => {
    const keysOf = async (source: string) => {
      const { backend, calls } = backendWith({ declareWithdrawal: declared });
      const prepared: RemoteSnapshot = { ...snapshot, withdrawals: [whole] };
      const platform = platformWith({ prepare: async () => prepared });
      await runDelivery(backend, platform, { ...row, source }, 'key', ampleDeadline());
      return calls.flatMap(({ call }) => call.idempotencyKey ?? []);
    };
    const [one, other] = [await keysOf('shop.example'), await keysOf('Shop.example')];
    expect(one).toHaveLength(2);
    expect(new Set([...one, ...other]).size).toBe(4);
  });

  test.each(['declareWithdrawal', 'matchWithdrawal'] as const)('is retried when %s fails for now', async (name) => {
    const { outcome, names } = await run([whole], { [name]: () => failed('dependency_unavailable') });
    expect(outcome).toMatchObject({ status: 'retry', reason: 'dependency_unavailable' });
    expect(names.at(-1)).toBe(name);
  });

  test('of a client that may state no platform facts is retried', async () => {
    const { outcome } = await run([whole], { declareWithdrawal: () => failed('insufficient_scope') });
    expect(outcome).toMatchObject({ status: 'retry', reason: 'insufficient_scope' });
  });

  test('is parked after the other parts when a declaration is rejected', async () => {
    const answers = { declareWithdrawal: () => failed('invalid_request') };
    const { outcome, names } = await run([whole], answers);
    expect(outcome).toMatchObject({ status: 'parked', reason: 'invalid_request' });
    expect(names).toEqual(['declareWithdrawal', 'registerOrder']);
  });

  test('is stored although the order is rejected', async () => {
    const { outcome, names } = await run([whole], { registerOrder: () => failed('invalid_request') });
    expect(outcome).toMatchObject({ status: 'parked', reason: 'invalid_request' });
    expect(names).toEqual(['declareWithdrawal', 'registerOrder']);
  });

  test('of another platform than its order is parked', async () => {
    const foreign = { declaration: { ...declaration, source: { platform: 'other', externalId: 'w-1' } } };
    const { outcome, names } = await run([foreign]);
    expect([outcome, names]).toEqual([{ status: 'parked', reason: 'seen_of_another_order' }, []]);
  });
});
