import { InvokeCommand, LambdaClient, type InvokeCommandInput } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FunctionError } from '../../lib/local/emulators/functions.ts';
import type { FunctionSpec } from '../../lib/local/emulators/function-spec.ts';
import { startLambdaApi } from '../../lib/local/emulators/lambda-api.ts';

type Invocation = {
  readonly arn: string;
  readonly event: unknown;
  readonly trigger: string;
  readonly requestId: string;
};

const unqualified = 'arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-thing';
const arn = `${unqualified}:live`;
const spec: FunctionSpec = {
  arn,
  key: 'thing',
  name: 'returns-dev-thing',
  handler: 'index.handler',
  timeoutMs: 1000,
  memoryMb: 128,
  environment: {},
  role: 'arn:aws:iam::000000000000:role/returns-dev-ThingRole',
};

let api: Awaited<ReturnType<typeof startLambdaApi>>;
let client: LambdaClient;
let invocations: Invocation[] = [];
/** The work of the function. */
let run: (event: unknown) => Promise<unknown>;

beforeAll(async () => {
  api = await startLambdaApi({
    putAside: async () => undefined,
    functions: [spec],
    port: 0,
    invoke: async (name, event, trigger, requestId = '') => {
      const payload: unknown = JSON.parse(String(event));
      invocations.push({ arn: name, event: payload, trigger, requestId });
      return run(payload);
    },
  });
  client = new LambdaClient({
    endpoint: api.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});
afterAll(() => api.close());
beforeEach(() => {
  invocations = [];
  run = (event) => Promise.resolve({ event });
});

const invoke = async (input: Partial<InvokeCommandInput> = {}) => {
  const { Payload, $metadata, ...answer } = await client.send(new InvokeCommand({ FunctionName: arn, ...input }));
  const text = Payload?.transformToString() ?? '';
  return {
    ...answer,
    requestId: $metadata.requestId,
    payload: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
};

describe('local Lambda API', () => {
  test.each([
    arn,
    unqualified,
    `${unqualified}:$LATEST`,
    'returns-dev-thing:live',
    '000000000000:function:returns-dev-thing',
  ])('invokes the function %s', async (FunctionName) => {
    const answer = await invoke({ FunctionName, Payload: '{"ü":[1]}' });
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '1', payload: { event: { ü: [1] } } });
    expect(answer).not.toHaveProperty('FunctionError');
    expect(invocations).toEqual([{ arn, event: { ü: [1] }, trigger: 'direct', requestId: answer.requestId }]);
  });

  test.each(['returns-dev-nothing', 'returns-dev-thing:7', 'thing', `${arn}-more`])(
    'has no %s',
    async (FunctionName) => {
      await expect(invoke({ FunctionName })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        $metadata: { httpStatusCode: 404 },
      });
      expect(invocations).toEqual([]);
    },
  );

  test('reads a missing payload as an empty event, and returns null for a missing response', async () => {
    run = () => Promise.resolve(null);
    expect((await invoke()).payload).toBeNull();
    expect(invocations).toMatchObject([{ event: {} }]);
  });

  test('refuses a payload that is not JSON', async () => {
    await expect(invoke({ Payload: '{"a":' })).rejects.toMatchObject({ name: 'InvalidRequestContentException' });
    expect(invocations).toEqual([]);
  });

  test('reports an exception of a function as its runtime would', async () => {
    const thrown = Object.assign(new Error('{"code":"a"}'), { name: 'invalid_transition', stack: 'one\ntwo' });
    run = () => Promise.reject(new FunctionError('failed', { cause: thrown }));
    expect(await invoke()).toMatchObject({
      StatusCode: 200,
      FunctionError: 'Unhandled',
      payload: { errorType: 'invalid_transition', errorMessage: '{"code":"a"}', trace: ['one', 'two'] },
    });
  });

  test('reports the timeout of a function as Lambda does', async () => {
    run = () => Promise.reject(new FunctionError('Task timed out after 1 seconds'));
    const { FunctionError: failed, payload, requestId } = await invoke();
    expect(failed).toBe('Unhandled');
    expect(payload).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${requestId} Error: Task timed out after 1 seconds`,
    });
  });

  test('reports a failure of the stack separately from the function’s', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    run = () => Promise.reject(new TypeError('secret'));
    await expect(invoke()).rejects.toMatchObject({ name: 'ServiceException', $metadata: { httpStatusCode: 500 } });
    expect(printed).toHaveBeenCalledOnce();
    printed.mockRestore();
  });

  test('does not wait for an event invocation, except at its own end', async () => {
    const released = Promise.withResolvers<void>();
    const order: string[] = [];
    const other = await startLambdaApi({
      putAside: async () => undefined,
      functions: [spec],
      port: 0,
      invoke: async () => {
        await released.promise;
        order.push('function');
        throw new FunctionError('failed', { cause: new Error('a') });
      },
    });
    const post = async () =>
      fetch(`${other.url}/2015-03-31/functions/returns-dev-thing/invocations`, {
        method: 'POST',
        headers: { 'x-amz-invocation-type': 'Event', connection: 'close' },
        body: '{}',
      });
    expect((await post()).status).toBe(202);
    const closed = other.close().then(() => order.push('api'));
    await expect(post()).rejects.toThrow('fetch failed');
    released.resolve();
    await closed;
    expect(order).toEqual(['function', 'api']);
  });

  test('checks in a dry run that the function exists', async () => {
    expect(await invoke({ InvocationType: 'DryRun' })).toMatchObject({ StatusCode: 204 });
    await expect(invoke({ InvocationType: 'DryRun', FunctionName: 'nothing' })).rejects.toThrow('not found');
    expect(invocations).toEqual([]);
  });

  const payloadOf = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;
  const mebibyte = 1024 * 1024;

  test.each([
    ['RequestResponse', 6 * mebibyte],
    ['Event', mebibyte],
  ] as const)('limits the payload of %s to %s bytes', async (InvocationType, bytes) => {
    run = () => Promise.resolve(1);
    await invoke({ InvocationType, Payload: payloadOf(bytes) });
    expect(invocations).toHaveLength(1);
    await expect(invoke({ InvocationType, Payload: payloadOf(bytes + 1) })).rejects.toMatchObject({
      name: 'RequestTooLargeException',
      $metadata: { httpStatusCode: 413 },
    });
    expect(invocations).toHaveLength(1);
  });

  test.each([
    ['POST', '/2015-03-31/functions/returns-dev-thing', 404],
    ['GET', '/2015-03-31/functions/returns-dev-thing/invocations', 404],
    ['POST', '/', 404],
  ])('refuses %s %s as unknown', async (method, path, status) => {
    expect((await fetch(`${api.url}${path}`, { method })).status).toBe(status);
  });

  test.each(['Sometimes', 'constructor', ''])('refuses the invocation type %j', async (type) => {
    const answer = await fetch(`${api.url}/2015-03-31/functions/returns-dev-thing/invocations`, {
      method: 'POST',
      headers: { 'x-amz-invocation-type': type },
    });
    expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([400, 'InvalidParameterValueException']);
  });

  test('refuses requests of a web page, which may send text/plain without the server’s permission', async () => {
    const response = await fetch(`${api.url}/2015-03-31/functions/thing/invocations`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example', 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(response.status).toBe(403);
    expect(invocations).toEqual([]);
  });
});
