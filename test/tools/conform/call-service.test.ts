import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, callService, casesOf } from '../../../lib/tools/conform/call-service.ts';
import { searchRecordings } from '../../../lib/tools/conform/personal-data.ts';
import { readRecordings } from '../../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../../lib/tools/conform/replay-recordings.ts';
import { reportOf } from '../../../lib/tools/conform/report.ts';
import { writeRecordings } from '../../../lib/tools/conform/write-recordings.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { type AdapterBuild, readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { plant } from '../../support/emitted/record.ts';
import { type Answer, type Received, startServer, type TestServer } from '../../support/http-server.ts';
import { inSoak } from '../../support/samples.ts';

/* The retailer API of bol at the wire: one return, which a handling changes. */

const secret = 'secret-of-the-conform-test';
let build: AdapterBuild;
let server: TestServer;
let handled: boolean;
/** Replaces an answer of the service. */
let answerOf: (request: Received) => Answer | undefined;

const item = () => ({
  rmaId: '86120001',
  orderId: '4012340001',
  ean: '8712345000011',
  title: 'Desk lamp',
  expectedQuantity: 1,
  returnReason: { mainReason: 'Anders', customerComments: 'Billie has two' },
  handled,
  processingResults: handled
    ? [
        {
          quantity: 1,
          processingResult: 'ACCEPTED',
          handlingResult: 'RETURN_RECEIVED',
          processingDateTime: '2026-11-18T10:55:37+01:00',
        },
      ]
    : [],
  customerDetails: { firstName: 'Billie', surname: 'Jansen', email: 'billie@verkopen.bol.com' },
});

const bolReturn = () => ({
  returnId: '1001',
  registrationDateTime: '2026-11-14T11:06:48+01:00',
  fulfilmentMethod: 'FBR',
  returnItems: [item()],
});

const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

const respond = (request: Received): Answer => {
  const { method, path } = request;
  const replaced = answerOf(request);
  if (replaced !== undefined) return replaced;
  if (path === '/token') return json(200, { access_token: 'token-1', token_type: 'Bearer', scope: 'RETAILER' });
  if (path.startsWith('/retailer/returns?')) return json(200, { returns: path.includes('true') ? [] : [bolReturn()] });
  if (method === 'PUT') {
    handled = true;
    return json(202, { processStatusId: '7', status: 'PENDING' });
  }
  if (path === '/shared/process-status/7') return json(200, { status: 'SUCCESS' });
  return path === '/retailer/returns/1001' ? json(200, bolReturn()) : json(404, {});
};

beforeAll(async () => {
  plant([secret]);
  const found = await readAdapter('bol');
  if (!found.ok) throw new Error(found.failure);
  build = found.value;
});

beforeEach(async () => {
  handled = false;
  answerOf = () => undefined;
  server = await startServer(respond);
});

afterEach(() => server[Symbol.asyncDispose]());

const call = (options: Partial<CallOptions> = {}) =>
  callService(build, {
    serviceUrl: server.origin,
    authUrl: server.origin,
    clientSecret: JSON.stringify({ clientId: 'shop', clientSecret: secret }),
    returnId: undefined,
    commands: false,
    inputs: {},
    ...options,
  });

const inspection = { inspect: { lines: [{ lineId: '86120001', quantity: 1, outcome: 'accept' }] } };

const writes = () => server.requests.filter(({ method, path }) => method !== 'GET' && path !== '/token');

describe('callService', () => {
  it('sends reads only, and takes the return from the list', async () => {
    const called = await call({ inputs: inspection, returnId: '1001' });
    const rows = called.map(({ row }) => row);

    expect(writes()).toEqual([]);
    expect(rows.map(({ operation, differences }) => [operation, differences])).toEqual([
      ['listReturns', []],
      ['getReturn', []],
      ['inspect', []],
    ]);
    expect(reportOf('bol', rows)).toMatch(/inspect: a command is called only with --commands\n\nbol conforms: 2 of 3/);
  });

  it.each([
    ['a return', { inputs: inspection }, 'a command needs --return'],
    ['an input', { returnId: '1001' }, 'a command needs its input in --inputs, which may be {}'],
  ])('sends no command without %s', async (_, options, uncalled) => {
    const called = await call({ commands: true, ...options });

    expect(writes()).toEqual([]);
    expect(called.find(({ row }) => row.operation === 'inspect')?.row).toMatchObject({ uncalled });
  });

  it('sends no command whose input the deployment does not accept', async () => {
    const lines = inspection.inspect.lines.map((line) => ({ ...line, photo: 'a.jpg' }));
    const called = await call({ commands: true, returnId: '1001', inputs: { inspect: { lines } } });

    expect(writes()).toEqual([]);
    expect(called.find(({ row }) => row.operation === 'inspect')?.row).toMatchObject({
      uncalled: expect.stringContaining('in --inputs: the input/lines/0 ') as string,
    });
  });

  it('sends a command for a named return', async () => {
    const called = await call({ commands: true, returnId: '1001', inputs: inspection });

    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /retailer/returns/86120001']);
    expect(called.at(-1)?.row).toMatchObject({ operation: 'inspect', differences: [], counts: { answers: 1 } });
  });

  it('finds a service whose answers do not fit', async () => {
    const called = await call({ returnId: '1002' });

    expect(called.find(({ row }) => row.operation === 'getReturn')).toEqual({
      row: expect.objectContaining({
        differences: [{ check: 'answers', text: 'return_not_found, GET /retailer/returns/1002 answered 404' }],
      }) as unknown,
    });
  });

  const planted = 'text-of-the-service';

  it.each<[string, Answer, string]>([
    ['an outage', json(500, { title: planted }), 'dependency_unavailable, GET /retailer/returns/1001 answered 500'],
    ['an unknown status', json(405, { title: planted }), 'dependency_refused, GET /retailer/returns/1001 answered 405'],
    [
      'a page',
      { status: 200, body: planted },
      'dependency_refused: the body must be JSON, GET /retailer/returns/1001 answered 2xx',
    ],
    [
      'a rejected token',
      json(401, { title: planted }),
      'dependency_unavailable, GET /retailer/returns/1001 answered 401: the API rejects a token that was just issued: ' +
        'repeatedly. Check TokenHeader and TokenScheme.',
    ],
    [
      'a closed connection',
      'reset',
      'dependency_unavailable, GET /retailer/returns/1001 got no answer: the service closes the connection ' +
        '(ECONNRESET). Check its logs.',
    ],
  ])('names the request that got %s, and no text of the service', async (_, answer, text) => {
    answerOf = ({ path }) => (path === '/retailer/returns/1001' ? answer : undefined);
    const called = await call({ returnId: '1001' });

    expect(called.find(({ row }) => row.operation === 'getReturn')?.row.differences).toEqual([
      { check: 'answers', text },
    ]);
    expect(JSON.stringify(called)).not.toContain(planted);
  });

  it.each<[string, Answer, string]>([
    [
      'rejects the client secret',
      json(401, { error: 'invalid_client', error_description: planted }),
      'the token endpoint rejects the client id or the client secret. Store the client id and secret of the ' +
        'identity provider in the file of --secret.',
    ],
    [
      'names the token otherwise',
      json(200, { token: planted }),
      'the token endpoint answers without a usable token. Check that --auth is the right provider. If its answer ' +
        'names the token otherwise, set TokenFields. TokenPath is the path of the token endpoint below --auth.',
    ],
    [
      'is not at this path',
      json(404, { title: planted }),
      'the token endpoint is not at this path. Set --auth and TokenPath: together they are its URL. TokenPath is ' +
        '/connect/token by default.',
    ],
    ['closes the connection', 'reset', 'the token endpoint closes the connection (ECONNRESET). Check its logs.'],
  ])('says as the doctor does that the token endpoint %s, and asks it for no other token', async (_, answer, text) => {
    answerOf = ({ path }) => (path === '/token' ? answer : undefined);
    const called = await call({ returnId: '1001' });

    expect(called.map(({ row }) => row.uncalled)).toEqual([undefined, 'there is no token', 'there is no token']);
    expect(called[0]?.row.differences.map((difference) => difference.text)).toEqual([
      expect.stringContaining(`dependency_unavailable, GET /retailer/returns was not sent: ${text}`),
    ]);
    expect(JSON.stringify(called)).not.toContain(planted);
    expect(JSON.stringify(called)).not.toContain(secret);
  });
});

describe('writeRecordings', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const record = async (options: Partial<CallOptions>) =>
    (await writeRecordings(folder, 'a test', casesOf(await call(options)))).map((line) => line.replace(folder, ''));

  it('writes calls without personal data, which replay without the service', async () => {
    await record({ commands: true, returnId: '1001', inputs: inspection });

    expect(searchRecordings(folder, [secret, 'token-1', 'Billie', 'Jansen'])).toEqual([]);
    const recordings = await readRecordings(folder);
    expect([...recordings.values()].map(({ cases: { length } }) => length)).toEqual([1, 1, 1]);
    const rows = await replayRecordings(build, { recordings });
    expect(rows.flatMap(({ operation, differences }) => differences.map(({ text }) => `${operation} ${text}`))).toEqual(
      ['inspect no case has a write with the answer "lost", which shows what a repeat does'],
    );
  });

  it('replaces a note of the input in each request and answer, and says where a word of it stays', async () => {
    const noted = { lines: [{ lineId: '86120001', quantity: 1, outcome: 'accept', note: 'Billie has two' }] };
    const exchange = {
      request: { method: 'POST', path: '/resi', body: { testo: 'Note: Billie has two' } },
      answer: { status: 200, body: { testo: 'Billie has two', motivo: 'Billie' } },
    } as const;
    await writeRecordings(folder, 'a test', [['inspect', { title: 'a note', input: noted, exchanges: [exchange] }]]);

    const [recorded] = (await readRecordings(folder)).get('inspect')?.cases ?? [];
    expect(recorded?.exchanges).toEqual([
      {
        request: { method: 'POST', path: '/resi', body: { testo: 'Note: Replaced' } },
        answer: { status: 200, body: { testo: 'Replaced', motivo: 'Billie' } },
      },
    ]);
    expect(searchRecordings(folder, ['Billie'])).toEqual([
      'inspect.json: has a secret or a value of a person of this run: replace it',
    ]);
  });

  it('replaces a note of one word of the input in each request, and no word that may be a code', async () => {
    const recordedOf = async (input: JsonObject, body: object) => {
      const exchange = { request: { method: 'POST', path: '/resi', body }, answer: { status: 200, body: {} } } as const;
      await writeRecordings(folder, 'a test', [['inspect', { title: 'a note', input, exchanges: [exchange] }]]);
      return (await readRecordings(folder)).get('inspect')?.cases.at(-1)?.exchanges[0]?.request.body;
    };

    expect(await recordedOf({ note: 'bad' }, { descrizione: 'bad', stato: 'badly' })).toEqual({
      descrizione: 'Replaced',
      stato: 'badly',
    });
    expect(await recordedOf({ code: 'damaged', note: 'damaged' }, { motivo: 'damaged' })).toEqual({
      motivo: 'damaged',
    });
  });

  it.each(inSoak('adds a case for each call, keeps those that are there, and names the files'))('%s', async () => {
    expect(await record({ returnId: '1001' })).toEqual([
      '/listReturns.json: a page with 1 item',
      '/getReturn.json: return 1001, approved',
    ]);
    const file = join(folder, 'getReturn.json');
    const changed = (await readFile(file, 'utf8')).replace('return 1001, approved', 'the return of the lamp');
    await writeFile(file, changed);
    handled = true;

    expect(await record({ returnId: '1001' })).toEqual([
      '/listReturns.json: a page with 1 item (2)',
      '/getReturn.json: return 1001, completed',
    ]);
    expect(await record({ returnId: '1001' })).toEqual([
      '/listReturns.json: the same case is there',
      '/getReturn.json: the same case is there',
    ]);
    const recordings = await readRecordings(folder);
    expect(recordings.get('getReturn')?.cases.map(({ title }) => title)).toEqual([
      'the return of the lamp',
      'return 1001, completed',
    ]);
  });
});
