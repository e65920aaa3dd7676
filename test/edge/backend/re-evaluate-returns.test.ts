import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { registerOrder } from '../../../lib/edge/backend/standalone.ts';
import type { Call } from '../../../lib/contract/port.ts';
import { api } from '../../support/api.ts';
import { backendCall } from '../../support/backend-call.ts';
import { auto, hat, ofCustomer, shop, window } from '../../support/decided-shop.ts';
import { forward, isFor } from '../../support/engine.ts';
import { useEngine } from '../../support/use-engine.ts';
import { type Received, startServer } from '../../support/http-server.ts';
import { shopOrder } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';
import { ampleDeadline } from '../../support/time.ts';

const service = api('standalone');

/** A handler in front of the engine. It passes a request through with `undefined`. */
type Between = (request: Received) => Promise<'reset' | { status: number; body: string } | undefined>;

/** Returns whether the request writes the renewed decision of a return. */
const isRenewal = (request: Received): boolean =>
  isFor(request, 'TransactWriteItems') && request.body.includes('DECISIONS#');

/**
 * Returns a return that waits for a missing delivery date, and a function that registers the date through a failing
 * engine.
 */
const waiting = async (between: Between) => {
  const { publish, order } = shop(service);
  await publish([window(30), auto]);
  const ref = await order({ hat: { deliveries: undefined } });
  const { body } = await service.post('/returns', ofCustomer(ref, [hat]));
  const engine = await startServer(
    async (request) => (await between(request)) ?? forward(request, stack().aws.dynamodb),
  );
  useEngine(engine.origin);
  const observedAt = new Date().toISOString();
  const lines = shopOrder().lines.map((line) => ({
    ...line,
    finalSale: false,
    deliveries: [{ quantity: line.quantity, at: observedAt }],
  }));
  const { customer: _, ...facts } = shopOrder({ lines, observedAt });
  return {
    id: body.returnId,
    registerAgain: async (call: Call = backendCall()) => registerOrder({ ...ref, ...facts }, call),
    read: async () => service.get(`/returns/${body.returnId}`),
    types: async () => (await service.get(`/returns/${body.returnId}/history`)).body.items.map(({ type }) => type),
    [Symbol.asyncDispose]: async () => engine[Symbol.asyncDispose](),
  };
};

const whole = ['return.requested', 'decision.renewed', 'return.approved'];

describe('re-evaluation after registerOrder', () => {
  it.each([
    [
      'under the same key',
      () => {
        const call = backendCall();
        return () => call;
      },
    ],
    ['under another key', () => backendCall],
  ])('is done by the next registration, %s, when the first one died before it', async (_, makeCalls) => {
    let dead = true;
    await using created = await waiting(async (request) => (dead && isRenewal(request) ? 'reset' : undefined));
    const call = makeCalls();
    expect(await created.registerAgain(call())).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable' },
    });
    expect(await created.types()).toEqual(['return.requested']);
    dead = false;
    expect(await created.registerAgain({ ...call(), deadline: ampleDeadline() })).toMatchObject({
      ok: true,
      value: { status: 200 },
    });
    expect(await created.types()).toEqual(whole);
    expect(await created.registerAgain(backendCall())).toMatchObject({ ok: true, value: { status: 200 } });
    expect(await created.types()).toEqual(whole);
  });

  it('runs once when the response of the write is lost', async () => {
    let lost = 0;
    await using created = await waiting(async (request) => {
      if (!isRenewal(request) || lost > 0) return undefined;
      lost += 1;
      await forward(request, stack().aws.dynamodb);
      return 'reset';
    });
    expect(await created.registerAgain()).toMatchObject({ ok: true, value: { status: 200 } });
    expect(await created.types()).toEqual(whole);
    expect(lost).toBe(1);
  });

  it('yields to a concurrent decision on the return', async () => {
    let decided = 0;
    await using created = await waiting(async (request) => {
      if (decided === 0 && isRenewal(request)) decided = (await service.post(`/returns/${created.id}/approve`)).status;
      return undefined;
    });
    expect(await created.registerAgain()).toMatchObject({ ok: true, value: { status: 200 } });
    expect(decided).toBe(200);
    expect(await created.types()).toEqual(['return.requested', 'return.approved']);
    expect((await created.read()).body).toMatchObject({ decision: { verdict: 'needs_review' } });
  });

  const isOnIndex = (request: Received): boolean => isFor(request, 'Query') && request.body.includes('"byOrder"');

  it('queries again while the index lacks returns', async () => {
    let behind = 2;
    await using created = await waiting(async (request) => {
      if (!isOnIndex(request) || behind === 0) return undefined;
      behind -= 1;
      return { status: 200, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) };
    });
    expect(await created.registerAgain()).toMatchObject({ ok: true });
    expect(await created.types()).toEqual(whole);
  });

  it('fails while the index stays behind, and runs with the repeat', async () => {
    let behind = true;
    await using created = await waiting(async (request) =>
      behind && isOnIndex(request)
        ? { status: 200, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) }
        : undefined,
    );
    const call = { ...backendCall(), idempotencyKey: randomUUID() };
    expect(await created.registerAgain(call)).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    behind = false;
    expect(await created.registerAgain(call)).toMatchObject({ ok: true, value: { status: 200 } });
    expect(await created.types()).toEqual(whole);
  });
});
