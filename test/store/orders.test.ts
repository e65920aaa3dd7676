import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../support/api.ts';
import { useEngine } from '../support/engine.ts';
import type { OrderRef } from '../../lib/returns/order.ts';
import { createReturn, registerOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';

const service = api('standalone');
afterEach(() => vi.unstubAllEnvs());

const openOrders = async () => {
  useEngine(stack().aws.dynamodb);
  const [{ readOrder, holdLedger, writeLedger }, { transact }, { openSession }] = await Promise.all([
    import('../../lib/store/orders.ts'),
    import('../../lib/store/transact.ts'),
    import('../../lib/store/session.ts'),
  ]);
  return { readOrder, holdLedger, writeLedger, transact, session: openSession(Date.now() + 10_000) };
};

it.each([
  ['before its first return', async () => registerOrder(service)],
  ['that has one', async () => (await createReturn(service)).order],
])('writes nothing on what was read of an order %s that has changed since', async (_, make) => {
  const ref = (await make()) as OrderRef;
  const { readOrder, holdLedger, writeLedger, transact, session } = await openOrders();
  using _session = session;
  const record = await readOrder(session, ref);
  if (record === undefined) throw new Error('the order is not there');
  const held = holdLedger(ref, record.ledgerVersion);
  const moved = writeLedger(ref, record.ledger, record.ledgerVersion);
  expect(await transact(session, [held])).toEqual({ written: true });
  const { order } = record;
  const { customer: __, ...facts } = order.facts;
  const later = { ...facts, number: randomUUID(), observedAt: new Date().toISOString() };
  expect(await service.put(`/orders/${ref.platform}/${ref.orderId}`, later)).toMatchObject({ status: 200 });
  const lost = { written: false, failed: ['ledger'], busy: [] };
  expect(await transact(session, [held])).toEqual(lost);
  expect(await transact(session, [moved])).toEqual(lost);
});
