import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { backendCall } from '../support/backend-call.ts';
import { forward, isFor } from '../support/engine.ts';
import { useEngine } from '../support/use-engine.ts';
import { startServer } from '../support/http-server.ts';
import { lister } from '../support/lister.ts';
import { registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { listReturns } from '../../lib/edge/backend/standalone.ts';
import { inSoak } from '../support/samples.ts';

const service = api('standalone');

type KeysRequest = { readonly Keys: readonly object[] };
type Batch = { readonly RequestItems: Readonly<Record<string, KeysRequest>> };
const noTable: readonly [string, KeysRequest] = ['', { Keys: [] }];

/** Creates returns of a customer's orders, the given number per order, in the order of creation. */
const returnsOf = async (orders: number, count: number) => {
  const customer = { id: `customer-${randomUUID()}` };
  const [shirt] = shopOrder().lines;
  const created = Array.from({ length: orders }, async () => {
    const order = await registerOrder(service, { customer, lines: [{ ...shirt, quantity: count }] });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push((await service.post('/returns', returnOf(order))).body.returnId);
    return ids;
  });
  return { customerId: customer.id, ids: (await Promise.all(created)).flat().toSorted().toReversed() };
};

describe('summaries behind a keys-only index', () => {
  it.each(inSoak('are read also when they exceed one request'))('%s', async () => {
    const { customerId, ids } = await returnsOf(6, 17);
    const { readAll, page } = lister(service);
    expect(ids).toHaveLength(102);
    expect(await page({ customerId, limit: '200' })).toEqual({ ids, next: null });
    expect(await readAll({ customerId, limit: '25' })).toEqual(ids);
    expect(await readAll({ customerId, limit: '25', status: 'requested' })).toEqual(ids);
  });

  it('are requested until all are returned', async () => {
    const { customerId, ids } = await returnsOf(1, 4);
    const { dynamodb } = stack().aws;
    let requests = 0;
    await using engine = await startServer(async (request) => {
      if (!isFor(request, 'BatchGetItem')) return forward(request, dynamodb);
      requests += 1;
      const [table, keysRequest] = Object.entries((JSON.parse(request.body) as Batch).RequestItems)[0] ?? noTable;
      const [first, ...others] = keysRequest.Keys;
      const one = JSON.stringify({ RequestItems: { [table]: { ...keysRequest, Keys: [first] } } });
      const { status, body } = await forward(request, dynamodb, one);
      const left = others.length === 0 ? {} : { [table]: { ...keysRequest, Keys: others } };
      return { status, body: JSON.stringify({ ...(JSON.parse(body.toString()) as object), UnprocessedKeys: left }) };
    });
    useEngine(engine.origin);
    const answer = await listReturns({ customerId }, backendCall());
    expect(answer).toMatchObject({
      ok: true,
      value: { body: { items: ids.map((returnId) => ({ returnId })), nextCursor: null } },
    });
    expect(requests).toBe(4);
  });
});
