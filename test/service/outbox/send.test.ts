import type { LookupAddress } from 'node:dns';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../lib/domain/events/endpoint.ts';
import type { Resolve } from '../../../lib/access/net/guard.ts';
import { networksOf } from '../../../lib/runtime/public-address.ts';
import { createSender } from '../../../lib/service/outbox/send.ts';
import { startServer, type Respond, type TestServer } from '../../support/http-server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const secret = `whsec_${Buffer.from('a key that is known to the test').toString('base64')}`;
const secrets = [{ secret, createdAt: '2026-01-01T00:00:00.000Z' }];
const event = { id: 'evt_1', body: '{"specversion":"1.0"}' };
const never = new AbortController().signal;
const loopback = networksOf('127.0.0.0/8');

const endpointAt = (url: string): Endpoint => ({
  id: 'whk_1',
  url,
  eventTypes: ['*'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  begins: [],
});

/** Sends one event to its own receiver, which answers so. */
const sentTo = async (respond: Respond, timeoutMs = 5_000) => {
  await using server = await startServer(respond);
  const sender = createSender(loopback);
  const outcome = await sender.sendEvent(endpointAt(`${server.origin}/in?a=b`), secrets, event, timeoutMs, never);
  await sender.end();
  await server.closed(server.connections());
  return { outcome, requests: server.requests };
};

describe('attempt', () => {
  it('is a POST of the event, signed, and answered with a 2xx', async () => {
    const { outcome, requests } = await sentTo(() => ({ status: 202, body: 'thank\u0000 you\u001b[31m\n' }));
    expect(outcome).toMatchObject({ ok: true, status: 202, response: 'thank  you [31m' });
    const [{ method, path, headers, body } = {}] = requests as readonly Partial<(typeof requests)[number]>[];
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/in?a=b', body: event.body });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Returns-Webhooks/1' });
    expect(new Webhook(secret).verify(body ?? '', headers as Record<string, string>)).toEqual({ specversion: '1.0' });
  });

  it.each<[string, Respond, object]>([
    ['410', () => ({ status: 410 }), { ok: false, status: 410, gone: true }],
    ['500', () => ({ status: 500, body: 'broken' }), { ok: false, status: 500, response: 'broken' }],
    [
      '429 with Retry-After',
      () => ({ status: 429, headers: { 'retry-after': '120' } }),
      { ok: false, status: 429, retryAfterMs: 120_000 },
    ],
    [
      '503 with a distant Retry-After',
      () => ({ status: 503, headers: { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' } }),
      { ok: false, retryAfterMs: 6 * 3_600_000 },
    ],
    ['a reset', () => 'reset', { ok: false, error: 'reset' }],
    [
      'a reset during the headers',
      () => ({ raw: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy()) }),
      { ok: false, error: 'reset' },
    ],
    [
      'a 2xx with an incomplete body',
      () => ({
        raw: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.destroy()),
      }),
      { ok: true, status: 200 },
    ],
    [
      'a response that is no HTTP',
      () => ({ raw: (socket) => socket.end('SSH-2.0\r\n\r\n') }),
      { ok: false, error: 'reset' },
    ],
  ])('is answered with %s', async (_, respond, expected) => {
    const { outcome } = await sentTo(respond, 60_000);
    expect(outcome).toMatchObject(expected);
  });

  it.each<[string, Respond, object]>([
    ['no response', () => 'hang', { ok: false, error: 'timeout' }],
    ['a 2xx whose body does not end', () => 'drip', { ok: true, status: 200 }],
  ])('ends at its limit after %s', async (_, respond, expected) => {
    const { outcome } = await sentTo(respond, 150);
    expect(outcome).toMatchObject(expected);
  });

  it('reads at most 16 KB of an endless response, which still counts as a 2xx', async () => {
    await using server = await startServer(() => ({
      raw: (socket) => {
        const more = () => {
          while (socket.write(Buffer.alloc(4096, 'x')));
          socket.once('drain', more);
        };
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n');
        more();
      },
    }));
    const { sendEvent } = createSender(loopback);
    const outcome = await sendEvent(endpointAt(server.origin), secrets, event, 5_000, never);
    expect(outcome).toMatchObject({ ok: true, status: 200, response: 'x'.repeat(1024) });
    await server.closed(1);
  });

  it('follows no redirect', async () => {
    await using target = await startServer(() => ({ status: 200 }));
    for (const location of ['http://169.254.169.254/latest/meta-data/', `${target.origin}/`]) {
      const { outcome, requests } = await sentTo(() => ({ status: 307, headers: { location } }));
      expect(outcome).toMatchObject({ ok: false, status: 307 });
      expect(requests).toHaveLength(1);
    }
    expect(target.connections()).toBe(0);
  });

  it('is ended by its signal, with its connection', async () => {
    await using server = await startServer(() => 'hang');
    const { sendEvent } = createSender(loopback);
    const controller = new AbortController();
    const sending = sendEvent(endpointAt(server.origin), secrets, event, 60_000, controller.signal);
    await server.received(1);
    controller.abort();
    expect(await sending).toMatchObject({ ok: false, error: 'aborted' });
    await server.closed(1);
  });

  it('takes at most 15 s by the given clock, and reports the timeout', async () => {
    await using server = await startServer(() => 'hang');
    const clock = virtualClock();
    const { sendEvent } = createSender(loopback, clock);
    const sending = sendEvent(endpointAt(server.origin), secrets, event, 15_000, never);
    await server.received(1);
    clock.advance(15_000);
    expect(await sending).toMatchObject({ ok: false, error: 'timeout', ms: 15_000, at: '2026-11-21T08:00:00.000Z' });
  });
});

describe('host', () => {
  /** Returns a fake DNS with these addresses, one answer after the other. */
  const dns = (...answers: readonly (readonly string[])[]) => {
    const lookups: string[] = [];
    const resolve: Resolve = (hostname, _, callback) => {
      const addresses = answers[Math.min(lookups.push(hostname), answers.length) - 1] ?? [];
      callback(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve, lookups };
  };
  const sendTo = async (server: TestServer, url: string, resolve: Resolve, networks = '') => {
    const sender = createSender(networksOf(networks), undefined, resolve);
    const outcome = await sender.sendEvent(endpointAt(url), secrets, event, 2_000, never);
    await sender.end();
    return { outcome, connections: server.connections() };
  };
  const answering = () => startServer(() => ({ status: 200 }));
  const portOf = ({ origin }: TestServer) => new URL(origin).port;
  const forbidden = { outcome: { ok: false, error: 'address_forbidden' }, connections: 0 };

  it.each([
    ['a private address', ['127.0.0.1']],
    ['a private address among public ones', ['93.184.216.34', '127.0.0.1']],
    ['a private address as IPv6', ['::ffff:127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['nowhere', []],
  ])('that resolves to %s gets no connection', async (_, addresses) => {
    await using server = await answering();
    const { resolve } = dns(addresses);
    expect(await sendTo(server, `https://hooks.example.com:${portOf(server)}/`, resolve)).toMatchObject(forbidden);
  });

  it('that is an address is checked without a DNS lookup', async () => {
    await using server = await answering();
    const { resolve, lookups } = dns(['93.184.216.34']);
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1'])
      expect(await sendTo(server, `https://${host}:${portOf(server)}/`, resolve)).toMatchObject(forbidden);
    expect(lookups).toEqual([]);
  });

  it('is resolved once for a connection, to the checked address', async () => {
    await using server = await answering();
    const { resolve, lookups } = dns(['127.0.0.1'], ['169.254.169.254']);
    const url = `https://hooks.example.com:${portOf(server)}/`;
    // It speaks no TLS: only the connection counts.
    const { outcome } = await sendTo(server, url, resolve, '127.0.0.1/32');
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.error).not.toBe('address_forbidden');
    expect({ connections: server.connections(), lookups }).toEqual({ connections: 1, lookups: ['hooks.example.com'] });
  });

  it('that changes to a private address between two connections is rejected the second time', async () => {
    await using server = await answering();
    const { resolve } = dns(['127.0.0.1'], ['10.0.0.1']);
    const sender = createSender(networksOf('127.0.0.1/32'), undefined, resolve);
    const once = () =>
      sender.sendEvent(endpointAt(`https://hooks.example.com:${portOf(server)}/`), secrets, event, 2_000, never);
    expect((await once()).error).not.toBe('address_forbidden');
    expect(await once()).toMatchObject({ error: 'address_forbidden' });
    expect(server.connections()).toBe(1);
    await sender.end();
  });

  it('is resolved once for all waiting calls: slow name servers could block every lookup', async () => {
    await using server = await answering();
    let release = (): void => undefined;
    const lookups: string[] = [];
    const slow: Resolve = (hostname, _, callback) => {
      lookups.push(hostname);
      release = () => callback(null, [{ address: '127.0.0.1', family: 4 }]);
      if (lookups.length > 1) queueMicrotask(release);
    };
    const sender = createSender(networksOf(''), undefined, slow);
    const once = (timeoutMs: number) =>
      sender.sendEvent(endpointAt(`https://hooks.example.com:${portOf(server)}/`), secrets, event, timeoutMs, never);
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => once(100)));
    expect(outcomes.every(({ error }) => error === 'timeout')).toBe(true);
    expect(lookups).toHaveLength(1);
    release();
    expect(await once(2_000)).toMatchObject({ error: 'address_forbidden' });
    expect(lookups).toHaveLength(2);
    await sender.end();
  });

  it('that is not found gets no connection', async () => {
    await using server = await answering();
    const missing: Resolve = (_, __, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    expect(await sendTo(server, 'https://hooks.example.com/', missing)).toMatchObject({
      outcome: { ok: false, error: 'connect' },
    });
  });
});
