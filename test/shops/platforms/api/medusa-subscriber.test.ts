import { afterEach, describe, expect, test, vi } from 'vitest';
import sendOn, { config } from '../../../../lib/tools/guides/examples/medusa-subscriber.ts';
import { startServer, type Answer } from '../../../support/http-server.ts';
import { key, openMedusa } from '../medusa-case.ts';
import { orderId, returnId } from '../medusa-shop.ts';

const { receiver, translator } = await openMedusa();
const event = {
  name: 'order.return_requested',
  data: { order_id: orderId, return_id: returnId },
  metadata: { eventGroupId: '01JC' },
};

/** Starts a server in place of our webhook endpoint. */
const hooks = async (answer: Answer = { status: 200 }) => {
  const server = await startServer(() => answer);
  vi.stubEnv('RETURNS_WEBHOOK_URL', `${server.origin}/webhooks/medusa/nordic`);
  vi.stubEnv('RETURNS_WEBHOOK_SECRET', `whsec_${key.toString('base64')}`);
  return server;
};
afterEach(() => void vi.unstubAllEnvs());

describe('Medusa subscriber', () => {
  test('sends a delivery that the receiver accepts and that leads to the return', async () => {
    await using server = await hooks();
    await sendOn({ event });
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = server.requests;
    expect(path).toBe('/webhooks/medusa/nordic');
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const verification = await receiver.authenticate(
      { method: 'POST', source: 'nordic', query: {}, headers: flat, body: Buffer.from(body) },
      new AbortController().signal,
    );
    expect(verification).toMatchObject({ kind: 'authentic', delivery: { source: 'nordic', topic: event.name } });
    const delivery = { source: 'nordic', topic: event.name, body: JSON.parse(body) as unknown };
    expect(await translator.prepare(delivery, Date.now() + 20_000)).toMatchObject({
      kind: 'snapshot',
      returns: [{ remote: { externalId: returnId } }],
    });
  });

  test('repeats the id on a retry, and uses separate ids for indistinguishable events', async () => {
    await using server = await hooks();
    for (const attempt of [event, event, { ...event, metadata: {} }, { ...event, metadata: {} }])
      await sendOn({ event: attempt });
    const ids = server.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
  });

  test('throws when an event is rejected, so that the event bus retries it', async () => {
    await using server = await hooks({ status: 503 });
    await expect(sendOn({ event })).rejects.toThrow('503');
    expect(server.requests.length).toBe(1);
  });

  test('subscribes only to events that the platform translates', async () => {
    for (const topic of config.event) {
      const outcome = await translator.prepare({ source: 'nordic', topic, body: {} }, Date.now() + 20_000);
      expect(outcome).toEqual({ kind: 'parked', reason: 'payload_unexpected', path: '/data' });
    }
  });
});
