import { describe, expect, it } from 'vitest';
import { marker, second } from './harness.ts';
import { startWorld } from './world.ts';

const day = 86_400;
const first = `first-${marker}`;

/** Starts a world whose token has this lifetime, in JSON. No later token request succeeds. */
const startWith = async (expiresIn: string | undefined) => {
  const world = await startWorld();
  const said = expiresIn === undefined ? '' : `,"expires_in":${expiresIn}`;
  world.idp.instead.push({ status: 200, body: `{"access_token":"${first}","token_type":"Bearer"${said}}` });
  await world.call();
  world.idp.always = { status: 503 };
  return world;
};

// [expires_in as in the JSON, age in seconds of the renewal (u = 0.5), age in seconds of the last use]
describe('token with a lifetime', () => {
  it.each<[string | undefined, number, number]>([
    ['3600', 2_880, 3_540],
    ['"3600"', 2_880, 3_540],
    ['3600.0', 2_880, 3_540],
    ['3.6e3', 2_880, 3_540],
    ['"003600"', 2_880, 3_540],
    ['"3600.0"', 2_880, 3_540],
    ['" 3600 "', 2_880, 3_540],
    [undefined, 2_880, 3_540],
    ['30', 24, 27],
    ['1', 0.8, 0.9],
    ['0.5', 0.4, 0.45],
    ['"86400"', 0.8 * day, day - 60],
    ['86401', 0.8 * day, day - 60],
    ['1e308', 0.8 * day, day - 60],
    ['1e999', 0.8 * day, day - 60],
    [`"${'9'.repeat(400)}"`, 0.8 * day, day - 60],
    ['9'.repeat(400), 0.8 * day, day - 60],
  ])('has expires_in %s: is renewed from %d s on, and used until %d s', async (expiresIn, soft, hard) => {
    await using world = await startWith(expiresIn);
    world.clock.advance(soft * second - 1);
    await world.call();
    await world.drain();
    expect(world.posts()).toBe(1);
    world.clock.advance(1);
    await world.call();
    await world.drain();
    expect(world.posts()).toBe(3);
    world.clock.advance((hard - soft) * second - 1);
    expect(await world.call()).toEqual({ status: 200 });
    await world.drain();
    expect(world.shown()).toEqual(Array(4).fill(first));
    world.clock.advance(1);
    expect(await world.call()).toMatchObject({ status: 503 });
  });
});

describe('token without a valid lifetime', () => {
  it.each([
    '0',
    '-1',
    '-3600',
    '"abc"',
    '"3600abc"',
    '"1e3"',
    '"-1"',
    '"0"',
    '"1.5.0"',
    '"3 600"',
    '"0x10"',
    'true',
    'false',
    '""',
    '[3600]',
    '{}',
    '-1e999',
    '"Infinity"',
    '0e5',
  ])('has expires_in %s: serves only the waiting callers', async (expiresIn) => {
    await using world = await startWorld();
    const body = `{"access_token":"${first}","token_type":"Bearer","expires_in":${expiresIn}}`;
    world.idp.instead.push({ status: 200, body });
    expect(await Promise.all([world.call(), world.call()])).toEqual([{ status: 200 }, { status: 200 }]);
    expect([world.shown(), world.posts()]).toEqual([[first, first], 1]);
    await world.call();
    expect([world.shown(), world.posts()]).toEqual([[first, first, 'token-1'], 2]);
  });
});
