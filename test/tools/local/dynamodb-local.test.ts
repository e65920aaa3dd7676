import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findEngine } from '../../../lib/tools/local/engine/engine-choice.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import type { StackEvent } from '../../../lib/tools/local/events.ts';
import { api } from '../../support/api.ts';
import { create, register, send, steps, subjectOf } from '../../support/life.ts';
import { startOwnStack } from '../../support/own-stack.ts';

/*
 * Runs the requests of the bundle to DynamoDB on AWS's own emulator. Without Java, only the first test is registered.
 * `npm run soak` runs all of test/store and test/contract on it.
 */

const { PATH, HOME, JAVA_HOME } = process.env;
const engines = await findEngine({ PATH, HOME, JAVA_HOME, RETURNS_ENGINE: 'dynamodb-local' }).then(
  (engine) => [engine],
  () => [],
);

const published = (type: string) => (event: StackEvent) =>
  event.type === 'published' && JSON.stringify(event).includes(`.${type}`);

describe('DynamoDB Local', () => {
  test('is named with an installation command where it is missing', async () => {
    const found = findEngine({ PATH: '', RETURNS_ENGINE: 'dynamodb-local' });
    await expect(found).rejects.toThrow('No DynamoDB engine was found');
  });

  test.each(engines)('runs the standalone mode, rejects web pages, and survives its kill', async (engine) => {
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
    await send(service, register(order, 2), randomUUID());
    const created = await send(service, create(order, 1, 'serial-1'), randomUUID());
    const subject = subjectOf(order, created);
    await requested;
    // Acknowledged writes survive a kill of the engine.
    await stack.engine.kill?.();
    const revived = await startEngine(stack.dataDir, Number(new URL(stack.engine.url).port), engine);
    onTestFinished(revived.close);
    const cancelled = stack.next(published('return.cancelled'));
    expect(await send(service, steps.cancel(subject, ''), randomUUID())).toMatchObject({ status: 200 });
    await cancelled;
  });
});
