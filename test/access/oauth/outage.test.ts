import { describe, expect, it } from 'vitest';
import { AccessError } from '../../../lib/access/oauth/access-error.ts';
import type { OnAccessEvent } from '../../../lib/access/oauth/access-event.ts';
import { read, second } from './harness.ts';
import { startWorld, type CallOutcome, type World } from './world.ts';

/*
 * Ten minutes at a hundred requests a second. Each gets the token as a handler does, and settles. Every hundredth one
 * also calls the service, with the same result: the others would only repeat the same request.
 */
const ticks = 60_000;
const tick = 10;
/** Calls that fail at once are all alike: ten a second are enough. */
const failing = { ticks: ticks / 10, tick: tick * 10 };

/** Draws the shortest pauses. */
const random = () => 0;

type Mode = '503' | 'hang' | 'down';

/** Returns the number of token requests. Where no server counts them, it counts the attempts. */
const requestsOf = ({ posts, events }: World, mode: Mode): number =>
  mode === 'down'
    ? events.reduce((sum, one) => sum + (one.type === 'token request ended' ? one.attempts : 0), 0)
    : posts();

const begin = async ({ idp }: World, mode: Mode) => {
  idp.always = mode === 'hang' ? mode : { status: 503 };
  if (mode === 'down') await idp.server.fall();
};
const end = async ({ idp }: World, mode: Mode) => {
  idp.always = undefined;
  if (mode === 'down') await idp.server.rise();
};

/** Returns the text of a token, or the kind of the error. */
const requestToken = async ({ access, clock }: World): Promise<string> => {
  try {
    return (await access.token(read, clock.now() + 30 * second)).token.reveal();
  } catch (error) {
    if (error instanceof AccessError) return error.kind;
    throw error;
  }
};

/** Counts token requests: those that began, and whether one is open. */
const countRequests = () => {
  const counts = { begun: 0, isOpen: false };
  const onEvent: OnAccessEvent = (event) => {
    const isStarted = event.type === 'token requested' && event.action === 'started';
    if (isStarted || event.type === 'token request retried') counts.begun += 1;
    if (isStarted) counts.isOpen = true;
    if (event.type === 'token request ended') counts.isOpen = false;
  };
  return { counts, onEvent };
};

/** Settles as the handler does. A token endpoint that hangs delays it by a second, a read of the secret does not. */
const settle = async (
  world: World,
  mode: Mode,
  { begun: started, isOpen }: ReturnType<typeof countRequests>['counts'],
) => {
  const draining = world.drain();
  if (mode === 'hang' && isOpen) {
    await world.idp.server.received(started);
    world.clock.advance(second);
  }
  await draining;
};

describe('ten minutes without a token endpoint, at a hundred requests a second', () => {
  it.each<[Mode, number]>([
    ['503', 40],
    ['hang', 30],
    ['down', 40],
  ])('fails no call with a valid token, and makes at most 50 requests (%s)', async (mode, minimum) => {
    const { counts, onEvent } = countRequests();
    await using world = await startWorld({ random, onEvent });
    await world.call();
    world.clock.advance(2_700 * second);
    await begin(world, mode);
    const answers = new Set<string>();
    const seen = new Set<string>();
    for (let count = 0; count < ticks; count += 1) {
      if (count % 100 === 0) seen.add(JSON.stringify(await world.call()));
      else answers.add(await requestToken(world));
      await settle(world, mode, counts);
      world.clock.advance(tick);
    }
    expect([answers, seen]).toEqual([new Set(['token-1']), new Set(['{"status":200}'])]);
    // The token is due for renewal from the first request on.
    expect(requestsOf(world, mode) - 1).toBeGreaterThanOrEqual(minimum);
    expect(requestsOf(world, mode) - 1).toBeLessThanOrEqual(50);
    await end(world, mode);
    world.clock.advance(30 * second);
    // A request that hangs still has its five seconds.
    for (let count = 0; count < 6; count += 1) {
      await requestToken(world);
      await settle(world, mode, counts);
    }
    expect(await requestToken(world)).toBe('token-2');
  });

  it.each<Mode>(['503', 'down'])(
    'fails each call at once with its type without a token, at ten a second (%s)',
    async (mode) => {
      await using world = await startWorld({ random });
      await begin(world, mode);
      const answers = new Set<string>();
      const seen = new Set<string>();
      const waits = new Set<number>();
      const startedAt = world.clock.now();
      for (let count = 0; count < failing.ticks; count += 1) {
        if (count % 10 === 0) {
          const { retryAfter, ...failure }: CallOutcome = await world.call();
          waits.add(Number(retryAfter));
          seen.add(JSON.stringify({ ...failure, reason: failure.reason?.split(' ')[0] }));
        } else {
          answers.add(await requestToken(world));
        }
        world.clock.advance(failing.tick);
      }
      // Only this test moves the clock: no call has waited.
      expect(world.clock.now() - startedAt).toBe(failing.ticks * failing.tick);
      expect(answers).toEqual(new Set(['IdpUnavailable']));
      expect([...seen]).toEqual(['{"status":503,"code":"dependency_unavailable","reason":"IdpUnavailable"}']);
      expect([Math.min(...waits), Math.max(...waits)]).toEqual([1, 15]);
      expect(requestsOf(world, mode)).toBeGreaterThanOrEqual(40);
      expect(requestsOf(world, mode)).toBeLessThanOrEqual(50);
      // Where nothing answers, the secret is read again once a minute: it may have been corrected.
      expect(world.secrets.reads()).toBeLessThanOrEqual(mode === 'down' ? 11 : 1);
      await end(world, mode);
      world.clock.advance(30 * second);
      expect(await world.call()).toEqual({ status: 200 });
    },
  );
});
