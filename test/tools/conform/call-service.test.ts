import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, callService } from '../../../lib/tools/conform/call-service.ts';
import { searchRecordings } from '../../../lib/tools/conform/personal-data.ts';
import { type RecordedCase, readRecordings } from '../../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../../lib/tools/conform/replay-recordings.ts';
import { reportOf } from '../../../lib/tools/conform/report.ts';
import { writeRecordings } from '../../../lib/tools/conform/write-recordings.ts';
import { type AdapterBuild, readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { plant } from '../../support/emitted/record.ts';
import { type Answer, type Received, startServer, type TestServer } from '../../support/http-server.ts';

/* The retailer API of bol at the wire: one return, which a handling changes. */

const secret = 'secret-of-the-conform-test';
let build: AdapterBuild;
let server: TestServer;
let handled: boolean;

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

const respond = ({ method, path }: Received): Answer => {
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

  it('sends a command for a named return', async () => {
    const called = await call({ commands: true, returnId: '1001', inputs: inspection });

    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /retailer/returns/86120001']);
    expect(called.at(-1)?.row).toMatchObject({ operation: 'inspect', differences: [], counts: { answers: 1 } });
  });

  it('finds a service whose answers do not fit', async () => {
    const called = await call({ returnId: '1002' });

    expect(called.find(({ row }) => row.operation === 'getReturn')).toEqual({
      row: expect.objectContaining({
        differences: [{ check: 'answers', text: 'return_not_found' }],
      }) as unknown,
    });
  });
});

describe('writeRecordings', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('writes calls without personal data, which replay without the service', async () => {
    const called = await call({ commands: true, returnId: '1001', inputs: inspection });
    const cases = called.flatMap(({ row, recorded }): [string, RecordedCase][] =>
      recorded === undefined ? [] : [[row.operation, recorded]],
    );

    await writeRecordings(folder, 'a test', new Map(cases));
    await writeRecordings(folder, 'a test', new Map(cases));

    expect(searchRecordings(folder, [secret, 'token-1', 'Billie', 'Jansen'])).toEqual([]);
    const recordings = await readRecordings(folder);
    expect([...recordings.values()].map(({ cases: { length } }) => length)).toEqual([1, 1, 1]);
    const rows = await replayRecordings(build, { recordings });
    expect(rows.flatMap(({ operation, differences }) => differences.map(({ text }) => `${operation} ${text}`))).toEqual(
      ['inspect no case has a write whose answer is lost'],
    );
  });
});
