import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient, type InvokeCommandInput } from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs, sharedEnvironment, startFunctions } from '../../../lib/tools/local/emulators/functions.ts';
import { shareEnvironment } from '../../../lib/tools/local/emulators/identities.ts';
import { type LambdaApiOptions, startLambdaApi } from '../../../lib/tools/local/emulators/lambda-api.ts';
import type { FunctionInvoked } from '../../../lib/tools/local/events.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { deployed, functionWith } from './resources.ts';
import { folderOfFile } from './support.ts';
import { inSoak } from '../../support/samples.ts';

const specsOf = (names: readonly string[], properties: object = {}) =>
  names.flatMap((name) => functionSpecs(deployed(functionWith(name, [], properties))));

/** Reports its access key: while it loads, while it works, and in the background work that it left behind. */
const key = 'process.env.AWS_ACCESS_KEY_ID';
const keyed = `
  const loaded = ${key};
  await new Promise((resolve) => setImmediate(resolve));
  let left;
  export const handler = async () => {
    const earlier = await left;
    left = new Promise((resolve) => setImmediate(() => resolve(${key})));
    await new Promise((resolve) => setImmediate(resolve));
    return { loaded, now: ${key}, copied: { ...process.env }.AWS_ACCESS_KEY_ID, earlier };
  };`;
/** The code of each function. */
const sources: Readonly<Record<string, string>> = {
  thing: `
    let count = 0;
    export const handler = async (event, context) => {
      count += 1;
      if (event.fail) throw Object.assign(new TypeError('it failed'), { stack: 'one\\ntwo' });
      if (event.hang) await new Promise(() => {});
      if (event.nothing) return;
      if (event.length > 1_000) return 1;
      const left = context.getRemainingTimeInMillis();
      return { event, count, date: new Date(0), gone: undefined, left, context };
    };`,
  broken: `
    if (!globalThis.repaired) throw new Error('no variable');
    export const handler = async () => 7;`,
  one: keyed,
  two: keyed,
  three: keyed,
};
const specs = specsOf(Object.keys(sources));

const closers = openClosers();
const invoked: FunctionInvoked[] = [];
let invokeFunction: ReturnType<typeof startFunctions>;
/** Starts the API of the functions. */
const startApi = async (changes: Partial<LambdaApiOptions> = {}) =>
  startLambdaApi({ functions: specs, port: 0, invoke: invokeFunction, putAside: async () => undefined, ...changes });
const clientOf = (endpoint: string, accessKeyId = 'of-an-operator') => {
  const credentials = { ...clientSettings.credentials, accessKeyId };
  return new LambdaClient({ ...clientSettings, credentials, endpoint, maxAttempts: 1 });
};
let api: Awaited<ReturnType<typeof startApi>>;
let client: LambdaClient;

beforeAll(async () => {
  const root = await folderOfFile(closers);
  for (const [name, source] of Object.entries(sources)) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'index.mjs'), source);
  }
  invokeFunction = startFunctions(specs, root, (event) => invoked.push(event));
  api = await startApi();
  closers.add(api.close);
  client = clientOf(api.url);
});
afterAll(closers.close);

// The failures of a function are written to the log of its mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void invoked.splice(0));

const unqualified = 'arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-thing';

const invoke = async (event?: unknown, input: Partial<InvokeCommandInput> = {}) => {
  const content = event === undefined ? {} : { Payload: JSON.stringify(event) };
  const command = new InvokeCommand({ FunctionName: 'returns-dev-thing', ...content, ...input });
  const { Payload: answer, $metadata, ...others } = await client.send(command);
  const text = answer?.transformToString() ?? '';
  const payload = (text === '' ? undefined : JSON.parse(text)) as Readonly<Record<string, unknown>>;
  return { ...others, requestId: $metadata.requestId, payload };
};

const post = async (path: string, init: RequestInit = {}, url = api.url) =>
  fetch(`${url}/2015-03-31/functions/returns-dev-thing${path}`, { method: 'POST', ...init });

/** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
describe('Invoke of Lambda', () => {
  it.each([
    unqualified,
    `${unqualified}:live`,
    `${unqualified}:$LATEST`,
    'returns-dev-thing:1',
    '000000000000:function:returns-dev-thing',
  ])('invokes the function %s with its event, and returns its result as JSON', async (FunctionName) => {
    const { payload, requestId, ...answer } = await invoke({ ü: [1] }, { FunctionName });
    expect(answer).toEqual({ StatusCode: 200, ExecutedVersion: '1' });
    expect(payload).toMatchObject({ event: { ü: [1] }, date: '1970-01-01T00:00:00.000Z' });
    expect(payload).not.toHaveProperty('gone');
    expect(payload['context']).toMatchObject({
      functionName: 'returns-dev-thing',
      invokedFunctionArn: `${unqualified}:live`,
      memoryLimitInMB: '128',
      awsRequestId: requestId,
    });
    expect(payload['left']).toBeGreaterThan(500);
    expect(invoked).toMatchObject([{ function: 'thing', trigger: 'direct' }]);
  });

  it.each(['returns-dev-nothing', 'returns-dev-thing:7', 'thing', `${unqualified}:live-more`])(
    'answers 404 for the function %s',
    async (FunctionName) => {
      for (const InvocationType of ['RequestResponse', 'DryRun'] as const)
        await expect(invoke({}, { FunctionName, InvocationType })).rejects.toMatchObject({
          name: 'ResourceNotFoundException',
          $metadata: { httpStatusCode: 404 },
        });
    },
  );

  it('reads no payload as an empty event, returns no result as null, and runs nothing in a dry run', async () => {
    expect((await invoke()).payload).toMatchObject({ event: {} });
    expect((await invoke({ nothing: true })).payload).toBeNull();
    expect(await invoke({}, { InvocationType: 'DryRun' })).toMatchObject({ StatusCode: 204 });
    await expect(invoke(undefined, { Payload: '{"a":' })).rejects.toMatchObject({
      name: 'InvalidRequestContentException',
    });
    expect(invoked).toHaveLength(2);
  });

  it('returns 200 with the exception of a function, whose container lives on', async () => {
    const { payload: before } = await invoke({});
    expect(await invoke({ fail: true })).toMatchObject({
      StatusCode: 200,
      FunctionError: 'Unhandled',
      payload: { errorType: 'TypeError', errorMessage: 'it failed', trace: ['one', 'two'] },
    });
    expect((await invoke({})).payload['count']).toBe(Number(before['count']) + 2);
    expect(invoked.map(({ error }) => error)).toEqual([undefined, 'TypeError', undefined]);
  });

  it.each(inSoak('ends a function at its timeout, and starts a new container'))('%s', async () => {
    await invoke({});
    const { FunctionError: failed, payload, requestId } = await invoke({ hang: true });
    expect([failed, payload]).toEqual([
      'Unhandled',
      {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${requestId} Error: Task timed out after 1 seconds`,
      },
    ]);
    expect((await invoke({})).payload['count']).toBe(1);
    expect(invoked.map(({ cold }) => cold).slice(-2)).toEqual([false, true]);
  });

  it('starts a container again that failed to start', async () => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'repaired'));
    const input = { FunctionName: 'returns-dev-broken' };
    expect((await invoke({}, input)).payload).toMatchObject({ errorMessage: 'no variable' });
    Reflect.set(globalThis, 'repaired', true);
    expect((await invoke({}, input)).payload).toBe(7);
  });

  it.each([
    ['RequestResponse', 6],
    ['Event', 1],
  ] as const)('limits the payload of %s to %i MiB', async (InvocationType, mebibytes) => {
    const text = 'a'.repeat(mebibytes * 1024 * 1024 - 2);
    await invoke(text, { InvocationType });
    await expect(invoke(`${text}a`, { InvocationType })).rejects.toMatchObject({
      name: 'RequestTooLargeException',
      $metadata: { httpStatusCode: 413 },
    });
  });

  /** https://docs.aws.amazon.com/lambda/latest/dg/access-control-identity-based.html */
  it('rejects a function whose role does not permit the call, and records both', async () => {
    const recorded: unknown[] = [];
    const permission = { action: 'lambda:InvokeFunction', resource: `${unqualified}:live` };
    const identityOf = (name: string, ...permissions: readonly (typeof permission)[]) =>
      [name, { function: name, arn: `arn:${name}`, permissions }] as const;
    const identities = new Map([identityOf('page', permission), identityOf('other')]);
    const guarded = await startApi({ identities, onCall: (call) => void recorded.push(call) });
    onTestFinished(guarded.close);
    const callAs = async (accessKeyId: string) => {
      const caller = clientOf(guarded.url, accessKeyId);
      onTestFinished(() => caller.destroy());
      return caller.send(new InvokeCommand({ FunctionName: `${unqualified}:live`, Payload: '{}' }));
    };
    expect(await callAs('page')).toMatchObject({ StatusCode: 200 });
    await expect(callAs('other')).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(await callAs('of-an-operator')).toMatchObject({ StatusCode: 200 });
    expect(recorded).toEqual([
      { function: 'page', ...permission, permitted: true },
      { function: 'other', ...permission, permitted: false },
    ]);
  });

  /** https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
  it('does not wait for an event, except at its own end, and dead-letters one that fails', async () => {
    const released = Promise.withResolvers<void>();
    const order: string[] = [];
    const other = await startApi({
      invoke: async (...invocation) => released.promise.then(async () => invokeFunction(...invocation)),
      putAside: async ({ event, report }) => void order.push(JSON.stringify([event, report])),
    });
    const headers = { 'x-amz-invocation-type': 'Event', connection: 'close' };
    const send = async () => post('/invocations', { headers, body: '{"fail":true}' }, other.url);
    expect((await send()).status).toBe(202);
    const closed = other.close().then(() => order.push('closed'));
    await expect(send()).rejects.toThrow('fetch failed');
    released.resolve();
    await closed;
    const report = { errorType: 'TypeError', errorMessage: 'it failed', trace: ['one', 'two'] };
    expect(order).toEqual([JSON.stringify([{ fail: true }, report]), 'closed']);
  });

  it('answers 500 for a failure of the stack itself', async () => {
    const failing = await startApi({ invoke: () => Promise.reject(new TypeError('secret')) });
    onTestFinished(failing.close);
    const response = await post('/invocations', { headers: { connection: 'close' } }, failing.url);
    expect([response.status, (await response.text()).includes('secret')]).toEqual([500, false]);
  });

  const typed = (name: string) => ({ headers: { 'x-amz-invocation-type': name } });
  it.each<[string, string, RequestInit, number, string]>([
    ['an unknown path', '', {}, 404, 'UnknownOperationException'],
    ['another method', '/invocations', { method: 'GET' }, 404, 'UnknownOperationException'],
    ['an unknown type', '/invocations', typed('Sometimes'), 400, 'InvalidParameterValueException'],
    ['an inherited name as type', '/invocations', typed('constructor'), 400, 'InvalidParameterValueException'],
    ['an empty type', '/invocations', typed(''), 400, 'InvalidParameterValueException'],
    ['a web page', '/invocations', { headers: { origin: 'https://shop.example' } }, 403, 'AccessDeniedException'],
  ])('rejects %s', async (_, path, init, status, type) => {
    const response = await post(path, init);
    expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([status, type]);
    expect(invoked).toEqual([]);
  });
});

describe('environment of functions in one process', () => {
  it('has the access key of each: while it loads, while it works, and in background work', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    const before = process.env;
    onTestFinished(() => {
      process.env = before;
      vi.unstubAllEnvs();
    });
    shareEnvironment();
    const names = ['returns-dev-one', 'returns-dev-two', 'returns-dev-three'];
    const all = async () => Promise.all(names.map((FunctionName) => invoke({}, { FunctionName })));
    await all();
    expect((await all()).map(({ payload }) => payload)).toEqual(
      names.map((name) => ({ loaded: name, now: name, copied: name, earlier: name })),
    );
    expect(process.env['AWS_ACCESS_KEY_ID']).toBe('local');
  });

  it('is rejected where a variable has two values', () => {
    const withVariables = (name: string, Variables: object) => specsOf([name], { Environment: { Variables } });
    const functions = ['a', 'b'].flatMap((name) => withVariables(name, { LEVEL: 'info', COUNT: 3 }));
    expect(sharedEnvironment(functions)).toEqual({ LEVEL: 'info', COUNT: '3' });
    const other = withVariables('c', { LEVEL: 'debug' });
    expect(() => sharedEnvironment([...functions, ...other])).toThrow('returns-dev-c: LEVEL');
  });
});
