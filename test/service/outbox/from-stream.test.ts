import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ streams: true, modes: ['standalone'] });
});
afterAll(async () => stack.close());

describe('outbox on the stream', () => {
  it('publishes, appends and counts the events of the stream, under the roles of the functions', async () => {
    const service = api('standalone', stack.info);
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/approve`, {}, { headers: { 'returns-on-behalf-of': 'ada-marker' } });
    await vi.waitFor(
      async () => {
        const [events, summary] = await Promise.all([service.get('/events'), service.get('/summary')]);
        expect(events.body).toMatchObject({ items: [1, 2].map((sequence) => ({ subject: id, data: { sequence } })) });
        expect(JSON.stringify(events.body)).not.toContain('ada-marker');
        expect(summary.body).toMatchObject({ returns: 1 });
      },
      { timeout: 120_000, interval: 200 },
    );
    const taken = await fetch(`${stack.info.aws.eventBridge}/events?after=0`);
    const published: unknown = await taken.json();
    expect(published).toMatchObject({ events: [1, 2].map(() => ({ event: { detail: { subject: id } } })) });
    expect(JSON.stringify(published)).not.toContain('ada-marker');
  });
});
