import { describe, expect, it } from 'vitest';
import { minute, second, secretNamed, secretText } from './harness.ts';
import { unavailable } from './three-states.ts';
import { startWorld, type World } from './world.ts';

const good = { status: 200 };
const twoHours = 7_200 * second;
const next = secretNamed('two');

/** Corrects the wall clock only. The monotonic clock and the timers continue. */
const correct = ({ clock }: World, ms: number) => clock.freeze(ms);

/** Calls, and settles as a handler does. */
const invoke = async (world: World) => {
  const outcome = await world.call();
  await world.drain();
  return outcome;
};

describe('wall clock set back by two hours', () => {
  it('uses and renews a fresh token as usual', async () => {
    await using world = await startWorld();
    await invoke(world);
    correct(world, -twoHours);
    world.clock.advance(2_880 * second - 1);
    await invoke(world);
    expect(world.posts()).toBe(1);
    world.clock.advance(1);
    await invoke(world);
    expect(world.posts()).toBe(2);
    world.clock.advance(3_540 * second);
    await invoke(world);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-1', 'token-3']);
  });

  it('renews an ageing token', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.clock.advance(2_880 * second);
    correct(world, -twoHours);
    expect([await invoke(world), await invoke(world)]).toEqual([good, good]);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('never extends the life of a token', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.idp.always = { status: 503 };
    for (let hour = 0; hour < 3; hour += 1) correct(world, -twoHours);
    world.clock.advance(3_540 * second);
    expect(await invoke(world)).toMatchObject({ status: 503 });
  });

  it('keeps the length of a back-off pause', async () => {
    await using world = await startWorld();
    world.idp.always = { status: 429, headers: { 'retry-after': '20' } };
    await invoke(world);
    correct(world, -twoHours);
    world.idp.always = undefined;
    world.clock.advance(20 * second - 1);
    expect(await invoke(world)).toEqual(unavailable('IdpUnavailable status_429', '1'));
    world.clock.advance(1);
    expect(await invoke(world)).toEqual(good);
    expect(world.posts()).toBe(2);
  });

  it('keeps the 60 s pause after a rejected client', async () => {
    await using world = await startWorld({ text: secretText(next) });
    await invoke(world);
    correct(world, -twoHours);
    world.idp.accepted.add(next);
    world.clock.advance(minute - 1);
    expect(await invoke(world)).toEqual(unavailable('ClientRejected invalid_client', '1'));
    world.clock.advance(1);
    expect(await invoke(world)).toEqual(good);
  });

  it('counts the age of a requested token by the monotonic clock', async () => {
    await using world = await startWorld();
    world.idp.always = async () => {
      correct(world, -twoHours);
      return undefined;
    };
    await invoke(world);
    world.idp.always = undefined;
    world.clock.advance(3_540 * second);
    await invoke(world);
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });
});

describe('wall clock set forward by two hours', () => {
  it('treats a fresh token as expired, and the call succeeds', async () => {
    await using world = await startWorld();
    await invoke(world);
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect([world.posts(), world.shown()]).toEqual([2, ['token-1', 'token-2']]);
  });

  it('treats an ageing token as expired, and the call succeeds', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.clock.advance(2_880 * second);
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });

  it('asks the token endpoint again during a back-off pause', async () => {
    await using world = await startWorld();
    world.idp.always = { status: 503 };
    await invoke(world);
    world.idp.always = undefined;
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect(world.posts()).toBe(3);
  });

  it('lets a call that waits for its token and for the service succeed', async () => {
    await using world = await startWorld();
    world.idp.always = async () => {
      correct(world, twoHours);
      return undefined;
    };
    expect(await invoke(world)).toEqual(good);
    world.idp.always = undefined;
    expect(await invoke(world)).toEqual(good);
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });

  it('lets the call succeed again after the correction', async () => {
    await using world = await startWorld();
    await invoke(world);
    for (const ms of [twoHours, -twoHours, -twoHours, twoHours]) {
      correct(world, ms);
      expect(await invoke(world)).toEqual(good);
    }
  });
});

describe('wall clock corrected within 10 s of a forced read of the secret', () => {
  /** Starts after a forced read: the old secret was rejected, and now the new one is rejected too. */
  const start = async () => {
    const world = await startWorld();
    world.idp.fields['expires_in'] = 0;
    await world.call();
    world.rotate('v2', secretText(next));
    world.idp.accepted.clear();
    world.idp.accepted.add(next);
    await world.call();
    expect(world.secrets.reads('AWSCURRENT')).toBe(2);
    world.idp.accepted.clear();
    world.clock.advance(5 * second);
    return world;
  };

  it.each([
    ['is not read again without a correction', 0, 2],
    ['is not read again when the clock is set back', -twoHours, 2],
    // The first read is due by now. The second follows the rejection.
    ['is read again when the clock is set forward', twoHours, 4],
  ])('the secret %s', async (_, ms, reads) => {
    await using world = await start();
    correct(world, ms);
    expect(await world.call()).toEqual(unavailable('ClientRejected invalid_client', '60'));
    expect(world.secrets.reads('AWSCURRENT')).toBe(reads);
  });
});

describe('wall clock set back within 10 s of a forced refresh', () => {
  it('allows no other forced refresh before the 10 s are over', async () => {
    await using world = await startWorld();
    world.api.always = { status: 401 };
    await world.call();
    correct(world, -twoHours);
    world.clock.advance(10 * second - 1);
    expect(await world.call()).toEqual(unavailable('ApiUnauthorized replaced just now', '1'));
    world.clock.advance(1);
    expect(await world.call()).toEqual(unavailable('ApiUnauthorized repeatedly'));
    expect(world.posts()).toBe(3);
  });
});

describe('monotonic clock that stands still', () => {
  it('lets the token age by the wall clock', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.clock.freeze(2_880 * second - 1);
    await invoke(world);
    expect(world.posts()).toBe(1);
    world.clock.freeze(1);
    await invoke(world);
    expect(world.posts()).toBe(2);
    world.clock.freeze(3_540 * second);
    await invoke(world);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-1', 'token-3']);
  });

  it('lets a pause and a rejection end by the wall clock', async () => {
    await using world = await startWorld({ text: secretText(next) });
    await invoke(world);
    world.clock.freeze(minute - 1);
    expect(await invoke(world)).toEqual(unavailable('ClientRejected invalid_client', '1'));
    world.idp.accepted.add(next);
    world.clock.freeze(1);
    expect(await invoke(world)).toEqual(good);
  });
});

describe('token endpoint that takes 2 s', () => {
  it('issues a token that is 2 s old', async () => {
    await using world = await startWorld();
    world.idp.always = async () => {
      world.clock.advance(2 * second);
      return undefined;
    };
    await invoke(world);
    world.idp.always = undefined;
    world.clock.advance(2_878 * second - 1);
    await invoke(world);
    expect(world.posts()).toBe(1);
    world.clock.advance(1);
    world.idp.always = { status: 503 };
    await invoke(world);
    expect(world.posts()).toBe(3);
    world.clock.advance(660 * second - 1);
    expect(await invoke(world)).toEqual(good);
    world.clock.advance(1);
    expect(await invoke(world)).toMatchObject({ status: 503 });
  });
});
