import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findEngine } from '../../../lib/tools/local/engine/engine-choice.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import type { StackEvent } from '../../../lib/tools/local/events.ts';
import { api, type Answer } from '../../support/api.ts';
import { create, register, send, steps, subjectOf } from '../../support/life.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { runsEveryCase } from '../../support/samples.ts';

/*
 * Runs the requests of the bundle to DynamoDB on AWS's own emulator. Without Java, only the first test is registered.
 * `npm run soak` runs all of test/store and test/contract on it.
 */

/** One engine, or none. */
const engines = await findEngine({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  JAVA_HOME: process.env['JAVA_HOME'],
  RETURNS_ENGINE: 'dynamodb-local',
}).then(
  (engine) => [engine],
  () => [],
);

describe('DynamoDB Local', () => {
  test('is named with an installation command where it is missing', async () => {
    const found = findEngine({ PATH: '', RETURNS_ENGINE: 'dynamodb-local' });
    await expect(found).rejects.toThrow('No DynamoDB engine was found');
  });

  const published =
    (type: string) =>
    (event: StackEvent): boolean =>
      event.type === 'published' && JSON.stringify(event).includes(`.${type}`);

  test.each(engines)('runs the work of the standalone mode', async (engine) => {
    const stack = await startOwnStack({ engine, modes: ['standalone'], streams: true });
    onTestFinished(() => stack.close());
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(stack.engine.url, { method: 'OPTIONS', headers });
    // By default, it allows every web page every request.
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const service = api('standalone', stack.info);
    const order = { platform: 'web', orderId: randomUUID() };
    const requested = stack.next(published('return.requested'));
    const registered = await send(service, register(order, 2), randomUUID());
    const key = randomUUID();
    const created = await send(service, create(order, 1, 'serial-1'), key);
    expect(stack.engine).toMatchObject({ isForeign: false });
    expect(stack.engine.file).toBeUndefined();
    // A transaction that writes the order, and one that writes the return, its history and its order's ledger.
    expect([registered.status, created.status]).toEqual([201, 201]);
    const subject = subjectOf(order, created);
    // A conditional write that finds the key of the first attempt.
    expect(await send(service, create(order, 1, 'serial-1'), key)).toMatchObject({
      status: 201,
      body: { returnId: subject.returnId },
    });
    // Writers compete for one version: one wins, and the transaction's condition rejects the others.
    const patches = await Promise.all(
      ['a', 'b', 'c'].map((tag) => send(service, steps.updateReturn(subject, tag), randomUUID())),
    );
    const statuses = patches.map(({ status }: Answer) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 412, 412]);
    // The ledger's condition: another return cannot take units that one return holds.
    expect(await send(service, create(order, 2, 'serial-2'), randomUUID())).toMatchObject({
      status: 422,
      body: { code: 'quantity_exceeds_returnable' },
    });
    expect(await send(service, steps.approve(subject, ''), randomUUID())).toMatchObject({ status: 200 });
    expect(await send(service, steps.reject(subject, ''), randomUUID())).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    // A consistent read, an index and a query that is bounded by a sort key.
    expect(await service.get(`/returns/${subject.returnId}`)).toMatchObject({
      status: 200,
      body: { returnId: subject.returnId },
    });
    const listed = `/returns?platform=web&orderId=${order.orderId}`;
    await expect.poll(() => service.get(listed)).toMatchObject({ body: { items: [{ returnId: subject.returnId }] } });
    expect((await service.get(`/returns/${subject.returnId}/history`)).body).toMatchObject({
      items: [{ type: 'return.requested' }, { type: 'return.updated' }, { type: 'return.approved' }],
    });
    // The stream, whose iterators the guard must parse, feeds the function that publishes.
    await requested;
    // A second start of Java costs half of this test.
    if (!runsEveryCase()) return;
    // Acknowledged writes survive a kill of the engine.
    await stack.engine.kill?.();
    const revived = await startEngine(stack.dataDir, Number(new URL(stack.engine.url).port), engine);
    onTestFinished(revived.close);
    expect(await service.get(`/returns/${subject.returnId}`)).toMatchObject({
      status: 200,
      body: { returnId: subject.returnId },
    });
    const cancelled = stack.next(published('return.cancelled'));
    expect(await send(service, steps.cancel(subject, ''), randomUUID())).toMatchObject({ status: 200 });
    await cancelled;
  });
});
