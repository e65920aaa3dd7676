import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AccessEvent, OnAccessEvent } from '../../../lib/access/oauth/access-event.ts';
import { clientSecret, minute, read, second, secretNamed, secretText, startHarness, type Harness } from './harness.ts';

/** Two renewals of a token of one hour. */
const duration = 2 * 3_540 * second;

/** The time that passes at once while something waits. */
const step = 100;

/** Counts the events of a container, and lets a test wait for the next one. */
const countEvents = () => {
  const counts = { started: 0, retried: 0, ended: 0, read: 0 };
  let next = Promise.withResolvers<void>();
  const onEvent: OnAccessEvent = (event: AccessEvent) => {
    if (event.type === 'token requested' && event.action === 'started') counts.started += 1;
    else if (event.type === 'token request retried') counts.retried += 1;
    else if (event.type === 'token request ended') counts.ended += 1;
    else if (event.type === 'secret read') counts.read += 1;
    else return;
    next.resolve();
    next = Promise.withResolvers();
  };
  return { counts, onEvent, next: () => next.promise };
};

/** Starts a container whose token endpoint answers after `latency`. */
const startSlow = async (latency: number) => {
  const events = countEvents();
  const harness = await startHarness({ onEvent: events.onEvent });
  const { clock, idp } = harness;
  let released = 0;
  let seen = 0;
  const { counts } = events;
  idp.always = () =>
    new Promise((resolve) => {
      const flight = counts.started;
      clock.after(latency, () => {
        // The slower one of two requests has no reader any more.
        if (flight > counts.ended) released += 1;
        resolve(undefined);
      });
    });
  /** Lets time pass while something waits, and never while a message is on its way. */
  const passUntil = async (done: Promise<unknown>): Promise<void> => {
    const progress = { isDone: false };
    const ending = done.finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) {
      if (counts.started === counts.ended) {
        seen = released;
        await Promise.race([ending, events.next()]);
      } else if (released > seen) {
        await events.next();
        seen = released;
      } else {
        await idp.server.received(counts.started + counts.retried);
        clock.advance(step);
        await nextTurn();
      }
    }
  };
  return { harness, passUntil };
};

/** Makes a call as a handler does, and returns how long it held its caller, with the error if it failed. */
const call = async ({ harness, passUntil }: Awaited<ReturnType<typeof startSlow>>) => {
  const { access, clock } = harness;
  const startedAt = clock.now();
  const token = (async () => access.token(read, clock.now() + 30 * second))();
  const failure: unknown = await Promise.race([
    token.then(() => undefined),
    passUntil(token).then(() => undefined),
  ]).catch((error: unknown) => error);
  await passUntil(access.drain(30 * second));
  return { heldMs: clock.now() - startedAt, failure };
};

describe.each([
  ['a second', second],
  ['a minute', minute],
])('renewal at a call %s', (_, period) => {
  it.each([1.2, 2, 2.6, 4])('fails no call and holds none above 1 s behind a latency of %d s', async (seconds) => {
    const slow = await startSlow(seconds * second);
    await using harness: Harness = slow.harness;
    await call(slow);
    const end = harness.clock.now() + duration;
    const held: number[] = [];
    while (harness.clock.now() < end) {
      harness.clock.advance(period);
      const { heldMs, failure } = await call(slow);
      expect(failure).toBeUndefined();
      held.push(heldMs);
    }
    // The end of a wait may need one more step to arrive.
    expect(Math.max(...held)).toBeLessThanOrEqual(second + step);
    // A slow answer gets a second request beside it after 2.5 s.
    expect(harness.posts()).toBeLessThanOrEqual(3 * (seconds > 2.5 ? 2 : 1));
    expect(new Set(harness.events.map(({ type }) => type))).not.toContain('token not obtained');
  });
});

describe('token past its hard age', () => {
  it('makes all callers wait for the one request that is open', async () => {
    const slow = await startSlow(4 * second);
    await using harness: Harness = slow.harness;
    await call(slow);
    harness.clock.advance(2_880 * second);
    await call(slow);
    harness.clock.advance(660 * second);
    const both = Promise.all([harness.text(), harness.text()]);
    await slow.passUntil(both);
    const [one, other] = await both;
    expect(one).not.toBe('token-1');
    expect(other).toBe(one);
    // At most two for the first token, and two for this one.
    expect(harness.posts()).toBeLessThanOrEqual(4);
  });
});

describe('slow Secrets Manager', () => {
  it('delays a call by one second, and its new version is used in the next call', async () => {
    await using harness = await startHarness();
    const { access, clock, secrets } = harness;
    await harness.text();
    harness.rotate('v2', secretText(secretNamed('two')));
    harness.idp.accepted.delete(clientSecret);
    harness.idp.accepted.add(secretNamed('two'));
    const { promise, resolve } = Promise.withResolvers<void>();
    secrets.hold = promise;
    clock.advance(20 * minute);
    expect(await harness.text()).toBe('token-1');
    await secrets.server.received(2);
    const draining = access.drain(10 * second);
    await clock.scheduled(second);
    clock.advance(second);
    await draining;
    // The answer waits in the socket while the container is frozen.
    resolve();
    clock.advance(minute);
    await harness.text();
    await access.drain(10 * second);
    clock.advance(40 * minute);
    expect(await harness.text()).toBe('token-2');
    expect(harness.posts()).toBe(2);
  });

  it('takes no time from the token request after it', async () => {
    await using harness = await startHarness();
    const { access, clock, idp, secrets } = harness;
    await harness.text();
    const secretRead = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<undefined>();
    secrets.hold = secretRead.promise;
    idp.always = () => answered.promise;
    clock.advance(2_880 * second);
    await harness.text();
    await secrets.server.received(2);
    clock.advance(2.4 * second);
    secretRead.resolve();
    await idp.server.received(2);
    clock.advance(2.7 * second);
    answered.resolve(undefined);
    await access.drain(10 * second);
    expect(harness.events.map(({ type }) => type)).not.toContain('token not obtained');
    expect(await harness.text()).not.toBe('token-1');
  });
});

describe('connection that breaks in a freeze', () => {
  it('causes no pause of requests', async () => {
    await using harness = await startHarness();
    const { access, clock, idp } = harness;
    await harness.text();
    clock.advance(2_880 * second);
    const { promise, resolve } = Promise.withResolvers<'reset'>();
    idp.always = () => promise;
    await harness.text();
    await idp.server.received(2);
    const draining = access.drain(10 * second);
    await clock.scheduled(second);
    clock.advance(second);
    await draining;
    resolve('reset');
    idp.always = undefined;
    idp.instead.push('reset');
    clock.advance(minute);
    await harness.text();
    await access.drain(10 * second);
    await harness.text();
    await access.drain(10 * second);
    expect(await harness.text()).toBe('token-2');
    expect(harness.events.map(({ type }) => type)).not.toContain('token not obtained');
  });
});
