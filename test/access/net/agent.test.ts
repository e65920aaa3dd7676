import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAgent, defaultAgent, type Agent } from '../../../lib/access/net/agent.ts';
import { send } from '../../../lib/access/net/request.ts';
import { secureContextOf } from '../../../lib/access/secrets/key-pair.ts';
import { testCertificate } from '../../support/certificate.ts';
import { startServer } from '../../support/http-server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const request = (agent: Agent, url: string) =>
  send({ agent, method: 'GET', url, headers: {}, timeoutMs: 60_000, maxBytes: 10 });

describe('createAgent', () => {
  it('keeps a connection that was idle for 4 s', async () => {
    await using server = await startServer(() => ({ status: 200 }));
    const clock = virtualClock();
    const agent = createAgent({ clock });
    await request(agent, server.origin);
    clock.advance(4_000);
    // undici releases a connection one event-loop turn after the last byte of the response.
    await nextTurn();
    await request(agent, server.origin);
    expect(server.connections()).toBe(1);
  });

  it.each(['freeze', 'setBack'] as const)(
    'replaces a connection when either clock measured more than 4 s (%s)',
    async (passing) => {
      await using server = await startServer(() => ({ status: 200 }));
      const clock = virtualClock();
      const agent = createAgent({ clock });
      await request(agent, server.origin);
      clock[passing](4_001);
      await nextTurn();
      await request(agent, server.origin);
      expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
      await server.closed(1);
    },
  );

  it('replaces the idle connections of a peer beside a request that is open during a freeze', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await startServer(async ({ path }) => {
      if (path === '/slow') await promise;
      return { status: 200 };
    });
    const clock = virtualClock();
    const agent = createAgent({ clock });
    const slow = request(agent, `${server.origin}/slow`);
    await request(agent, server.origin);
    await nextTurn();
    clock.freeze(4_001);
    await request(agent, server.origin);
    resolve();
    await slow;
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  it('counts the idle time of each peer separately', async () => {
    await using busy = await startServer(() => ({ status: 200 }));
    await using resting = await startServer(() => ({ status: 200 }));
    const clock = virtualClock();
    const agent = createAgent({ clock });
    await request(agent, resting.origin);
    await request(agent, busy.origin);
    clock.freeze(3_000);
    await nextTurn();
    await request(agent, busy.origin);
    expect([busy, resting].map(({ origin }) => agent.hasRested(origin))).toEqual([false, true]);
    clock.freeze(3_000);
    await nextTurn();
    await request(agent, resting.origin);
    await request(agent, busy.origin);
    expect(busy.connections()).toBe(1);
    expect(resting.requests.map(({ connection }) => connection)).toEqual([1, 2]);
    await resting.closed(1);
  });

  it('prepares another connection where the existing ones were idle for too long', async () => {
    await using server = await startServer(() => ({ status: 200 }));
    const clock = virtualClock();
    const agent = createAgent({ clock });
    await request(agent, server.origin);
    clock.freeze(4_000);
    agent.prepare(server.origin);
    expect(agent.hasPrepared()).toBe(false);
    clock.freeze(1);
    agent.prepare(server.origin);
    expect(agent.hasPrepared()).toBe(true);
    await request(agent, server.origin);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('ends connections of unused peers, and reports those that a freeze left', async () => {
    await using server = await startServer(() => ({ status: 200 }));
    await using other = await startServer(() => ({ status: 200 }));
    const clock = virtualClock();
    const events: unknown[] = [];
    const agent = createAgent({ clock, onEvent: (event) => events.push(event) });
    await request(agent, server.origin);
    clock.freeze(10_000);
    await request(agent, other.origin);
    await server.closed(1);
    expect(events).toEqual([{ type: 'connections replaced after a freeze', idleMs: 10_000 }]);
  });

  it('opens a new connection after renew and lets the running exchange end', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    await using server = await startServer(async ({ path }) => {
      if (path === '/slow') await release;
      return { status: 200, body: path };
    });
    const agent = createAgent({ clock: virtualClock() });
    const slow = request(agent, `${server.origin}/slow`);
    await server.received(1);
    agent.renew();
    await request(agent, server.origin);
    resolve();
    expect((await slow).body.toString()).toBe('/slow');
    expect(server.connections()).toBe(2);
  });

  it('opens at most eight connections to one peer', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    await using server = await startServer(async () => {
      await release;
      return { status: 200 };
    });
    const agent = createAgent({ clock: virtualClock() });
    const all = Promise.all(Array.from({ length: 20 }, () => request(agent, server.origin)));
    await server.received(8);
    resolve();
    await all;
    expect(server.connections()).toBe(8);
  });

  it('shows no key when it is inspected', () => {
    const { certificate, privateKey } = testCertificate('client', Date.now() - 60_000, Date.now() + 60_000);
    const agent = createAgent({ clock: virtualClock(), secureContext: secureContextOf({ certificate, privateKey }) });
    expect(inspect(agent, { depth: null, showHidden: true })).not.toMatch(/BEGIN|KEY|secureContext/);
  });

  it('has one shared instance for peers that need no certificate', () => {
    expect(defaultAgent()).toBe(defaultAgent());
  });
});
