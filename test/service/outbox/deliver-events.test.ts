import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { deliverEvents } from '../../../lib/service/outbox/deliver-events.ts';
import { notifySubscriptions } from '../../../lib/service/outbox/publish-events.ts';
import { notifyLaggingSubscriptions } from '../../../lib/service/outbox/notify-lagging-subscriptions.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { readEndpoints, removeEndpoint } from '../../../lib/store/events/endpoints.ts';
import { partitionsOfGroup, readSubscriptions } from '../../../lib/store/events/subscriptions.ts';
import { readBlockedStreams } from '../../../lib/store/events/blocked-streams.ts';
import { readWebhookDelivery } from '../../../lib/store/events/webhook-deliveries.ts';
import { batch } from '../../shops/inbox/support.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { contextWith, withTimeLeft } from '../../support/time.ts';
import { dyingSession, startDeliveryWorld } from './delivery-world.ts';
import { sequencesOf, startReceiver } from './receiver.ts';
import * as seed from './seed.ts';

const { closeWorld, emptyQueue, takeMessages, work } = await startDeliveryWorld();

const { approved, changeEndpoint, group, happen, makeEndpoint, makeReturns, secret, session } = seed;

afterAll(closeWorld);
beforeEach(emptyQueue);
afterEach(async () => {
  restoreEnvironment();
  for (const endpoint of await readEndpoints(session)) await transact(session, removeEndpoint(endpoint));
});

const deliver = async (message: object, context = contextWith()) =>
  deliverEvents(batch([{ MessageId: 'm-1', Body: JSON.stringify(message) }]), context);
const done = { batchItemFailures: [] };
const failed = { batchItemFailures: [{ itemIdentifier: 'm-1' }] };

describe('message of the outbox', () => {
  it('makes a worker send all pending events', async () => {
    await using receiver = await startReceiver();
    const { id } = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(2));
    expect(await deliver({ endpointId: id, group })).toEqual(done);
    expect(sequencesOf(receiver, one)).toEqual([1, 2]);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.server.requests;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'com.example.returns.return.approved',
      subject: one,
    });
    expect(await takeMessages()).toEqual([]);
  });

  it('is processed to its end while another message ends', async () => {
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await using receiver = await startReceiver();
    receiver.answer = async () => {
      started.resolve();
      await goOn.promise;
      return { status: 204 };
    };
    const { id } = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    const working = deliver({ endpointId: id, group });
    await started.promise;
    expect(await deliver({ endpointId: 'whk_1', eventId: 'x' })).toEqual(failed);
    goOn.resolve();
    expect(await working).toEqual(done);
    const blockedStreams = await readBlockedStreams(session, id, group);
    expect(sequencesOf(receiver, one)).toEqual([1]);
    expect(blockedStreams).toEqual([]);
  });

  it('is passed on by a worker with little time left', async () => {
    await using receiver = await startReceiver();
    const { id } = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    expect(await withTimeLeft(20_000, async (context) => deliver({ endpointId: id, group }, context))).toEqual(done);
    expect(receiver.arrived).toEqual([]);
    expect(await takeMessages()).toEqual([{ endpointId: id, group }]);
  });

  it.each([
    '',
    '{}',
    '{"endpointId":"whk_1","group":4}',
    '{"endpointId":"a b","group":0}',
    '{"endpointId":"a","eventId":"x"}',
  ])('is dead-lettered when it is invalid: %s', async (Body) => {
    expect(await deliverEvents(batch([{ MessageId: 'm-1', Body }]), contextWith())).toEqual(failed);
  });

  it('is retried when the store is down', async () => {
    const endpoint = await makeEndpoint('http://127.0.0.1:1/');
    await expect(work(endpoint, { session: dyingSession(3) })).rejects.toThrow('killed');
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${await freePort()}` });
    const message = batch([{ MessageId: 'm-1', Body: JSON.stringify({ endpointId: endpoint.id, group }) }]);
    expect(await deliverEvents(message, contextWith())).toEqual(failed);
  });

  it('removes the rows of a deleted endpoint', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    receiver.answer = () => ({ status: 500 });
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    await deliver({ endpointId: endpoint.id, group });
    expect(await readBlockedStreams(session, endpoint.id, group)).toHaveLength(1);
    await transact(session, removeEndpoint(endpoint));
    expect(await deliver({ endpointId: endpoint.id, group })).toEqual(done);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
    expect(await readSubscriptions(session, [endpoint.id], Date.now())).toEqual([]);
  });
});

describe('redelivery of an event', () => {
  it('is sent at once, also when a worker holds the subscription, and is recorded separately', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    receiver.answer = () => ({ status: 500 });
    await deliver({ endpointId: endpoint.id, group });
    const eventId = receiver.arrived[0]?.event.id ?? '';
    expect(await deliver({ endpointId: endpoint.id, eventId })).toEqual(done);
    expect(await readWebhookDelivery(session, endpoint.id, eventId)).toMatchObject({ status: 'retrying' });
    receiver.answer = () => ({ status: 200 });
    expect(await deliver({ endpointId: endpoint.id, eventId })).toEqual(done);
    expect(await readWebhookDelivery(session, endpoint.id, eventId)).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 500 }, { status: 500, redelivery: true }, { status: 200, redelivery: true }],
    });
    const bodies = new Set(receiver.server.requests.map(({ body }) => body));
    expect(bodies.size).toBe(1);
  });

  it('is recorded by each sender, also when all write at once', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    await deliver({ endpointId: endpoint.id, group });
    const eventId = receiver.arrived[0]?.event.id ?? '';
    await Promise.all(Array.from({ length: 6 }, () => deliver({ endpointId: endpoint.id, eventId })));
    expect((await readWebhookDelivery(session, endpoint.id, eventId))?.attempts).toHaveLength(7);
  });

  it('is not sent to an endpoint without the event, nor to a disabled one', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    expect(await deliver({ endpointId: endpoint.id, eventId: `evt_${'0'.repeat(26)}` })).toEqual(done);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    await deliver({ endpointId: endpoint.id, group });
    await changeEndpoint(endpoint, (now) => ({ ...now, disabled: { at: now.createdAt, reason: 'requested' } }));
    await deliver({ endpointId: endpoint.id, eventId: receiver.arrived[0]?.event.id });
    expect(receiver.arrived).toHaveLength(1);
  });
});

describe('subscription', () => {
  it('is notified when its partitions have grown, unless its endpoint is disabled', async () => {
    const endpoint = await makeEndpoint('http://127.0.0.1:1/');
    const disabled = { at: endpoint.createdAt, reason: 'requested' } as const;
    await makeEndpoint('http://127.0.0.1:1/', { disabled });
    await notifySubscriptions(session, new Set([0, 1, 63]));
    expect(await takeMessages()).toEqual(
      expect.arrayContaining([
        { endpointId: endpoint.id, group: 0 },
        { endpointId: endpoint.id, group: 3 },
      ]),
    );
    expect(await takeMessages()).toEqual([]);
  });

  it('is notified by the schedule after an outage of the queue', async () => {
    const endpoint = await makeEndpoint('http://127.0.0.1:1/');
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    stubEnvironment({ OUTBOX_QUEUE_URL: `http://127.0.0.1:${await freePort()}/000000000000/outbox` });
    await notifySubscriptions(session, new Set(partitionsOfGroup(group)));
    restoreEnvironment();
    expect(await notifyLaggingSubscriptions({}, contextWith())).toEqual({ notified: 1 });
    expect(await takeMessages()).toEqual([{ endpointId: endpoint.id, group }]);
  });

  it('is notified by the schedule after the death of a worker, and not while one works', async () => {
    const endpoint = await makeEndpoint('http://127.0.0.1:1/');
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    await expect(work(endpoint, { session: dyingSession(3) })).rejects.toThrow('killed');
    expect(await notifyLaggingSubscriptions({}, contextWith())).toEqual({ notified: 0 });
    const [subscription] = await readSubscriptions(session, [endpoint.id], Date.now() + 61_000);
    expect(subscription).toMatchObject({ held: false, left: true });
  });

  it('is notified when a retry is due, by one message however often it is checked', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    receiver.answer = () => ({ status: 500 });
    const [one = '', other = ''] = makeReturns(2);
    await happen(one, approved(1));
    // Soon: half of the delay with jitter, which is at least five seconds.
    await deliver({ endpointId: endpoint.id, group });
    receiver.answer = () => ({ status: 200 });
    await happen(other, approved(1));
    await deliver({ endpointId: endpoint.id, group });
    expect(sequencesOf(receiver, other)).toEqual([1]);
    const [subscription] = await readSubscriptions(session, [endpoint.id], Date.now());
    const [blockedStream] = await readBlockedStreams(session, endpoint.id, group);
    expect(subscription?.dueAt).toBe(blockedStream?.retryAt);
    // The queue delays it until then.
    expect(await takeMessages()).toEqual([]);
  });
});
