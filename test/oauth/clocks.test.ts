import { describe, expect, it } from 'vitest';
import { minute, second, secretNamed, secretText } from './harness.ts';
import { unavailable } from './three-states.ts';
import { startWorld, type World } from './world.ts';

const good = { status: 200 };
const twoHours = 7_200 * second;
const next = secretNamed('two');

/** The wall clock is corrected; the other one and the timers go on as before. */
const correct = ({ clock }: World, ms: number) => clock.freeze(ms);

/** Calls, and settles as a handler does. */
const invoke = async (world: World) => {
  const seen = await world.call();
  await world.settle();
  return seen;
};

describe('a wall clock that is set back two hours', () => {
  it('while the token is fresh: it is used and renewed as if nothing had happened', async () => {
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

  it('while the token is ageing: it is renewed', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.clock.advance(2_880 * second);
    correct(world, -twoHours);
    expect([await invoke(world), await invoke(world)]).toEqual([good, good]);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('never lets a token live longer', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.idp.always = { status: 503 };
    for (let hour = 0; hour < 3; hour += 1) correct(world, -twoHours);
    world.clock.advance(3_540 * second);
    expect(await invoke(world)).toMatchObject({ status: 503 });
  });

  it('while backing off: the pause is as long as it was', async () => {
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

  it('while the client is refused: 60 s are 60 s', async () => {
    await using world = await startWorld({ text: secretText(next) });
    await invoke(world);
    correct(world, -twoHours);
    world.idp.accepted.add(next);
    world.clock.advance(minute - 1);
    expect(await invoke(world)).toEqual(unavailable('ClientRejected invalid_client', '1'));
    world.clock.advance(1);
    expect(await invoke(world)).toEqual(good);
  });

  it('while a token is on its way: its age counts by the other clock', async () => {
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

describe('a wall clock that is set forward two hours', () => {
  it('while the token is fresh: it counts as used up, and the call succeeds', async () => {
    await using world = await startWorld();
    await invoke(world);
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect([world.posts(), world.shown()]).toEqual([2, ['token-1', 'token-2']]);
  });

  it('while the token is ageing: the same', async () => {
    await using world = await startWorld();
    await invoke(world);
    world.clock.advance(2_880 * second);
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });

  it('while backing off: the token endpoint is asked again', async () => {
    await using world = await startWorld();
    world.idp.always = { status: 503 };
    await invoke(world);
    world.idp.always = undefined;
    correct(world, twoHours);
    expect(await invoke(world)).toEqual(good);
    expect(world.posts()).toBe(3);
  });

  it('while a call waits for its token and for the service: it succeeds', async () => {
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

  it('is followed by its correction: the call succeeds again', async () => {
    await using world = await startWorld();
    await invoke(world);
    for (const ms of [twoHours, -twoHours, -twoHours, twoHours]) {
      correct(world, ms);
      expect(await invoke(world)).toEqual(good);
    }
  });
});

describe('a wall clock that is corrected within 10 s of a forced read of the secret', () => {
  /** The secret was read again because the old one was refused; now the new one is refused, too. */
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
    ['not at all', 0, 2],
    ['back: not read again', -twoHours, 2],
    // Once because it is due by now, once more because it was refused.
    ['forward: read again', twoHours, 4],
  ])('%s', async (_, ms, reads) => {
    await using world = await start();
    correct(world, ms);
    expect(await world.call()).toEqual(unavailable('ClientRejected invalid_client', '60'));
    expect(world.secrets.reads('AWSCURRENT')).toBe(reads);
  });
});

describe('a wall clock that is set back within 10 s of a forced refresh', () => {
  it('lets no other be forced before they are over', async () => {
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

describe('a monotonic clock that stands still', () => {
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

  it('lets a pause and a refusal end by the wall clock', async () => {
    await using world = await startWorld({ text: secretText(next) });
    await invoke(world);
    world.clock.freeze(minute - 1);
    expect(await invoke(world)).toEqual(unavailable('ClientRejected invalid_client', '1'));
    world.idp.accepted.add(next);
    world.clock.freeze(1);
    expect(await invoke(world)).toEqual(good);
  });
});

describe('a token endpoint that takes 2 s', () => {
  it('gives a token that is 2 s old', async () => {
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
