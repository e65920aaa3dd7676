import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { backendCall } from '../support/backend-call.ts';
import { forward, isFor, useEngine } from '../support/engine.ts';
import { startServer } from '../support/http-server.ts';
import { eur } from '../support/orders.ts';
import { shirts, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';

type Consumed = {
  readonly CapacityUnits: number;
  readonly GlobalSecondaryIndexes: Readonly<Record<string, { readonly CapacityUnits: number }>>;
};

afterEach(() => vi.unstubAllEnvs());

/** The backend, and what the last of its transactions consumed of the engine. */
const measured = async () => {
  let last: Consumed | undefined;
  const engine = await startServer(async (request) => {
    if (!isFor(request, 'TransactWriteItems')) return forward(request, stack().aws.dynamodb);
    const asked = JSON.stringify({ ...(JSON.parse(request.body) as object), ReturnConsumedCapacity: 'INDEXES' });
    const answer = await forward(request, stack().aws.dynamodb, asked);
    last = (JSON.parse(answer.body.toString()) as { ConsumedCapacity: Consumed[] }).ConsumedCapacity[0];
    return answer;
  });
  useEngine(engine.origin);
  const backend = await import('../../lib/backend/standalone.ts');
  return { ...backend, last: () => last, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
};

it('takes at most 16 write units for a command on a return of three lines', async () => {
  await using backend = await measured();
  const order = { platform: 'web', orderId: randomUUID() };
  const ids = ['11', '12', '13'];
  const lines = ids.map((lineId) => ({ lineId, sku: `SHIRT-${lineId}`, quantity: 2, unitPrice: eur(1999) }));
  await backend.registerOrder({ ...order, ...shopOrder({ lines }) }, backendCall());
  const asked = { order, lines: ids.map((orderLineId) => ({ ...shirts(1), orderLineId })) };
  const created = await backend.createReturn(asked, backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  const returnId = created.value.body.id;

  expect(await backend.approve({ returnId }, backendCall())).toMatchObject({ ok: true });
  expect(backend.last()?.CapacityUnits).toBeLessThanOrEqual(16);
  // What the others hold never changes.
  const { byStatus, byUpdate, ...others } = backend.last()?.GlobalSecondaryIndexes ?? {};
  expect([byStatus?.CapacityUnits, byUpdate?.CapacityUnits]).toEqual([2, 2]);
  expect(Object.values(others).reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)).toBe(0);

  expect(await backend.updateReturn({ returnId, tags: ['vip'] }, backendCall())).toMatchObject({ ok: true });
  expect(backend.last()?.CapacityUnits).toBeLessThanOrEqual(12);
});
