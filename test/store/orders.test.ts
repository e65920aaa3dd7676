import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Order, OrderRef } from '../../lib/domain/returns/model/order.ts';
import { api } from '../support/api.ts';
import { forward, isFor } from '../support/engine.ts';
import { useEngine } from '../support/use-engine.ts';
import { startServer } from '../support/http-server.ts';
import { createReturn, registerOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { ampleDeadline } from '../support/time.ts';

const service = api('standalone');

/** Returns the order store of a function, through an engine. */
const openOrders = async (engine = stack().aws.dynamodb) => {
  useEngine(engine);
  const [orders, { transact }, { openSession }] = await Promise.all([
    import('../../lib/store/orders/orders.ts'),
    import('../../lib/store/engine/transact.ts'),
    import('../../lib/store/engine/session.ts'),
  ]);
  const session = openSession(ampleDeadline());
  const read = async (ref: OrderRef) => {
    const record = await orders.readOrder(session, ref);
    if (record === undefined) throw new Error('the order is not there');
    return record;
  };
  return {
    read,
    write: async ({ order, ledger, ledgerVersion }: Awaited<ReturnType<typeof read>>) =>
      transact(session, [orders.writeLedger(order, ledger, ledgerVersion)]),
    [Symbol.dispose]: () => session[Symbol.dispose](),
  };
};

/** Registers another number of an order. */
const renumber = async ({ platform, orderId, facts }: Order) => {
  const number = randomUUID();
  const renumbered = { ...facts, number, observedAt: new Date().toISOString() };
  expect(await service.put(`/orders/${platform}/${orderId}`, renumbered)).toMatchObject({ status: 200 });
  return number;
};

describe('order store', () => {
  it.each([
    ['before its first return', async () => registerOrder(service)],
    ['after its first return', async () => (await createReturn(service)).order],
  ])('writes no ledger from outdated facts of an order %s', async (_, make) => {
    using orders = await openOrders();
    const ref = (await make()) as OrderRef;
    const record = await orders.read(ref);
    await renumber(record.order);
    expect(await orders.write(record)).toEqual({ written: false, failed: ['ledger'], busy: [] });
    expect(await orders.write(await orders.read(ref))).toEqual({ written: true });
  });

  type Found = { readonly Items: readonly { readonly sk: { readonly S: string } }[] };

  it('does not combine a ledger with older facts', async () => {
    let older: Found['Items'] = [];
    let queries = 0;
    await using engine = await startServer(async (request) => {
      const answer = await forward(request, stack().aws.dynamodb);
      if (!isFor(request, 'Query')) return answer;
      queries += 1;
      const found = JSON.parse(answer.body.toString()) as Found;
      const [facts, ...ledger] = found.Items;
      if (facts === undefined) return answer;
      // A query can return this when a transaction commits during it.
      const torn = { ...answer, body: JSON.stringify({ ...found, Items: [...older, ...ledger] }) };
      const isTorn = older.length > 0;
      older = older.length > 0 ? [] : [facts];
      return isTorn ? torn : answer;
    });
    using orders = await openOrders(engine.origin);
    const ref = (await registerOrder(service)) as OrderRef;
    const { order } = await orders.read(ref);
    const number = await renumber(order);
    expect((await orders.read(ref)).order.facts.number).toBe(number);
    expect(queries).toBe(3);
  });
});
