import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationEntry, toOperation } from '../../lib/contract/entry.ts';
import { errors } from '../../lib/contract/errors.ts';
import { basePath, requestBody } from '../../lib/contract/operation.ts';
import { defaultServiceAccess, parseServiceAccess } from '../../lib/runtime/service-access.ts';
import { runNode } from '../../lib/tools/command-line/run-node.ts';
import { openContainer, type OpenContainer } from '../../lib/tools/conform/container.ts';
import { type RecordedCase, readRecordings, recordingsFolder } from '../../lib/tools/conform/recording.ts';
import { type ReplayServer, startReplayServer } from '../../lib/tools/conform/replay-server.ts';
import { readAdapter } from '../../lib/tools/template/adapters/read-adapter.ts';
import { plant } from '../support/emitted/record.ts';
import { allClaims, apiEvent } from '../support/lambda-runtime/api-event.ts';
import { type Container, startContainer } from '../support/lambda-runtime/container.ts';
import { unzip } from '../support/lambda-runtime/unzip.ts';

/* The deployed zips of an adapter in AWS's runtime client, with the recorded service at the wire. */

const secret = 'secret-of-the-built-adapter';
const token = 'token-of-the-built-adapter';
const access = parseServiceAccess({ servicePath: '/', tokenPath: '/token' });

let root: string;
let server: ReplayServer;
let opened: OpenContainer;
let entries: Readonly<Record<string, OperationEntry>>;

beforeAll(async () => {
  plant([secret, token]);
  const build = await readAdapter('bol');
  if (!build.ok) throw new Error(build.failure);
  ({ entries } = build.value.offer);
  root = await mkdtemp(join(tmpdir(), 'built-'));
  await runNode(['lib/tools/build/build.ts', '--adapter', 'bol', '--root', root]);
  server = await startReplayServer(access.ok ? access.value : defaultServiceAccess, token);
  opened = await openContainer({
    serviceUrl: server.serviceUrl,
    authUrl: server.authUrl,
    parameters: build.value.adapter.parameters,
    clientSecret: JSON.stringify({ clientId: 'shop', clientSecret: secret }),
  });
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
  await rm(root, { recursive: true });
});

const startFunction = (name: string): Promise<Container> =>
  startContainer({
    spec: {
      arn: `arn:aws:lambda:eu-central-1:000000000000:function:${name}`,
      name,
      handler: `dist/adapters/bol/${name}/index.handler`,
      timeoutMs: 15_000,
      memoryMb: 512,
    },
    code: (taskRoot) => unzip(join(root, `dist/adapters/bol/${name}.zip`), taskRoot),
    environment: Object.fromEntries(
      Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
  });

const bodyOf = (payload: unknown) => {
  const { statusCode, body } = payload as { readonly statusCode: number; readonly body: string };
  return { statusCode, body: JSON.parse(body) as { readonly code?: string } };
};

/** Invokes a function with the input of a case, as the API does. */
const invoke = async (container: Container, name: string, { input }: RecordedCase, query: object = {}) => {
  const entry = entries[name];
  if (entry === undefined) throw new Error(`no operation ${name}`);
  const operation = toOperation(name, entry);
  const body = requestBody(operation, input);
  const route = { method: operation.method, path: `${basePath}${operation.path}`, functionArn: '', timeoutMs: 15_000 };
  const event = apiEvent(
    { ...route, scopes: [] },
    {
      claims: allClaims,
      headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      pathParameters: Object.fromEntries(Object.entries(input).filter(([field]) => field === 'returnId')) as Record<
        string,
        string
      >,
      ...(body !== undefined && { body }),
    },
  );
  const inQuery = Object.entries(input).filter(([field]) => operation.query.includes(field));
  const parameters = Object.fromEntries(inQuery.map(([field, value]) => [field, String(value)]));
  const { outcome } = await container.invoke({ ...event, queryStringParameters: { ...parameters, ...query } });
  if (outcome.kind === 'error') throw new Error(outcome.error.errorMessage);
  return bodyOf(outcome.payload);
};

describe.each(['getReturn', 'listReturns', 'inspect'])('the built %s of bol', (name) => {
  it('answers recorded exchanges as recorded', async () => {
    const { cases } = (await readRecordings(recordingsFolder('bol'))).get(name) ?? { cases: [] };
    await using container = await startFunction(name);

    for (const recorded of cases) {
      const replay = server.replay(recorded.exchanges);
      const { statusCode, body } = await invoke(container, name, recorded);

      const { title, answer, failure } = recorded;
      const code = failure?.code;
      expect({ title, statusCode, ...(code === undefined ? { body } : { code: body.code }) }).toEqual({
        title,
        ...(code === undefined ? { statusCode: 200, body: answer } : { statusCode: errors[code], code }),
      });
      expect({ title, differences: replay.differences, left: replay.exchanges.length - replay.next }).toEqual({
        title,
        differences: [],
        left: 0,
      });
    }
    expect(cases.length).toBeGreaterThan(0);
  });
});

describe('the built inspect of bol', () => {
  it('rejects a dry run before anything is sent', async () => {
    const recorded = (await readRecordings(recordingsFolder('bol'))).get('inspect')?.cases[0];
    if (recorded === undefined) throw new Error('no case');
    await using container = await startFunction('inspect');
    const replay = server.replay([]);

    expect(await invoke(container, 'inspect', recorded, { dryRun: 'true' })).toMatchObject({
      statusCode: 400,
      body: { code: 'invalid_request' },
    });
    expect(replay.sent).toEqual([]);
  });
});
