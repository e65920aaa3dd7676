import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAgent, createTcp, type Agent } from '../../lib/net/agent.ts';
import { tcpOriginOf } from '../../lib/net/connector.ts';
import { send } from '../../lib/net/request.ts';
import { secureContextOf } from '../../lib/secrets/key-pair.ts';
import { testCertificate } from '../support/certificate.ts';
import { startServer, type TestServer } from '../support/http-server.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const ask = (agent: Agent, { origin }: Pick<TestServer, 'origin'>) =>
  send({ agent, method: 'GET', url: `${origin}/`, headers: {}, timeoutMs: 60_000, maxBytes: 10 });

const answering = () => startServer(() => ({ status: 200, body: 'fine' }));

/** A server over TLS, and an agent that trusts it and knows of TCP that was prepared. */
const overTls = async () => {
  const { certificate, privateKey } = testCertificate('server', Date.now() - 60_000, Date.now() + 60_000);
  const server = await startServer(() => ({ status: 200 }), { cert: certificate, key: privateKey });
  const clock = virtualClock();
  const tcp = createTcp(clock);
  return { server, tcp, agent: createAgent({ clock, tcp, secureContext: secureContextOf({ ca: certificate }) }) };
};

describe('a prepared connection', () => {
  it('stands before the first request, which takes it', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    await server.connected(1);
    // Our end hears of it a turn later.
    await nextTurn();
    await nextTurn();
    expect((await ask(agent, server)).status).toBe(200);
    expect(server.connections()).toBe(1);
  });

  it('is waited for by a request that comes before it stands', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    await ask(agent, server);
    expect(server.connections()).toBe(1);
  });

  it('is one, however often it is asked for, and none where there are connections already', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    agent.prepare(server.origin);
    await ask(agent, server);
    // undici takes a connection back a turn after the last byte of the answer.
    await nextTurn();
    agent.prepare(server.origin);
    await ask(agent, server);
    expect(server.connections()).toBe(1);
  });

  it.each<[string, (agent: Agent, end: () => Promise<void>) => Promise<void>]>([
    ['what it was prepared for does not come', (_, end) => end()],
    ['all that was prepared is dropped', (agent) => agent.dropPrepared()],
    ['the agent closes', (agent) => agent.close()],
  ])('ends when %s', async (_, finish) => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    const end = agent.prepare(server.origin);
    await server.connected(1);
    await finish(agent, end);
    await server.closed(1);
    expect(server.requests).toEqual([]);
  });

  it('is that which lies below TLS where there is one, of which nothing else is begun', async () => {
    const { server, tcp, agent } = await overTls();
    await using _ = server;
    tcp.prepare(tcpOriginOf(server.origin));
    await agent.prepare(server.origin)();
    expect(agent.hasPrepared()).toBe(false);
    expect((await ask(agent, server)).status).toBe(200);
    expect([server.connections(), tcp.hasPrepared()]).toEqual([1, false]);
    // Once it is taken, another one is begun as any is.
    agent.renew();
    agent.prepare(server.origin);
    expect(agent.hasPrepared()).toBe(true);
    await agent.close();
  });

  it('is TLS upon what stands below, which ends with it unless it is taken', async () => {
    const { server, tcp, agent } = await overTls();
    await using _ = server;
    /** Once TCP stands TLS begins upon it; before, nothing does. */
    const begun = async () => {
      tcp.prepare(tcpOriginOf(server.origin));
      for (;;) {
        const end = agent.prepare(server.origin);
        if (agent.hasPrepared()) return end;
        await nextTurn();
      }
    };
    // In the middle of its handshake.
    const endAtOnce = await begun();
    await endAtOnce();
    const end = await begun();
    expect(tcp.hasPrepared()).toBe(false);
    await server.connected(1);
    await end();
    await server.closed(1);
    await begun();
    expect((await ask(agent, server)).status).toBe(200);
    expect([server.connections(), agent.hasPrepared()]).toEqual([2, false]);
    await agent.close();
  });

  it('is one of its own where no TLS is to lie upon what stands', async () => {
    await using server = await answering();
    const clock = virtualClock();
    const tcp = createTcp(clock);
    tcp.prepare(tcpOriginOf(server.origin.replace('http:', 'https:')));
    await server.connected(1);
    await nextTurn();
    await nextTurn();
    const agent = createAgent({ clock, tcp });
    agent.prepare(server.origin);
    expect((await ask(agent, server)).status).toBe(200);
    expect([server.connections(), tcp.hasPrepared()]).toEqual([2, true]);
    await tcp.drop();
    await agent.close();
  });

  it('is begun where what was to lie below it did not come about, or is too old', async () => {
    await using server = await answering();
    const clock = virtualClock();
    const tcp = createTcp(clock);
    const { origin } = server;
    const https = origin.replace('http:', 'https:');
    tcp.prepare(tcpOriginOf(https));
    expect(tcp.isPrepared(origin)).toBe(true);
    await server.connected(1);
    clock.freeze(4_001);
    const agent = createAgent({ clock, tcp });
    agent.prepare(https);
    expect([tcp.isPrepared(origin), agent.hasPrepared()]).toEqual([false, true]);
    await agent.close();
    // Nobody's port.
    const nowhere = 'https://127.0.0.1:1';
    tcp.prepare(tcpOriginOf(nowhere));
    while (tcp.isPrepared(tcpOriginOf(nowhere))) await nextTurn();
    expect(tcp.hasPrepared()).toBe(false);
  });

  it('is left alone by who prepared it once it is in use', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    const end = agent.prepare(server.origin);
    await ask(agent, server);
    await end();
    await nextTurn();
    await ask(agent, server);
    expect(server.connections()).toBe(1);
  });

  it('is not used after a freeze', async () => {
    await using server = await answering();
    const clock = virtualClock();
    const agent = createAgent({ clock });
    agent.prepare(server.origin);
    await server.connected(1);
    clock.freeze(4_001);
    await ask(agent, server);
    expect(server.requests.map(({ connection }) => connection)).toEqual([2]);
    await server.closed(1);
  });

  it('keeps no program from its end', async () => {
    await using prepared = await answering();
    await using other = await startServer(async () => {
      await prepared.connected(1);
      return { status: 200 };
    });
    const program = `
      const { createAgent, send, systemClock: clock } = {
        ...(await import('./lib/net/agent.ts')),
        ...(await import('./lib/net/clock.ts')),
        ...(await import('./lib/net/request.ts')),
      };
      const agent = createAgent({ clock });
      agent.prepare('${prepared.origin}');
      await send({ agent, method: 'GET', url: '${other.origin}', headers: {}, timeoutMs: 20_000, maxBytes: 10 });
    `;
    const child = execFile(process.execPath, ['--input-type=module', '--eval', program], { timeout: 25_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect([prepared.connections(), other.requests.length]).toEqual([1, 1]);
  });

  it('leaves its fault to the request', async () => {
    const server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    await server[Symbol.asyncDispose]();
    agent.prepare(server.origin);
    await expect(ask(agent, server)).rejects.toMatchObject({ reason: 'connect', code: 'ECONNREFUSED' });
  });

  it('leads to an IPv6 address', async () => {
    const agent = createAgent({ clock: virtualClock() });
    const origin = 'http://[::1]:1';
    agent.prepare(origin);
    const failure = await ask(agent, { origin }).catch((error: unknown) => error);
    // Nobody listens there; where there is no IPv6, there is no such address either. Neither asks DNS for a name.
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH)$/) });
  });
});
