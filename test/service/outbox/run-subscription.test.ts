import { afterAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../lib/domain/events/endpoint.ts';
import { inSoak, runsEveryCase } from '../../support/samples.ts';
import { sequencesOf, startReceiver } from './receiver.ts';
import { dyingSession, startDeliveryWorld } from './delivery-world.ts';
import { approved, changeEndpoint, group, happen, happenIn, makeEndpoint, makeReturns, session } from './seed.ts';
import { eventId } from '../../../lib/domain/events/cloud-event.ts';
import { readEndpoint } from '../../../lib/store/events/endpoints.ts';
import { readBlockedStreams } from '../../../lib/store/events/blocked-streams.ts';
import { readDomainEvents } from '../../../lib/store/events/outbox.ts';
import { readWebhookDelivery } from '../../../lib/store/events/webhook-deliveries.ts';

const { closeWorld, work } = await startDeliveryWorld();

afterAll(closeWorld);

const hours = 3_600_000;
/** Returns a clock that is so far ahead. */
const later = (ms: number) => ({ now: () => Date.now() + ms });

const idOf = async (returnId: string, sequence: number): Promise<string> => {
  const [domainEvent] = await readDomainEvents(session, `RETURN#${returnId}`, sequence - 1, sequence);
  if (domainEvent === undefined) throw new Error(`nothing happened to ${returnId}`);
  return eventId(`RETURN#${returnId}`, domainEvent);
};

describe('subscription', () => {
  it('delivers events after the endpoint’s creation, in order for each return, once', async () => {
    await using receiver = await startReceiver();
    const [before = '', ...returns] = makeReturns(6);
    await happen(before, approved(2));
    const endpoint = await makeEndpoint(receiver.url);
    for (const one of [before, ...returns]) await happen(one, approved(3));
    for (const one of returns) await happen(one, approved(2));
    expect(await work(endpoint)).toBe('idle');
    expect(sequencesOf(receiver, before)).toEqual([3, 4, 5]);
    for (const one of returns) expect(sequencesOf(receiver, one)).toEqual([1, 2, 3, 4, 5]);
    const sent = await readWebhookDelivery(session, endpoint.id, await idOf(before, 3));
    expect(sent).toMatchObject({ status: 'delivered', sequence: 3, attempts: [{ status: 204 }] });
    expect(await work(endpoint)).toBe('idle');
    expect(receiver.arrived).toHaveLength(28);
  });

  it('delivers the events that match the endpoint’s patterns', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url, { eventTypes: ['refund.*', 'return.approved'] });
    const [one = ''] = makeReturns(1);
    await happen(one, ['return.requested', 'return.approved', 'refund.issued', 'return.completed']);
    await work(endpoint);
    expect(sequencesOf(receiver, one)).toEqual([2, 3]);
  });

  it('blocks a failing event and those after it, and delivers them later in order', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [bad = '', ...others] = makeReturns(4);
    receiver.answer = ({ subject }) => ({ status: subject === bad ? 500 : 200 });
    for (const one of [bad, ...others]) await happen(one, approved(3));
    await work(endpoint);
    for (const one of others) expect(sequencesOf(receiver, one)).toEqual([1, 2, 3]);
    expect(sequencesOf(receiver, bad, true)).toEqual([1]);
    await happen(bad, approved(1));
    await work(endpoint);
    expect(sequencesOf(receiver, bad, true)).toEqual([1]);
    expect(await readBlockedStreams(session, endpoint.id, group)).toMatchObject([{ from: 1, upTo: 4, attempts: 1 }]);
    receiver.answer = () => ({ status: 200 });
    await work(endpoint, later(120_000));
    expect(sequencesOf(receiver, bad)).toEqual([1, 2, 3, 4]);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
    expect(await readWebhookDelivery(session, endpoint.id, await idOf(bad, 1))).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 500 }, { status: 200 }],
    });
  });

  it.each(inSoak('does not wait for slow events'))('%s', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [slow = '', ...others] = makeReturns(3);
    const held = Promise.withResolvers<void>();
    receiver.answer = async ({ subject }) => {
      if (subject === slow) await held.promise;
      return { status: 200 };
    };
    await happen(slow, approved(2));
    const working = work(endpoint);
    await receiver.server.received(1);
    for (const one of others) await happen(one, approved(1));
    await receiver.server.received(3);
    held.resolve();
    expect(await working).toBe('idle');
    expect(sequencesOf(receiver, slow)).toEqual([1, 2]);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });

  it('waits for as long as a receiver asks', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7200' } });
    await happen(one, approved(1));
    await work(endpoint);
    await work(endpoint, later(1.9 * hours));
    expect(receiver.arrived).toHaveLength(1);
    receiver.answer = () => ({ status: 200 });
    await work(endpoint, later(2.1 * hours));
    expect(sequencesOf(receiver, one)).toEqual([1]);
  });

  it('gives an event up after a day and continues with the next one', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [bad = ''] = makeReturns(1);
    receiver.answer = ({ data }) => ({ status: data.sequence === 1 ? 400 : 200 });
    await happen(bad, approved(3));
    await work(endpoint);
    await work(endpoint, later(6 * hours));
    expect(await readWebhookDelivery(session, endpoint.id, await idOf(bad, 1))).toMatchObject({ status: 'retrying' });
    await work(endpoint, later(25 * hours));
    expect(await readWebhookDelivery(session, endpoint.id, await idOf(bad, 1))).toMatchObject({ status: 'failed' });
    await work(endpoint, later(26 * hours));
    expect(sequencesOf(receiver, bad)).toEqual([2, 3]);
  });

  // The previous test gives an event up after a day, with fewer attempts.
  it.each(inSoak('counts that day from the first attempt, for any number of attempts'))('%s', async () => {
    const endpoint = await makeEndpoint('https://hooks.example.com');
    const [bad = ''] = makeReturns(1);
    await happen(bad, approved(1));
    const attempt = async (afterMs: number) => {
      const at = new Date(Date.now() + afterMs).toISOString();
      await work(endpoint, { ...later(afterMs), sendEvent: async () => ({ ok: false, status: 400, at, ms: 1 }) });
      return (await readWebhookDelivery(session, endpoint.id, await idOf(bad, 1)))?.status;
    };
    const statuses = [];
    for (const after of [0, 8, 16, 23, 25]) statuses.push(await attempt(after * hours));
    expect(statuses).toEqual(['retrying', 'retrying', 'retrying', 'retrying', 'failed']);
  });
});

describe.each(inSoak('subscription of an endpoint that was disabled for longer than the event retention'))('%s', () => {
  it('continues at the oldest stored event', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    const days = 33 * 24 * hours;
    await happenIn(`RETURN#${one}`, approved(2), Date.now() + days);
    expect(await work(endpoint, later(days))).toBe('idle');
    expect(sequencesOf(receiver, one)).toEqual([2, 3]);
  });
});

describe('failing endpoint', () => {
  it('gets one event at a time, and all events once it answers again', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const returns = makeReturns(24);
    for (const one of returns) await happen(one, approved(2));
    receiver.answer = () => 'reset';
    await work(endpoint);
    const first = receiver.arrived.length;
    expect(first).toBeGreaterThanOrEqual(5);
    // Sixteen at once, and four more in place of the first four that failed.
    expect(first).toBeLessThanOrEqual(20);
    await work(endpoint);
    expect(receiver.arrived).toHaveLength(first);
    await work(endpoint, later(1 * hours));
    await work(endpoint, later(3 * hours));
    expect(receiver.arrived).toHaveLength(first + 2);
    receiver.answer = () => ({ status: 200 });
    await work(endpoint, later(6 * hours));
    for (const one of returns) expect(sequencesOf(receiver, one)).toEqual([1, 2]);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });

  it('is disabled after three days of failures only, which is reported, and continues where it stopped', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const returns = makeReturns(8);
    for (const one of returns) await happen(one, approved(1));
    receiver.answer = () => ({ status: 502 });
    for (const day of [0, 24, 48, 71]) expect(await work(endpoint, later(day * hours))).toBe('idle');
    expect(await work(endpoint, later(73 * hours))).toBe('stopped');
    expect(await readEndpoint(session, endpoint.id)).toMatchObject({ version: 2, disabled: { reason: 'failing' } });
    expect(await readDomainEvents(session, `ENDPOINT#${endpoint.id}`, 0, 9)).toMatchObject([
      { sequence: 2, type: 'webhook_endpoint.disabled', data: { endpointId: endpoint.id, reason: 'failing' } },
    ]);
    const arrivals = receiver.arrived.length;
    expect(await work(endpoint, later(80 * hours))).toBe('stopped');
    expect(receiver.arrived).toHaveLength(arrivals);
    receiver.answer = () => ({ status: 200 });
    await changeEndpoint(endpoint, (disabled) => Object.assign(disabled, { disabled: undefined }));
    await work(endpoint, later(81 * hours));
    const brought = returns.filter((one) => sequencesOf(receiver, one).length === 1);
    const failed = await Promise.all(
      returns.map(async (one) => (await readWebhookDelivery(session, endpoint.id, await idOf(one, 1)))?.status),
    );
    expect(brought).toHaveLength(failed.filter((status) => status === 'delivered').length);
    expect(failed.every((status) => status === 'delivered' || status === 'failed')).toBe(true);
  });

  const enabledAt = (endpoint: Endpoint, at: number): Promise<void> =>
    changeEndpoint(endpoint, (found) => ({ ...found, enabledAt: new Date(Date.now() + at).toISOString() }));

  it('is not disabled for earlier failures once it is enabled again', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    for (const each of makeReturns(8)) await happen(each, approved(1));
    receiver.answer = () => ({ status: 502 });
    for (const day of [0, 24, 48, 71]) await work(endpoint, later(day * hours));
    await enabledAt(endpoint, 73 * hours);
    expect(await work(endpoint, later(73.1 * hours))).toBe('idle');
    expect((await readEndpoint(session, endpoint.id))?.disabled).toBeUndefined();
  });

  it('gets the waiting events at once when it is enabled again', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const returns = makeReturns(8);
    for (const each of returns) await happen(each, approved(1));
    receiver.answer = () => ({ status: 502, headers: { 'retry-after': '7200' } });
    await work(endpoint);
    receiver.answer = () => ({ status: 200 });
    await enabledAt(endpoint, 0.1 * hours);
    await work(endpoint, later(0.2 * hours));
    for (const each of returns) expect(sequencesOf(receiver, each)).toEqual([1]);
  });

  it('is disabled at once when it answers 410', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    receiver.answer = () => ({ status: 410 });
    await happen(one, approved(2));
    expect(await work(endpoint)).toBe('stopped');
    expect(receiver.arrived).toHaveLength(1);
    expect(await readEndpoint(session, endpoint.id)).toMatchObject({ disabled: { reason: 'gone' } });
  });
});

describe('worker', () => {
  it.each(inSoak('that is killed at any point skips no event, and reorders no return'))('%s', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const returns = makeReturns(5);
    for (const one of returns) await happen(one, approved(2));
    receiver.answer = ({ data }) => ({ status: data.sequence === 2 && receiver.arrived.length % 5 === 0 ? 500 : 200 });
    let at = 0;
    for (let calls = 2; calls < 60; calls += runsEveryCase() ? 4 : 8) {
      at += 120_000;
      await work(endpoint, { session: dyingSession(calls), ...later(at) }).catch(() => undefined);
    }
    receiver.answer = () => ({ status: 200 });
    for (let round = 0; round < 3; round += 1) await work(endpoint, later((at += 600_000)));
    for (const one of returns) {
      const sequences = sequencesOf(receiver, one);
      expect(new Set(sequences)).toEqual(new Set([1, 2]));
      // Repeated events start with the one before.
      expect(sequences.filter((sequence, index) => sequence - (sequences[index - 1] ?? 0) > 1)).toEqual([]);
    }
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });

  it('that was frozen changes nothing once another one holds its lease', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    const held = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await held.promise;
      return { status: 500 };
    };
    const frozen = work(endpoint);
    await receiver.server.received(1);
    receiver.answer = () => ({ status: 200 });
    expect(await work(endpoint, later(90_000))).toBe('idle');
    const delivered = await readWebhookDelivery(session, endpoint.id, await idOf(one, 1));
    expect(delivered).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });
    held.resolve();
    expect(await frozen).toBe('held');
    expect(await readWebhookDelivery(session, endpoint.id, await idOf(one, 1))).toEqual(delivered);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });

  it('reads again when a notification arrived while it held the subscription', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = '', other = ''] = makeReturns(2);
    const held = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await held.promise;
      return { status: 200 };
    };
    await happen(one, approved(1));
    const holding = work(endpoint);
    await receiver.server.received(1);
    await happen(other, approved(1));
    expect(await work(endpoint)).toBe('held');
    held.resolve();
    expect(await holding).toBe('idle');
    expect(sequencesOf(receiver, other)).toEqual([1]);
  });

  it('ignores a lease that ends further in the future than its clock can write', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(1));
    // Killed with a clock that runs a year ahead.
    await work(endpoint, { session: dyingSession(5), ...later(365 * 24 * hours) }).catch(() => undefined);
    expect(await work(endpoint)).toBe('idle');
    expect(sequencesOf(receiver, one)).toContain(1);
  });

  it.each(inSoak('ends when its time is over, and reports that it has not finished'))('%s', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const returns = makeReturns(30);
    for (const one of returns) await happen(one, approved(1));
    expect(await work(endpoint, { isOver: () => receiver.arrived.length >= 10 })).toBe('unfinished');
    expect(receiver.arrived.length).toBeLessThan(30);
    expect(await work(endpoint)).toBe('idle');
    for (const one of returns) expect(sequencesOf(receiver, one)).toEqual([1]);
  });
});
