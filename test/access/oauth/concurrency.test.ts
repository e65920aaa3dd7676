import { describe, expect, it } from 'vitest';
import { approve, getReturn } from '../../../lib/contract/operations.ts';
import type { Answer } from '../../support/http-server.ts';
import { secretNamed, secretText } from './harness.ts';
import { unavailable } from './three-states.ts';
import { startWorld, type CallOutcome, type World } from './world.ts';

const good: CallOutcome = { status: 200 };
const invalidClient: Answer = { status: 400, body: JSON.stringify({ error: 'invalid_client' }) };
const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);
const all = (count: number, expected: CallOutcome) => Array<CallOutcome>(count).fill(expected);

/** Holds the responses of the token endpoint until the test releases them. */
const holdTokens = ({ idp }: World) => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  idp.always = () => promise;
  return () => {
    idp.always = undefined;
    resolve(undefined);
  };
};

describe('fifty callers of a cold container', () => {
  it('cost one token request and one read of the secret', async () => {
    await using world = await startWorld();
    expect(await Promise.all(times(50, () => world.call()))).toEqual(all(50, good));
    expect([world.posts(), world.secrets.reads()]).toEqual([1, 1]);
    expect(new Set(world.shown())).toEqual(new Set(['token-1']));
  });

  it('cost two token requests when the first response is a 500', async () => {
    await using world = await startWorld();
    world.idp.instead.push({ status: 500 });
    expect(await Promise.all(times(50, () => world.call()))).toEqual(all(50, good));
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 1]);
  });

  it('cost two token requests when every response is a 500, and all get the same failure', async () => {
    await using world = await startWorld();
    world.idp.always = { status: 500 };
    const failed = unavailable('IdpUnavailable status_500', '1');
    expect(await Promise.all(times(50, () => world.call()))).toEqual(all(50, failed));
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 1]);
  });

  it('cost one token request when the secret is rejected', async () => {
    await using world = await startWorld();
    world.idp.accepted.clear();
    const failed = unavailable('ClientRejected invalid_client', '60');
    expect(await Promise.all(times(50, () => world.call()))).toEqual(all(50, failed));
    expect(world.posts()).toBe(1);
  });
});

describe('caller that leaves', () => {
  const reason = new Error('no longer wanted');

  it('leaves the token to the others when it leaves first', async () => {
    await using world = await startWorld();
    const release = holdTokens(world);
    const leader = new AbortController();
    const leading = world.call({ signal: leader.signal });
    const following = times(49, () => world.call());
    await world.idp.server.received(1);
    leader.abort(reason);
    await expect(leading).rejects.toBe(reason);
    release();
    expect(await Promise.all(following)).toEqual(all(49, good));
    expect([world.posts(), world.idp.server.connections()]).toEqual([1, 1]);
  });

  it.each([
    ['the token', (world: World) => void holdTokens(world), ({ idp }: World) => idp.server],
    ['the secret', ({ secrets }: World) => void (secrets.fault = 'hang'), ({ secrets }: World) => secrets.server],
    ['the response', ({ api }: World) => void (api.always = 'hang'), ({ api }: World) => api.server],
  ])('aborts the shared work when it leaves last: %s', async (_, hold, serverOf) => {
    await using world = await startWorld();
    hold(world);
    const controllers = times(10, () => new AbortController());
    const leaving = controllers.map(({ signal }) => world.call({ signal }));
    await serverOf(world).received(1);
    for (const controller of controllers) controller.abort(reason);
    for (const left of leaving) await expect(left).rejects.toBe(reason);
    await serverOf(world).closed(1);
    Object.assign(world.idp, { always: undefined });
    Object.assign(world.secrets, { fault: undefined });
    Object.assign(world.api, { always: undefined });
    // An abort causes no back-off: the next call does not wait.
    expect(await world.call()).toEqual(good);
  });

  it('aborts the replacement of a rejected token when it leaves last', async () => {
    await using world = await startWorld();
    await world.call();
    world.api.revoked.add('token-1');
    world.idp.always = 'hang';
    const controller = new AbortController();
    const leaving = world.call({ signal: controller.signal });
    await world.idp.server.received(2);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    await world.idp.server.closed(1);
  });

  it('aborts the work of a call without a token when it leaves last', async () => {
    await using world = await startWorld();
    world.secrets.fault = 'hang';
    const controller = new AbortController();
    const leaving = world.call({ scopes: [], signal: controller.signal });
    await world.secrets.server.received(1);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    await world.secrets.server.closed(1);
  });
});

describe('thirty concurrent calls with a revoked token', () => {
  it('cost one token request', async () => {
    await using world = await startWorld();
    await world.call();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.api.hold = promise;
    world.api.revoked.add('token-1');
    const calls = times(30, () => world.call());
    // As many calls run as there are connections. The others wait for a connection with the same token.
    await world.api.server.received(1 + 8);
    resolve();
    expect(await Promise.all(calls)).toEqual(all(30, good));
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 1]);
    const shown = world.shown().slice(1);
    expect(['token-1', 'token-2'].map((token) => shown.filter((one) => one === token).length)).toEqual([30, 30]);
  });
});

describe('two sets of scopes', () => {
  it('have a token each, requested once and presented to the right calls', async () => {
    await using world = await startWorld();
    await Promise.all(times(10, () => [world.call({}, getReturn), world.call({}, approve)]).flat());
    const scopes = world.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect([scopes.length, new Set(scopes)]).toEqual([2, new Set(['returns:read', 'returns:write'])]);
    const shown = world.api.server.requests.map(({ method, headers }) => `${method} ${headers.authorization}`);
    expect(new Set(shown).size).toBe(2);
    expect(shown).toHaveLength(20);
  });

  it('cost as many tries as one when both are rejected', async () => {
    await using world = await startWorld();
    world.idp.always = invalidClient;
    const versions = ['AWSPREVIOUS', 'AWSPENDING'] as const;
    for (const stage of versions)
      world.secrets.versions.set(stage, { versionId: stage, text: secretText(secretNamed(stage)) });
    const failed = unavailable('ClientRejected invalid_client', '60');
    expect(await Promise.all([world.call({}, getReturn), world.call({}, approve)])).toEqual(all(2, failed));
    expect(world.posts()).toBe(3);
  });
});
