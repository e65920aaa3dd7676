import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { api } from '../support/api.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { createReturn } from '../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ streams: true, ways: ['standalone'] });
});
afterAll(async () => stack.close());

it('publishes, logs and counts what the stream brings, under the roles of the functions', async () => {
  const service = api('standalone', stack.info);
  const { id } = await createReturn(service);
  await vi.waitFor(
    async () => {
      const [events, summary] = await Promise.all([service.get('/events'), service.get('/summary')]);
      expect(events.body).toMatchObject({ items: [{ subject: id, data: { sequence: 1 } }] });
      expect(summary.body).toMatchObject({ returns: 1 });
    },
    { timeout: 60_000, interval: 200 },
  );
  const taken = await fetch(`${stack.info.aws.eventBridge}/events?after=0`);
  expect(await taken.json()).toMatchObject({ events: [{ event: { detail: { subject: id } } }] });
});
