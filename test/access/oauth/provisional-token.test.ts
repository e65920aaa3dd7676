import { describe, expect, it } from 'vitest';
import { minute, second } from './harness.ts';
import { startWorld, type World } from './world.ts';

const softAge = 2_880 * second;

/** Makes a call as a handler does, and returns its status. */
const callAndSettle = async (world: World): Promise<number> => {
  const { status } = await world.call();
  await world.drain();
  return status;
};

/** Makes a call each `period` for `ms`, and returns the ages in ms at which calls failed. */
const callThrough = async (world: World, ms: number, period: number, before: () => void = () => undefined) => {
  const failed: number[] = [];
  for (let passed = 0; passed < ms; passed += period) {
    before();
    if ((await callAndSettle(world)) !== 200) failed.push(passed);
    world.clock.advance(period);
  }
  return failed;
};

/** Rejects every token that is younger than `ms`, as an API does whose clock is behind. */
const refuseYounger = (world: World, ms: number) => {
  const issuedAt: number[] = [];
  return () => {
    const now = world.clock.now();
    while (issuedAt.length < world.posts()) issuedAt.push(now);
    world.api.revoked.clear();
    // Tokens that are issued during the next call are young as well.
    const known = issuedAt.filter((at) => now - at >= ms).length;
    for (let number = known + 1; number <= issuedAt.length + 4; number += 1) world.api.revoked.add(`token-${number}`);
  };
};

describe('token that one node of the API rejects while the token endpoint is down', () => {
  it('stays in use, and no call fails', async () => {
    await using world = await startWorld();
    await callAndSettle(world);
    world.idp.always = { status: 503 };
    world.api.instead.push({ status: 401 });
    expect(await callThrough(world, minute, second)).toEqual([]);
    expect(new Set(world.shown())).toEqual(new Set(['token-1']));
  });
});

/** Rejects every token of the endpoint from this one. */
const refuseFrom = (world: World, first: number) => {
  for (let number = first; number < first + 400; number += 1) world.api.revoked.add(`token-${number}`);
};

describe('accepted token that one node of the API rejects, and whose replacements are rejected', () => {
  it('is used again, and no call fails', async () => {
    await using world = await startWorld();
    await callAndSettle(world);
    refuseFrom(world, 2);
    world.api.instead.push({ status: 401 });
    expect(await callThrough(world, 5 * minute, second)).toEqual([]);
    expect(world.posts()).toBe(2);
    world.api.revoked.clear();
    world.clock.advance(softAge);
    expect(await callThrough(world, minute, second)).toEqual([]);
    expect(world.shown().at(-1)).toBe('token-3');
  });
});

describe('new token that the API does not accept yet', () => {
  it('leaves the accepted one in use, and no call fails', async () => {
    await using world = await startWorld();
    await callAndSettle(world);
    world.clock.advance(softAge);
    refuseFrom(world, 2);
    expect(await callThrough(world, 9 * minute, 10 * second)).toEqual([]);
    expect(world.posts()).toBeLessThanOrEqual(5);
    world.api.revoked.clear();
    expect(await callThrough(world, 10 * minute, 10 * second)).toEqual([]);
    expect(world.shown().at(-1)).not.toBe('token-1');
  });

  it('gets another trial before it is replaced', async () => {
    await using world = await startWorld();
    const advanceApi = refuseYounger(world, 15 * second);
    await callAndSettle(world);
    advanceApi();
    world.clock.advance(softAge);
    expect(await callThrough(world, 5 * minute, second, advanceApi)).toEqual([]);
    expect(world.shown().at(-1)).toBe('token-2');
    expect(world.posts()).toBe(2);
  });

  it('is used without an alternative once the accepted one is too old', async () => {
    await using world = await startWorld();
    await callAndSettle(world);
    world.clock.advance(softAge);
    world.api.revoked.add('token-2');
    expect(await callAndSettle(world)).toBe(200);
    expect(await callAndSettle(world)).toBe(200);
    world.clock.advance(660 * second);
    world.api.revoked.clear();
    expect(await callAndSettle(world)).toBe(200);
    expect([world.shown().at(-1), world.posts()]).toEqual(['token-2', 2]);
  });
});

describe('cold container whose provider has a clock that is 15 s ahead', () => {
  it('succeeds within a minute, and then always', async () => {
    await using world = await startWorld();
    const failed = await callThrough(world, 3 * minute, second, refuseYounger(world, 15 * second));
    expect(failed.length).toBeGreaterThan(0);
    expect(Math.max(...failed)).toBeLessThan(minute);
  });
});

describe('API that rejects every token', () => {
  it('doubles the interval between replacements from 10 s to 5 min', async () => {
    await using world = await startWorld();
    refuseFrom(world, 1);
    const startedAt = world.clock.now();
    const at: number[] = [];
    for (let count = 0; count < 180; count += 1) {
      const before = world.posts();
      await callAndSettle(world);
      if (world.posts() > before) at.push((world.clock.now() - startedAt) / second);
      world.clock.advance(10 * second);
    }
    expect(at).toEqual([0, 10, 30, 70, 150, 310, 610, 910, 1_210, 1_510]);
  });

  it('gets no more replacements after the wall clock was set back', async () => {
    await using world = await startWorld();
    await callAndSettle(world);
    refuseFrom(world, 1);
    world.clock.freeze(-120 * minute);
    await callThrough(world, 3 * minute, 10 * second);
    // After 0, 10, 30, 70 and 150 s.
    expect(world.posts()).toBe(6);
  });
});
