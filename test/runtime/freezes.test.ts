import { describe, expect, it } from 'vitest';
import type { Invoked } from '../support/lambda-runtime/container.ts';
import { startOwnOutside, type Dependency, type OwnOutside } from '../support/lambda-runtime/own-outside.ts';
import type { Loss } from '../support/proxy.ts';
import { stack } from '../support/stack.ts';
import { inSoak, sample } from '../support/samples.ts';

const start = () => startOwnOutside(stack(), { clientSecret: crypto.randomUUID() });

const statusOf = ({ outcome, left }: Invoked) => ({
  status: outcome.kind === 'response' ? (outcome.payload as { statusCode: number }).statusCode : outcome,
  left,
});
const fine = { status: 200, left: [] };

const dependencies: readonly Dependency[] = ['api', 'idp', 'secrets'];
const losses: readonly Loss[] = ['close', 'reset', 'silence'];

/** Makes the next event need a dependency, after an event that left a connection to it. */
const prepare = async (one: OwnOutside, dependency: Dependency) => {
  // Tokens that are valid for one call only.
  if (dependency === 'idp') one.idp.fields['expires_in'] = 0;
  if (dependency === 'secrets') one.secrets.fault = { status: 400, body: '{"__type":"AccessDeniedException"}' };
  expect(statusOf(await one.invoke())).toEqual(dependency === 'secrets' ? { status: 503, left: [] } : fine);
  one.secrets.fault = undefined;
};

/** Freezes the container during a change. */
const asleep = async ({ container }: OwnOutside, meanwhile: () => Promise<void>, ms: number) => {
  await container.freeze();
  await meanwhile();
  container.thaw(ms);
};

describe.concurrent('freeze between two invocations', () => {
  // Otherwise the server's own limit might end a connection, and not the client's check.
  it.each(inSoak('starts with connections that all three dependencies promise to keep for most of it'))(
    '%s',
    async () => {
      await using one = await start();
      const promised = dependencies.map(async (dependency) => {
        const { headers } = await fetch(one.server(dependency).origin, { method: 'POST', body: '{}' });
        return headers.get('keep-alive');
      });
      expect(await Promise.all(promised)).toEqual(Array(3).fill('timeout=350'));
    },
  );

  it.each(
    sample(
      dependencies.flatMap((dependency) =>
        losses.flatMap((loss) => [
          // Shorter than the idle limit of connections, longer than the back-off: those connections are reused.
          { dependency, loss, ms: 2_000 },
          { dependency, loss, ms: 600_000 },
        ]),
      ),
      7,
    ),
  )('recovers from $dependency: $loss during a freeze of $ms ms', async ({ dependency, loss, ms }) => {
    await using one = await start();
    await prepare(one, dependency);
    const proxy = one.proxies[dependency];
    const before = proxy.connections();
    await asleep(one, () => proxy.lose(loss), ms);
    expect(statusOf(await one.invoke(4_000))).toEqual(fine);
    expect(statusOf(await one.invoke())).toEqual(fine);
    expect(proxy.connections()).toBeGreaterThan(before);
  });

  it.each(inSoak('recovers when the API goes silent, after a request to the token endpoint'))('%s', async () => {
    await using one = await start();
    await prepare(one, 'idp');
    await asleep(one, () => one.proxies.api.lose('silence'), 2_000);
    expect(statusOf(await one.invoke(4_000))).toEqual(fine);
    expect(one.proxies.api.connections()).toBe(2);
  });

  it.each(sample(dependencies, 4))('%s: keeps its connection when the freeze is short', async (dependency) => {
    await using one = await start();
    await prepare(one, dependency);
    await asleep(one, async () => undefined, 2_000);
    expect(statusOf(await one.invoke())).toEqual(fine);
    expect(one.proxies[dependency].connections()).toBe(1);
  });

  it.each(inSoak('requests another token when the cached one has expired'))('%s', async () => {
    await using one = await start();
    await prepare(one, 'api');
    await asleep(one, async () => undefined, 3_600_000);
    expect(statusOf(await one.invoke())).toEqual(fine);
    expect(one.api.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});

describe.concurrent('freeze during a request', () => {
  it.each(sample(dependencies, 4))('ends when %s answers meanwhile', async (dependency) => {
    await using one = await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    one.hold(dependency, promise);
    const invoked = one.invoke();
    await one.server(dependency).received(1);
    await asleep(
      one,
      async () => {
        const delivered = one.proxies[dependency].delivered();
        resolve();
        await delivered;
      },
      0,
    );
    expect(statusOf(await invoked)).toEqual(fine);
    one.hold(dependency, undefined);
    expect(statusOf(await one.invoke())).toEqual(fine);
    expect(one.server(dependency).requests.length).toBe(dependency === 'api' ? 2 : 1);
  });

  it.each(
    sample(
      // An API that is silent on a new connection may be slow: the last test covers it.
      dependencies.flatMap((dependency) =>
        losses.filter((loss) => dependency !== 'api' || loss !== 'silence').map((loss) => ({ dependency, loss })),
      ),
      8,
      4,
    ),
  )('recovers from $dependency: $loss', async ({ dependency, loss }) => {
    await using one = await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    one.hold(dependency, promise);
    const invoked = one.invoke();
    await one.server(dependency).received(1);
    one.hold(dependency, undefined);
    await asleep(one, () => one.proxies[dependency].lose(loss), 0);
    expect(statusOf(await invoked)).toEqual(fine);
    resolve();
    expect(statusOf(await one.invoke())).toEqual(fine);
  });

  it('ends the call at its time limit when the API goes silent, and the next one succeeds', async () => {
    await using one = await start();
    await prepare(one, 'api');
    one.hold('api', new Promise(() => undefined));
    const invoked = one.invoke(1_500);
    await one.api.received(2);
    one.hold('api', undefined);
    await asleep(one, () => one.proxies.api.lose('silence'), 0);
    expect(statusOf(await invoked)).toEqual({ status: 504, left: [] });
    expect(statusOf(await one.invoke())).toEqual(fine);
  });
});
