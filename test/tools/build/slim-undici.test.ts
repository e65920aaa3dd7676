import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../lib/tools/build/bundle.ts';
import { testCertificate } from '../../support/certificate.ts';
import type { Exchange } from './slim/subject.ts';
import { comparable, inBoth, weights, type Container } from './slim/weights.ts';
import { answerHalf, answerJson, cutAnswer, reset, startWire, type Respond, type Wire } from './slim/wire.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slim-undici-'));
  const entries = { subject: 'test/tools/build/slim/subject.ts' };
  await Promise.all(
    weights.map((weight) =>
      bundle(offers.connected, { whole: weight === 'whole', outdir: join(directory, weight), entries }),
    ),
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const environment = {
  TABLE_NAME: 'table',
  INBOX_QUEUE_URL: 'https://queue.invalid/1/inbox',
  INBOX_DLQ_URL: 'https://queue.invalid/1/dead',
  INBOX_BUCKET: 'bodies',
  INBOX_MAX_RECEIVES: '3',
};

type Send = (more?: Partial<Exchange>) => Promise<unknown>;
type Part = (send: Send, wire: Wire, container: Container) => Promise<unknown>;
type Tls = NonNullable<Parameters<typeof startWire>[1]>;

/** Runs both weights with the same dependency. */
const play = (respond: Respond, part: Part, tls?: Tls) =>
  inBoth(
    (weight) => join(directory, weight, 'subject.mjs'),
    async (start) => {
      await using wire = await startWire(respond, tls);
      await using container = await start(environment);
      const send: Send = (more) => container.call('exchange', { url: `${wire.origin}/path?q=%C3%9F`, ...more });
      const outcome = await part(send, wire, container);
      return { outcome, requests: wire.requests.map(comparable) };
    },
  );

const fine: Respond = (response) => answerJson(response, 200, { text: 'Größe 返品 🎁' });
const once: Part = (send) => send();
const twice: Part = async (send) => [await send(), await send()];

describe.concurrent('whole and slim undici', () => {
  it('send and read', async () => {
    const request = { method: 'POST', headers: { 'content-type': 'text/plain', 'x-a': 'b' }, body: 'ß' } as const;
    const { whole, slim } = await play(fine, (send) => send(request));
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ value: { status: 200, body: '{"text":"Größe 返品 🎁"}' } });
    expect(slim.requests).toMatchObject([
      { method: 'POST', path: '/path?q=%C3%9F', body: 'ß', headers: request.headers },
    ]);
  });

  it('send and read large bodies', async () => {
    const large = 'ä'.repeat(2_000_000);
    const { whole, slim } = await play(
      (response) => response.end(large),
      (send) => send({ method: 'PUT', body: large }),
    );
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ value: { status: 200, body: large } });
    expect(slim.requests[0]?.headers['content-length']).toBe('4000000');
  });

  it('read responses without length or body, with repeated headers and an interim response', async () => {
    const parts: Respond = (response, _, count) => {
      if (count === 1) return void response.writeHead(204).end();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.setHeader('x-twice', ['1', '2']);
      response.write('one');
      response.end('two');
    };
    const { whole, slim } = await play(parts, twice);
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject([
      { value: { status: 204, body: '' } },
      { value: { status: 200, body: 'onetwo', headers: { 'x-twice': '1, 2' } } },
    ]);
  });

  it.each([
    ['a reset', reset, { reason: 'reset' }],
    ['a reset during the response', cutAnswer, { reason: 'reset', status: 200 }],
    [
      'a response that is no HTTP',
      ((response) => response.socket?.end('SSH-2.0\r\n')) satisfies Respond,
      { reason: 'reset' },
    ],
    [
      'headers above the limit of Node',
      ((response) => response.writeHead(200, { 'x-large': 'a'.repeat(16_500) }).end()) satisfies Respond,
      { reason: 'reset', code: 'UND_ERR_HEADERS_OVERFLOW' },
    ],
    [
      'a redirect, which is not followed',
      ((response) => response.writeHead(302, { location: '/' }).end()) satisfies Respond,
      undefined,
    ],
  ] as const)('agree about %s', async (_, respond, error) => {
    const { whole, slim } = await play(respond, once);
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject(error === undefined ? { value: { status: 302 } } : { error });
    expect(slim.requests).toHaveLength(1);
  });

  it('agree when no server listens', async () => {
    // A port that is never in use. A released port may be another test's by now.
    const { whole, slim } = await play(fine, (send) => send({ url: 'http://127.0.0.1:1/path' }));
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ error: { reason: 'connect', code: 'ECONNREFUSED' } });
  });

  it.each([
    ['before the response', () => undefined],
    ['during the response', answerHalf],
  ] as const)('agree about a call that is aborted %s', async (_, respond) => {
    const part: Part = async (send, wire, container) => {
      const answer = send();
      await wire.received(1);
      await container.call('abort');
      return answer;
    };
    const { whole, slim } = await play(respond, part);
    // How much of a response was read before the abort is random.
    const aborted = { error: { name: 'TransportError', reason: 'aborted' } };
    expect([whole.outcome, slim.outcome]).toMatchObject([aborted, aborted]);
  });

  it('agree about a response above the size limit', async () => {
    const { whole, slim } = await play(fine, (send) => send({ maxBytes: 3 }));
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ error: { reason: 'too_large' } });
  });

  it('agree about requests that cannot be sent', async () => {
    const { whole, slim } = await play(fine, (send) => send({ headers: { 'x-a': 'b\r\nc' } }));
    expect(slim).toEqual(whole);
    expect(slim).toEqual({ outcome: { error: 'TypeError: the request cannot be sent as it is' }, requests: [] });
  });

  it('agree about repeated header values, one of them invalid', async () => {
    const token = `Bearer ${'t'.repeat(700)}`;
    const [injecting, beyond] = [`${token}\r\nx: y`, `${'t'.repeat(700)}\u0100`];
    const latin = `${'t'.repeat(700)}é`;
    const values = [token, token, injecting, injecting, token, latin, beyond, beyond];
    const part: Part = async (send) => {
      const outcomes = [];
      for (const authorization of values) outcomes.push(await send({ headers: { authorization } }));
      return outcomes;
    };
    const { whole, slim } = await play(fine, part);
    expect(slim).toEqual(whole);
    expect(slim.requests.map(({ headers }) => headers['authorization'])).toEqual([token, token, token, latin]);
  });

  it('agree about the names of headers', async () => {
    const names = ['x y', 'x\r\ny', 'é', '', 'content-length', 'Host', '__proto__', 'hasOwnProperty', 'TraceParent'];
    const part: Part = async (send) => {
      const outcomes = [];
      for (const name of names) outcomes.push({ name, outcome: await send({ headers: { [name]: '14' } }) });
      return outcomes;
    };
    const { whole, slim } = await play(fine, part);
    expect(slim).toEqual(whole);
  });

  it('read many long header names as they are written, the second time as the first', async () => {
    const names = [
      'aaaa',
      'aaab',
      'AAAC',
      'aAaD',
      'aaae',
      'AAAA',
      'constructor',
      'Connection',
      'x'.repeat(63),
      'X'.repeat(64),
    ];
    const headers = [...names, 'é', '~'].map((name, at) => `${name}: ${at}\r\n`).join('');
    const raw: Respond = (response) =>
      response.socket?.write(Buffer.from(`HTTP/1.1 200 OK\r\n${headers}CONTENT-LENGTH: 2\r\n\r\nok`, 'latin1'));
    const { whole, slim } = await play(raw, twice);
    expect(slim).toEqual(whole);
  });

  it("give middy's handlers their signal", async () => {
    const part: Part = (_, __, container) => container.call('signalled', 20);
    const { whole, slim } = await play(fine, part);
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ answers: ['in time', 'late'] });
  });

  it('reuse a connection', async () => {
    const { whole, slim } = await play(fine, twice);
    expect(slim).toEqual(whole);
    expect(slim.requests.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  it('open a new connection after a freeze', async () => {
    const part: Part = async (send, wire, container) => {
      await send();
      await container.frozen(wire.hangUp);
      container.sleep(60_000);
      return send();
    };
    const { whole, slim } = await play(fine, part);
    expect(slim).toEqual(whole);
    expect(slim.outcome).toMatchObject({ value: { status: 200 } });
    expect(slim.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('present a client certificate, and reject an unknown server', async () => {
    const server = testCertificate('server', Date.now() - 60_000, Date.now() + 3_600_000);
    const client = testCertificate('client', Date.now() - 60_000, Date.now() + 3_600_000);
    const tls: Tls = { cert: server.certificate, key: server.privateKey, ca: client.certificate, requestCert: true };
    const { certificate, privateKey } = client;
    const known = await play(
      fine,
      (send) => send({ identity: { certificate, privateKey, ca: server.certificate } }),
      tls,
    );
    expect(known.slim).toEqual(known.whole);
    expect(known.slim.outcome).toMatchObject({ value: { status: 200 } });
    const unknown = await play(fine, once, tls);
    expect(unknown.slim).toEqual(unknown.whole);
    expect(unknown.slim).toMatchObject({ outcome: { error: { reason: 'connect' } }, requests: [] });
  });

  it('differ in one point: the slim one stops V8 from optimising the HTTP parser at first', async () => {
    await using wire = await startWire(fine);
    const optimised = weights.map(async (weight) => {
      const bundle = pathToFileURL(join(directory, weight, 'subject.mjs')).href;
      const calls = `const { exchange } = await import('${bundle}');
        for (let call = 0; call < 50; call += 1) await exchange({ url: '${wire.origin}/' });
        process.exit();`;
      const flags = ['--trace-wasm-compilation-times', '--input-type=module', '--eval', calls];
      const { stdout } = await promisify(execFile)(process.execPath, flags, { env: environment });
      expect(stdout).toContain('using Liftoff');
      return stdout.includes('using TurboFan');
    });
    expect(await Promise.all(optimised)).toEqual([true, false]);
  });
});
