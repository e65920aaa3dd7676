import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { sequencesOf, startReceiver } from './receiver.ts';
import { dyingSession, watchedSession, startDeliveryWorld } from './delivery-world.ts';
import { approved, changeEndpoint, group, happen, makeEndpoint, makeReturns, session } from './seed.ts';
import { readEndpoint } from '../../../lib/store/events/endpoints.ts';
import { eventPartitionOf } from '../../../lib/store/events/event-partitions.ts';
import { readBlockedStreams, putBlockedStream } from '../../../lib/store/events/blocked-streams.ts';
import { writeDomainEvent } from '../../../lib/store/events/outbox.ts';
import { transact } from '../../../lib/store/engine/transact.ts';

const { closeWorld, work } = await startDeliveryWorld();

afterAll(closeWorld);

const hours = 3_600_000;

/** An event with irrelevant content. */
const metadata = {
  sequence: 1,
  type: 'return.approved',
  at: new Date().toISOString(),
  actor: { clientId: 'test' },
  data: {},
  causationId: 'test',
  correlationId: '0'.repeat(32),
};
/** Returns a clock that is so far ahead. */
const later = (ms: number) => ({ now: () => Date.now() + ms });

describe('worker', () => {
  it('that is killed between two writes of one state does not skip the content of the second write', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    // A page of a partition has all new events of one return.
    const alone = [...Map.groupBy(makeReturns(100), (one) => eventPartitionOf(`RETURN#${one}`)).values()].map(
      ([one = '']) => one,
    );
    const [bad = '', unreachable = '', ...others] = alone.slice(0, 10);
    // More returns than a transaction takes, and all in one round.
    for (const one of others) await happen(one, approved(12));
    for (const one of [bad, unreachable]) await happen(one, approved(1));
    const allRequested = Promise.withResolvers<void>();
    let requests = 0;
    receiver.answer = async ({ subject }) => {
      if ((requests += 1) === 98) allRequested.resolve();
      if (subject === unreachable) await allRequested.promise;
      return { status: subject === unreachable ? 410 : subject === bad ? 500 : 200 };
    };
    const dying = dyingSession(1, (command) => command instanceof TransactWriteCommand);
    await expect(work(endpoint, { session: dying })).rejects.toThrow('killed');
    receiver.answer = () => ({ status: 200 });
    expect(await work(endpoint, later(0.1 * hours))).toBe('idle');
    for (const one of [bad, unreachable]) expect(sequencesOf(receiver, one)).toEqual([1]);
  });

  it('starts no more events for a disabled endpoint while earlier ones run', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    for (const one of makeReturns(20)) await happen(one, approved(2));
    const held = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await held.promise;
      return { status: 200 };
    };
    // The worker knows that the endpoint is disabled when it has read the secrets after the endpoint.
    const isKnown = Promise.withResolvers<void>();
    let [isDisabled, isRead] = [false, false];
    const watched = watchedSession(
      (command) => {
        if (isDisabled && command instanceof GetCommand && command.input.Key?.['pk'] === 'ENDPOINTS') isRead = true;
      },
      (command) => {
        if (isRead && command instanceof GetCommand && command.input.Key?.['sk'] === 'SECRETS') isKnown.resolve();
      },
    );
    const working = work(endpoint, { session: watched });
    await receiver.server.received(16);
    const at = new Date().toISOString();
    await changeEndpoint(endpoint, (found) => ({ ...found, disabled: { at, reason: 'requested' } }));
    isDisabled = true;
    await isKnown.promise;
    held.resolve();
    expect(await working).toBe('stopped');
    expect(receiver.arrived).toHaveLength(16);
  });

  it('leaves the next event of a return to others when its time is over', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    await happen(one, approved(9));
    expect(await work(endpoint, { isOver: () => receiver.arrived.length >= 3 })).toBe('unfinished');
    expect(sequencesOf(receiver, one)).toEqual([1, 2, 3]);
    expect(await work(endpoint)).toBe('idle');
    expect(sequencesOf(receiver, one)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('subscription with a hundred waiting returns', () => {
  it('reads no more until some of them are delivered', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const now = Date.now();
    const waiting = makeReturns(100);
    const blockedFields = { from: 1, upTo: 1, attempts: 1, since: now, retryAt: now + hours };
    await transact(
      session,
      waiting.map((one) => writeDomainEvent(`RETURN#${one}`, metadata)),
    );
    await transact(
      session,
      waiting.map((one) => putBlockedStream(endpoint.id, group, { stream: `RETURN#${one}`, ...blockedFields })),
    );
    const [recent = ''] = makeReturns(1);
    await happen(recent, approved(1));
    expect(await work(endpoint)).toBe('idle');
    expect(receiver.arrived).toEqual([]);
    expect(await work(endpoint, later(2 * hours))).toBe('idle');
    for (const one of [...waiting, recent]) expect(sequencesOf(receiver, one)).toEqual([1]);
    expect(receiver.arrived.findIndex(({ event }) => event.subject === recent)).toBeGreaterThan(0);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });
});

describe('endpoint that is enabled again', () => {
  it('has a new day for the events that failed before', async () => {
    await using receiver = await startReceiver();
    const now = Date.now();
    const enabledAt = new Date(now - hours).toISOString();
    const endpoint = await makeEndpoint(receiver.url, { enabledAt });
    const [one = ''] = makeReturns(1);
    const domainEvent = { ...metadata, at: new Date(now - 80 * hours).toISOString() };
    const blockedFields = { from: 1, upTo: 1, attempts: 9, since: now - 80 * hours, retryAt: now + hours };
    await transact(session, [
      writeDomainEvent(`RETURN#${one}`, domainEvent),
      putBlockedStream(endpoint.id, group, { stream: `RETURN#${one}`, ...blockedFields }),
    ]);
    // It fails for a while after the enabling.
    receiver.answer = () => ({ status: 503 });
    expect(await work(endpoint)).toBe('idle');
    expect(receiver.arrived).toHaveLength(1);
    receiver.answer = () => ({ status: 200 });
    await work(endpoint, later(0.1 * hours));
    expect(sequencesOf(receiver, one)).toEqual([1]);
  });
});

describe('subscription that a clock ahead of time wrote', () => {
  it('gives an event a day from now', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [one = ''] = makeReturns(1);
    const [stream, ahead] = [`RETURN#${one}`, Date.now() + 9_000 * hours];
    const blockedFields = { from: 1, upTo: 1, attempts: 1, since: ahead, retryAt: ahead };
    await transact(session, [
      writeDomainEvent(stream, metadata),
      putBlockedStream(endpoint.id, group, { stream, ...blockedFields }),
    ]);
    receiver.answer = () => ({ status: 400 });
    for (const at of [0, 6, 25]) await work(endpoint, later(at * hours));
    expect(receiver.arrived).toHaveLength(3);
    expect(await readBlockedStreams(session, endpoint.id, group)).toEqual([]);
  });
});

describe('endpoint with one successful subscription', () => {
  it('is not disabled for the failures of another one, until all fail', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [[bad = ''], [good = '']] = [makeReturns(1), makeReturns(1, 2)];
    receiver.answer = ({ subject }) => ({ status: subject === bad ? 400 : 200 });
    for (const one of [bad, good]) await happen(one, approved(3));
    await work(endpoint);
    await work(endpoint, { group: 2, ...later(30 * hours) });
    await work(endpoint, later(30 * hours));
    expect(await work(endpoint, later(73 * hours))).toBe('idle');
    expect((await readEndpoint(session, endpoint.id))?.disabled).toBeUndefined();
    expect(await work(endpoint, later(103 * hours))).toBe('stopped');
    expect((await readEndpoint(session, endpoint.id))?.disabled).toMatchObject({ reason: 'failing' });
  });
});
