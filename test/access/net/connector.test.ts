import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAgent, createTcp, type Agent } from '../../../lib/access/net/agent.ts';
import { tcpOriginOf } from '../../../lib/access/net/connector.ts';
import { send } from '../../../lib/access/net/request.ts';
import { secureContextOf } from '../../../lib/access/secrets/key-pair.ts';
import { testCertificate } from '../../support/certificate.ts';
import { startServer, type TestServer } from '../../support/http-server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const request = (agent: Agent, { origin }: Pick<TestServer, 'origin'>) =>
  send({ agent, method: 'GET', url: `${origin}/`, headers: {}, timeoutMs: 60_000, maxBytes: 10 });

const answering = () => startServer(() => ({ status: 200, body: 'fine' }));

/** Starts a server over TLS, and an agent that trusts it and has access to the prepared TCP connection. */
const overTls = async () => {
  const { certificate, privateKey } = testCertificate('server', Date.now() - 60_000, Date.now() + 60_000);
  const server = await startServer(() => ({ status: 200 }), { cert: certificate, key: privateKey });
  const clock = virtualClock();
  const tcp = createTcp(clock);
  return { server, tcp, agent: createAgent({ clock, tcp, secureContext: secureContextOf({ ca: certificate }) }) };
};

describe('prepared connection', () => {
  it('is open before the first request, which uses it', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    await server.connected(1);
    // Our end receives the close one event-loop turn later.
    await nextTurn();
    await nextTurn();
    expect((await request(agent, server)).status).toBe(200);
    expect(server.connections()).toBe(1);
  });

  it('is awaited by a request that starts before it is open', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    await request(agent, server);
    expect(server.connections()).toBe(1);
  });

  it('is prepared once, however often it is requested, and not at all where connections exist', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    agent.prepare(server.origin);
    agent.prepare(server.origin);
    await request(agent, server);
    // undici releases a connection one event-loop turn after the last byte of the response.
    await nextTurn();
    agent.prepare(server.origin);
    await request(agent, server);
    expect(server.connections()).toBe(1);
  });

  it.each<[string, (agent: Agent, end: () => Promise<void>) => Promise<void>]>([
    ['no request follows', (_, end) => end()],
    ['all prepared connections are dropped', (agent) => agent.dropPrepared()],
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

  it('is the TCP connection below TLS where there is one, without a second one', async () => {
    const { server, tcp, agent } = await overTls();
    await using _ = server;
    tcp.prepare(tcpOriginOf(server.origin));
    await agent.prepare(server.origin)();
    expect(agent.hasPrepared()).toBe(false);
    expect((await request(agent, server)).status).toBe(200);
    expect([server.connections(), tcp.hasPrepared()]).toEqual([1, false]);
    // Once it is in use, another one starts as usual.
    agent.renew();
    agent.prepare(server.origin);
    expect(agent.hasPrepared()).toBe(true);
    await agent.close();
  });

  it('starts TLS upon the prepared TCP connection, which ends with it unless it is used', async () => {
    const { server, tcp, agent } = await overTls();
    await using _ = server;
    /** Starts TLS on the open TCP connection. Before TCP is open, nothing starts. */
    const started = async () => {
      tcp.prepare(tcpOriginOf(server.origin));
      for (;;) {
        const end = agent.prepare(server.origin);
        if (agent.hasPrepared()) return end;
        await nextTurn();
      }
    };
    // In the middle of its handshake.
    const endAtOnce = await started();
    await endAtOnce();
    const end = await started();
    expect(tcp.hasPrepared()).toBe(false);
    await server.connected(1);
    await end();
    await server.closed(1);
    await started();
    expect((await request(agent, server)).status).toBe(200);
    expect([server.connections(), agent.hasPrepared()]).toEqual([2, false]);
    await agent.close();
  });

  it('has its own TCP connection where no TLS goes upon the prepared one', async () => {
    await using server = await answering();
    const clock = virtualClock();
    const tcp = createTcp(clock);
    tcp.prepare(tcpOriginOf(server.origin.replace('http:', 'https:')));
    await server.connected(1);
    await nextTurn();
    await nextTurn();
    const agent = createAgent({ clock, tcp });
    agent.prepare(server.origin);
    expect((await request(agent, server)).status).toBe(200);
    expect([server.connections(), tcp.hasPrepared()]).toEqual([2, true]);
    await tcp.drop();
    await agent.close();
  });

  it('is replaced by a new one where the TCP connection below failed or is too old', async () => {
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
    // No server listens on this port.
    const nowhere = 'https://127.0.0.1:1';
    tcp.prepare(tcpOriginOf(nowhere));
    while (tcp.isPrepared(tcpOriginOf(nowhere))) await nextTurn();
    expect(tcp.hasPrepared()).toBe(false);
  });

  it('is not ended by its preparer once it is in use', async () => {
    await using server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    const end = agent.prepare(server.origin);
    await request(agent, server);
    await end();
    await nextTurn();
    await request(agent, server);
    expect(server.connections()).toBe(1);
  });

  it('is not used after a freeze', async () => {
    await using server = await answering();
    const clock = virtualClock();
    const agent = createAgent({ clock });
    agent.prepare(server.origin);
    await server.connected(1);
    clock.freeze(4_001);
    await request(agent, server);
    expect(server.requests.map(({ connection }) => connection)).toEqual([2]);
    await server.closed(1);
  });

  it('does not keep a program alive', async () => {
    await using prepared = await answering();
    await using other = await startServer(async () => {
      await prepared.connected(1);
      return { status: 200 };
    });
    const program = `
      const { createAgent, send, systemClock: clock } = {
        ...(await import('./lib/access/net/agent.ts')),
        ...(await import('./lib/access/net/clock.ts')),
        ...(await import('./lib/access/net/request.ts')),
      };
      const agent = createAgent({ clock });
      agent.prepare('${prepared.origin}');
      await send({ agent, method: 'GET', url: '${other.origin}', headers: {}, timeoutMs: 20_000, maxBytes: 10 });
    `;
    const child = execFile(process.execPath, ['--input-type=module', '--eval', program], { timeout: 25_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect([prepared.connections(), other.requests.length]).toEqual([1, 1]);
  });

  it('leaves its failure to the request', async () => {
    const server = await answering();
    const agent = createAgent({ clock: virtualClock() });
    await server[Symbol.asyncDispose]();
    agent.prepare(server.origin);
    await expect(request(agent, server)).rejects.toMatchObject({ reason: 'connect', code: 'ECONNREFUSED' });
  });

  it('reaches an IPv6 address', async () => {
    const agent = createAgent({ clock: virtualClock() });
    const origin = 'http://[::1]:1';
    agent.prepare(origin);
    const failure = await request(agent, { origin }).catch((error: unknown) => error);
    // No server listens there. Without IPv6 the address does not exist either. Neither case looks up a name in DNS.
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH)$/) });
  });
});
