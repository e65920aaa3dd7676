import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { path } from '../../lib/adapters/path.ts';
import type { Service } from '../../lib/adapters/send.ts';
import { startEngines } from '../shops/inbox/engines.ts';
import { startHarness } from '../access/oauth/harness.ts';
import { type Answer, startServer } from '../support/http-server.ts';
import { plant } from '../support/emitted/record.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../support/environment.ts';
import { forward, isFor } from '../support/engine.ts';
import { journalRows } from '../support/journal-rows.ts';
import { startProxy } from '../support/proxy.ts';
import { hearLines } from '../support/standard-output.ts';
import { callOf, commandWith, readFirst, type Repeat, type Rma } from './acme.ts';

/* Commands of adapters, with the journal in the DynamoDB engine and a foreign service at the wire. */

const engines = await startEngines();
const harness = await startHarness();
/** What the service does with the next writes; then it carries them out. */
let faults: (Answer | 'act and reset' | 'act and 502' | 'act and 303')[] = [];
/** The effects at the service, by return. */
const effects = new Map<string, number>();
const keys: (string | undefined)[] = [];
/** Holds writes until it resolves. */
let held: Promise<void> | undefined;

const service = await startServer(async ({ method, path: target, headers }) => {
  const id = target.split('/')[3] ?? '';
  const state = () => (effects.has(id) ? 'APPROVED' : 'OPEN');
  if (method === 'GET') return { status: 200, body: JSON.stringify({ id, state: state() }) };
  await held;
  keys.push(headers['x-key'] as string | undefined);
  const fault = faults.shift();
  if (fault === 'reset' || typeof fault === 'object') return fault;
  effects.set(id, (effects.get(id) ?? 0) + 1);
  if (fault === 'act and reset') return 'reset';
  if (fault === 'act and 502') return { status: 502, body: '{}' };
  if (fault === 'act and 303') return { status: 303, headers: { location: `/rma/${id}` }, body: '' };
  return {
    status: 200,
    body: JSON.stringify({ id, state: 'APPROVED', note: 'ana.conceicao@example.com', otp: 'otp-991122-planted' }),
  };
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
  await engines.stop();
});

plant(['ana.conceicao@example.com', 'otp-991122-planted']);
afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  hearLines(() => undefined);
  faults = [];
  held = undefined;
  keys.length = 0;
  setEnvironment({
    SERVICE_URL: service.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'id',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
});

const idOf = (): string => randomUUID().slice(0, 8);

/** Lets writes wait at the service until the returned function is called. */
const holdWrites = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
};

/** Returns the rows of the journal with a key. */
const rowsOf = async (key: string): Promise<readonly string[]> => {
  const client = new DynamoDBClient({});
  const rows = await journalRows(client, engines.table);
  client.destroy();
  return rows.filter((row) => row.includes(key));
};

const rules: Readonly<Record<string, Repeat>> = {
  header: { rule: 'header', header: 'x-key' },
  'natural key': { rule: 'natural key' },
  'read first': readFirst,
  never: { rule: 'never' },
};

describe('a command of an adapter', () => {
  it.each(Object.entries(rules))('answers a repeat from the journal, by the rule %s', async (_, repeat) => {
    const [id, key] = [idOf(), randomUUID()];
    const command = commandWith(repeat);
    const first = await command({ returnId: id }, callOf(key));
    const second = await command({ returnId: id }, callOf(key));
    expect(first).toMatchObject({ ok: true, value: { body: { returnId: id, status: 'approved' } } });
    expect(second).toMatchObject({ ok: true, value: { replayed: true, body: { returnId: id, status: 'approved' } } });
    expect(effects.get(id)).toBe(1);
  });

  it('fails with idempotency_key_reused for a key of another request', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const command = commandWith(readFirst);
    await command({ returnId: id }, callOf(key));
    const other = await command({ returnId: idOf() }, callOf(key));
    expect(other).toMatchObject({ ok: false, failure: { code: 'idempotency_key_reused' } });
  });

  it('knows the keys of two callers apart', async () => {
    const [id, other, key] = [idOf(), idOf(), randomUUID()];
    const command = commandWith(readFirst);
    await command({ returnId: id }, callOf(key));
    const call = callOf(key, { caller: { clientId: 'other', scopes: ['returns:write'] } });
    expect(await command({ returnId: other }, call)).toMatchObject({ ok: true });
    expect(effects.get(other)).toBe(1);
  });

  it('answers with the effect when the connection broke after the service acted', async () => {
    const id = idOf();
    faults = ['act and reset'];
    const result = await commandWith(readFirst)({ returnId: id }, callOf(randomUUID()));
    expect(result).toMatchObject({ ok: true, value: { body: { status: 'approved' } } });
    expect(effects.get(id)).toBe(1);
  });

  it.each(['act and reset', 'act and 502', 'act and 303', 'reset', { status: 503, body: '{}' }] as const)(
    'sends no second time after %j, and fails with timeout, by the rule never',
    async (fault) => {
      const [id, key] = [idOf(), randomUUID()];
      faults = [fault];
      const command = commandWith({ rule: 'never' });
      const first = await command({ returnId: id }, callOf(key));
      const again = await command({ returnId: id }, callOf(key));
      expect([first, again]).toMatchObject([
        { ok: false, failure: { code: 'timeout' } },
        { ok: false, failure: { code: 'timeout' } },
      ]);
      expect(keys).toHaveLength(1);
      expect(effects.get(id) ?? 0).toBeLessThanOrEqual(1);
    },
  );

  it('sends no second time when the effect is not there, by the rule read first', async () => {
    const [id, key] = [idOf(), randomUUID()];
    faults = ['reset'];
    const command = commandWith(readFirst);
    for (const _ of ['first', 'repeat'])
      expect(await command({ returnId: id }, callOf(key))).toMatchObject({
        failure: { code: 'timeout' },
      });
    expect(keys).toHaveLength(1);
  });

  it('frees its key when the part that was carried out is taken back', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const names: string[] = [];
    const find = async (_: unknown, { key: name }: Service) => {
      names.push(name);
      return 'no effect' as const;
    };
    faults = ['reset'];
    const command = commandWith({ rule: 'read first', find });
    expect(await command({ returnId: id }, callOf(key))).toMatchObject({
      failure: { code: 'dependency_unavailable' },
    });
    expect(await command({ returnId: id }, callOf(key))).toMatchObject({ ok: true });
    expect(effects.get(id)).toBe(1);
    expect(names).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    const sent = service.requests.filter(({ method, path: target }) => method === 'POST' && target.includes(id));
    expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ key: names[0] }, { key: names[0] }]);
  });

  it('sends again with the same key, by the rule header', async () => {
    const [id, key] = [idOf(), randomUUID()];
    faults = ['reset'];
    const result = await commandWith({ rule: 'header', header: 'x-key' })({ returnId: id }, callOf(key));
    expect(result).toMatchObject({ ok: true });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[\w-]{43}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each([
    ['SERVICE_HEADERS', 'X-Key=fixed'],
    ['TOKEN_HEADER', 'X-Key'],
  ])('sends its own key although %s has the header, by the rule header', async (variable, value) => {
    stubEnvironment({ [variable]: value });
    onTestFinished(restoreEnvironment);
    await commandWith({ rule: 'header', header: 'X-Key' })({ returnId: idOf() }, callOf(randomUUID()));
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  it.each([
    [404, 'return_not_found'],
    [409, 'invalid_transition'],
    [422, 'dependency_refused'],
    [401, 'dependency_unavailable'],
    [410, 'dependency_refused', '<html>ana.conceicao@example.com</html>'],
  ])('frees its key after status %i, which had no effect', async (status, code, page?: string) => {
    const [id, key] = [idOf(), randomUUID()];
    const answer = { status, body: page ?? '{"error":"ana.conceicao@example.com"}' };
    faults = [answer, answer, answer];
    const command = commandWith({ rule: 'never' });
    const failed = await command({ returnId: id }, callOf(key));
    faults = [];
    expect(failed).toMatchObject({ ok: false, failure: { code } });
    expect(JSON.stringify(failed)).not.toContain('conceicao');
    expect(await command({ returnId: id }, callOf(key))).toMatchObject({ ok: true });
    expect(effects.get(id)).toBe(1);
  });

  it('has one effect for many requests with one key at once', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const release = holdWrites();
    const command = commandWith({ rule: 'never' });
    const others: unknown[] = [];
    const ended = Promise.withResolvers<void>();
    const sent = Array.from({ length: 8 }, async () => {
      const result = await command({ returnId: id }, callOf(key));
      // The service holds the request that it got, so the seven others end first.
      if (others.push(result) === 7) ended.resolve();
      return result;
    });
    await ended.promise;
    for (const other of others)
      expect(other).toMatchObject({ ok: false, failure: { code: 'idempotency_key_in_progress' } });
    release();
    const results = await Promise.all(sent);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(effects.get(id)).toBe(1);
  });

  it('is in the journal for 24 hours, without an answer, before its request reaches the service', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const release = holdWrites();
    const before = service.requests.length;
    const earliest = Math.floor(Date.now() / 1000) + 86_400;
    const sent = commandWith({ rule: 'never' })({ returnId: id }, callOf(key));
    await service.received(before + 1);
    const rows = await rowsOf(key);
    const latest = Math.floor(Date.now() / 1000) + 86_400;
    release();
    expect(await sent).toMatchObject({ ok: true });
    expect(rows).toEqual([expect.not.stringContaining('approved')]);
    const expiresAt = Number(/"expiresAt":\{"N":"(\d+)"\}/.exec(rows.join(''))?.[1]);
    expect(expiresAt).toBeGreaterThanOrEqual(earliest);
    expect(expiresAt).toBeLessThanOrEqual(latest);
  });

  it('makes at most 20 requests to the service', async () => {
    const before = service.requests.length;
    const command = commandWith({ rule: 'never' }, async ({ returnId }, { send }) => {
      for (;;) await send<Rma>({ method: 'GET', path: path`/rma/${returnId}` });
    });
    const result = await command({ returnId: idOf() }, callOf(randomUUID()));
    expect(result).toMatchObject({ ok: false, failure: { code: 'dependency_refused' } });
    expect(service.requests.length - before).toBe(20);
  });

  it('stores neither foreign members nor free texts', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const result = await commandWith(readFirst)({ returnId: id }, callOf(key));
    expect(JSON.stringify(result)).not.toMatch(/conceicao|planted/);
    const rows = await rowsOf(key);
    expect(rows).toEqual([expect.stringContaining('approved')]);
    expect(rows.join('')).not.toMatch(/conceicao|planted/);
  });

  it('sends nothing when the journal cannot be reached', async () => {
    const id = idOf();
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' });
    onTestFinished(restoreEnvironment);
    const before = service.requests.length;
    const result = await commandWith(readFirst)({ returnId: id }, callOf(randomUUID()));
    expect(result).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(service.requests).toHaveLength(before);
  });

  it('leaves no row when each answer to its row was lost, so that a repeat carries it out', async () => {
    const [id, key] = [idOf(), randomUUID()];
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    await using front = await startServer(async (request) => {
      const answer = await forward(request, engine);
      return isFor(request, 'PutItem') ? 'reset' : answer;
    });
    const command = commandWith({ rule: 'never' });
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: front.origin });
    const result = await command({ returnId: id }, callOf(key));
    expect(result).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(front.requests.map(({ headers }) => headers['x-amz-target'])).toContain('DynamoDB_20120810.PutItem');
    expect(await rowsOf(key)).toEqual([]);
    restoreEnvironment();
    const repeat = await command({ returnId: id }, callOf(key));
    expect(repeat).toMatchObject({ ok: true, value: { body: { status: 'approved' } } });
    expect(effects.get(id)).toBe(1);
  });

  it('answers when the journal cannot be written after the service has acted, and a repeat reads the effect', async () => {
    const [id, key] = [idOf(), randomUUID()];
    await using proxy = await startProxy(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: proxy.origin });
    onTestFinished(restoreEnvironment);
    const release = holdWrites();
    const before = service.requests.length;
    const command = commandWith(readFirst);
    const deadline = Date.now() + 20_000;
    const sent = command({ returnId: id }, callOf(key, { deadline }));
    await service.received(before + 1);
    await proxy.turn('refuse');
    release();
    expect(await sent).toMatchObject({ ok: true, value: { body: { status: 'approved' } } });
    await proxy.turn('pass');
    vi.useFakeTimers({ toFake: ['Date'], now: deadline });
    onTestFinished(() => void vi.useRealTimers());
    const repeat = await command({ returnId: id }, callOf(key));
    expect(repeat).toMatchObject({ ok: true, value: { body: { status: 'approved' } } });
    expect(keys).toHaveLength(1);
  });

  it.each([
    ['/dryRun', { dryRun: true }],
    ['header:If-Match', { ifMatch: 3 }],
    ['header:Returns-On-Behalf-Of', { caller: { clientId: 'shop', scopes: [], onBehalfOf: 'ana' } }],
  ])('rejects %s before anything is sent', async (place, more) => {
    const before = service.requests.length;
    const result = await commandWith(readFirst)({ returnId: idOf() }, callOf(randomUUID(), more));
    expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_request', errors: [{ path: place }] } });
    expect(service.requests).toHaveLength(before);
  });
});
