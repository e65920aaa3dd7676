import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createService } from '../../../lib/access/client/service.ts';
import { createReturn, getReturn } from '../../../lib/contract/operations.ts';
import type { Operation } from '../../../lib/contract/operation.ts';
import { startHarness } from '../oauth/harness.ts';
import { startServer } from '../../support/http-server.ts';

const good = { status: 200, headers: { 'keep-alive': 'timeout=350' }, body: '{"id":"x"}' };

/** Starts a service whose first connection answers once and then goes silent, and a client with 8 s for each call. */
const start = async () => {
  const harness = await startHarness({ random: () => 0 });
  const api = await startServer(({ connection }) => (connection === 1 && api.requests.length > 1 ? 'hang' : good));
  const { access, clock } = harness;
  const service = createService({ serviceUrl: api.origin, access, clock, random: () => 0, reserveMs: 0 });
  const call = (operation: Operation = getReturn, idempotencyKey?: string) =>
    service(
      operation as typeof getReturn,
      { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' },
      {
        dryRun: false,
        traceId: '0af7651916cd43dd8448eb211c80319c',
        deadline: clock.now() + 8_000,
        scopes: ['returns:read'],
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      },
    );
  return {
    api,
    clock,
    call,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

type Subject = Awaited<ReturnType<typeof start>>;

/** Makes the first call, and lets time pass after it. */
const rest = async ({ call, clock }: Subject, ms: number) => {
  await call();
  // undici releases a connection one event-loop turn after the last byte of the response.
  await nextTurn();
  clock.advance(ms);
};

const afterHalf = async ({ api, clock }: Subject) => {
  await api.received(2);
  clock.advance(4_000);
};

describe('connection that goes silent', () => {
  it.each([
    ['a GET', getReturn, undefined],
    ['a POST with its key', createReturn, 'key-1'],
  ])('costs a call half of its time: %s', async (_, operation, key) => {
    await using test = await start();
    await rest(test, 2_000);
    const outcome = test.call(operation, key);
    await afterHalf(test);
    await test.clock.scheduled(100);
    test.clock.advance(100);
    expect(await outcome).toMatchObject({ ok: true });
    expect(test.api.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  it.each([
    ['just after a response', 999, getReturn],
    ['where a repeat could do harm', 2_000, createReturn],
  ])('gets the full time of a call: %s', async (_, idle, operation) => {
    await using test = await start();
    await rest(test, idle);
    const outcome = test.call(operation);
    await afterHalf(test);
    expect(test.clock.running()).toEqual([8_000]);
    test.clock.advance(4_000);
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'timeout' } });
    expect(test.api.connections()).toBe(1);
  });

  it('is not used after more than 4 s: the next call opens a new one', async () => {
    await using test = await start();
    await rest(test, 4_001);
    expect(await test.call()).toMatchObject({ ok: true });
    expect(test.api.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});
