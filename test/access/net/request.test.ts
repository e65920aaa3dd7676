import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../lib/access/net/agent.ts';
import { systemClock, type Clock } from '../../../lib/access/net/clock.ts';
import { timedOut } from '../../../lib/access/net/deadline.ts';
import { send } from '../../../lib/access/net/request.ts';
import { TransportError } from '../../../lib/access/net/transport-error.ts';
import { startServer, type Answer, type TestServer } from '../../support/http-server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { inSoak } from '../../support/samples.ts';

const marker = 'marker-7f3c';

const request = (origin: string, signal?: AbortSignal, clock: Clock = systemClock) =>
  send({
    agent: createAgent({ clock }),
    method: 'POST',
    url: `${origin}/?q=${marker}`,
    headers: { authorization: `Bearer ${marker}` },
    body: marker,
    timeoutMs: 60_000,
    signal,
    maxBytes: 100,
  });

const failureOf = async (promise: Promise<unknown>): Promise<TransportError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TransportError)) throw new Error(`no TransportError but ${inspect(error)}`);
  return error;
};

const answering = (answer: Answer): Promise<TestServer> => startServer(() => answer);

describe('send', () => {
  it('sends its input and returns status, headers and bytes', async () => {
    await using server = await answering({ status: 418, headers: { 'X-One': 'a', 'set-cookie': 'b=c' }, body: 'tea' });
    const answer = await request(server.origin);
    expect(answer).toMatchObject({
      status: 418,
      headers: { 'x-one': 'a', 'set-cookie': 'b=c' },
      body: Buffer.from('tea'),
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: `/?q=${marker}`, body: marker });
  });

  it('does not follow a redirect', async () => {
    await using target = await answering({ status: 200 });
    await using server = await answering({ status: 307, headers: { location: target.origin } });
    expect((await request(server.origin)).status).toBe(307);
    expect(target.requests).toHaveLength(0);
  });

  it('reads a response of exactly the limit and rejects one more byte', async () => {
    await using exact = await answering({ status: 200, body: 'x'.repeat(100) });
    await using over = await answering({ status: 200, body: 'x'.repeat(101) });
    expect((await request(exact.origin)).body).toHaveLength(100);
    expect(await failureOf(request(over.origin))).toMatchObject({ reason: 'too_large', status: 200 });
  });

  it.each(inSoak('uses no more memory than the size of the response, also for small chunks'))('%s', async () => {
    const size = 2 * 1024 * 1024;
    const chunks = Array.from({ length: size / 16 }, (_, index) => `1\r\n${(index % 16).toString(16)}\r\n`).join('');
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    await using server = await answering({ raw: (socket) => socket.write(`${head}${chunks.repeat(16)}0\r\n\r\n`) });
    const program = `
      const { createAgent, send, systemClock: clock } = {
        ...(await import('./lib/access/net/agent.ts')),
        ...(await import('./lib/access/net/clock.ts')),
        ...(await import('./lib/access/net/request.ts')),
      };
      const agent = createAgent({ clock });
      const url = '${server.origin}';
      const { body } = await send({ agent, method: 'GET', url, headers: {}, timeoutMs: 20_000, maxBytes: ${size} });
      process.exitCode = body.equals(Buffer.from('0123456789abcdef'.repeat(${size / 16}))) ? 0 : 1;
    `;
    // One object per byte would take more than 100 MB.
    const child = execFile(process.execPath, ['--max-old-space-size=48', '--input-type=module', '--eval', program]);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('distinguishes a broken connection from a rejected one', async () => {
    await using server = await answering('reset');
    expect((await failureOf(request(server.origin))).reason).toBe('reset');
    await server[Symbol.asyncDispose]();
    expect(await failureOf(request(server.origin))).toMatchObject({ reason: 'connect', code: 'ECONNREFUSED' });
  });

  it('distinguishes a time limit from an abort, before and within the response', async () => {
    for (const [answer, status] of [
      ['hang', undefined],
      ['drip', 200],
    ] as const) {
      await using server = await answering(answer);
      for (const [reason, cause] of [
        ['timeout', timedOut()],
        ['aborted', new Error(marker)],
      ] as const) {
        const controller = new AbortController();
        const pending = failureOf(request(server.origin, controller.signal));
        await server.received(reason === 'timeout' ? 1 : 2);
        // The client must have read the first bytes of the response. That the server sent them is not enough.
        if (answer === 'drip') await new Promise((resolve) => setTimeout(resolve, 100));
        controller.abort(cause);
        expect(await pending).toMatchObject({ reason, status });
      }
      // No request is pending.
      await server.closed(2);
    }
  });

  it('sends nothing once its signal has ended', async () => {
    await using server = await answering({ status: 200 });
    expect((await failureOf(request(server.origin, AbortSignal.abort()))).reason).toBe('aborted');
    expect(server.connections()).toBe(0);
  });

  it('ends at its time limit, with its connection', async () => {
    await using server = await answering('hang');
    const clock = virtualClock();
    const pending = failureOf(request(server.origin, undefined, clock));
    await server.received(1);
    clock.advance(60_000);
    expect(await pending).toMatchObject({ reason: 'timeout' });
    await server.closed(1);
  });

  it('shows no header, body or address in its errors', async () => {
    await using server = await answering('reset');
    const error = await failureOf(request(server.origin));
    const shown = `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
    expect(shown).toContain('reset');
    expect(shown).not.toContain(marker);
    expect(error.cause).toBeUndefined();
  });

  it('reports an invalid request without quoting it', async () => {
    await using server = await answering({ status: 200 });
    const headers = { authorization: `${marker}\r\nx: y` };
    const agent = createAgent({ clock: systemClock });
    const error: unknown = await send({
      agent,
      method: 'GET',
      url: server.origin,
      headers,
      timeoutMs: 60_000,
      maxBytes: 1,
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(marker);
  });
});
