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

  test.each(engines)(
    'runs the work of the standalone mode, rejects web pages, and survives its kill',
    async (engine) => {
      const stack = await startOwnStack({ engine, modes: ['standalone'], streams: true });
      onTestFinished(() => stack.close());
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
      const preflight = await fetch(stack.engine.url, { method: 'OPTIONS', headers });
      // By default, it allows every web page every request.
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
      expect([stack.engine.isForeign, stack.engine.file]).toEqual([false, undefined]);
      const service = api('standalone', stack.info);
      const order = { platform: 'web', orderId: randomUUID() };
      // The stream, whose iterators the guard must parse, feeds the function that publishes.
      const requested = stack.next(published('return.requested'));
      expect(await send(service, register(order, 2), randomUUID())).toMatchObject({ status: 201 });
      const created = await send(service, create(order, 1, 'serial-1'), randomUUID());
      expect(created.status).toBe(201);
      const subject = subjectOf(order, created);
      // Writers compete for one version: one wins, and the transaction's condition rejects the others.
      const patches = await Promise.all(
        ['a', 'b', 'c'].map((tag) => send(service, steps.updateReturn(subject, tag), randomUUID())),
      );
      expect(patches.map(({ status }: Answer) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
      await requested;
      // A second start of Java costs half of this test.
      if (!runsEveryCase()) return;
      // Acknowledged writes survive a kill of the engine.
      await stack.engine.kill?.();
      const revived = await startEngine(stack.dataDir, Number(new URL(stack.engine.url).port), engine);
      onTestFinished(revived.close);
      const cancelled = stack.next(published('return.cancelled'));
      expect(await send(service, steps.cancel(subject, ''), randomUUID())).toMatchObject({ status: 200 });
      await cancelled;
    },
  );
});
