import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { lambda, type Invoked } from '../support/lambda.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';

const returnId = 'ret_00000000000000000000000000';

const fieldErrors = ({ problem }: Invoked): readonly string[] =>
  (problem?.errors ?? []).map(({ path, code }) => `${path} ${code}`).toSorted();

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** An event in the form of API Gateway, from a forged sender. */
const forged = (more: object) => ({
  version: '2.0',
  headers: {},
  pathParameters: { returnId },
  ...more,
});

describe.each(modes)('%s direct invocation', (mode) => {
  const service = api(mode);
  const invoke = lambda(mode);

  it.each([
    ['null as the event', null, ' type'],
    ['a string', '"getReturn"', ' type'],
    ['a number', 7, ' type'],
    ['a list', [{ input: {} }], ' type'],
    ['an empty event', {}, '/input required'],
    ['an input that is null', { input: null }, '/input type'],
    ['an input that is a string', { input: returnId }, '/input type'],
    ['an input that is a list', { input: [] }, '/input type'],
    ['a key that is a number', { input: {}, idempotencyKey: 7 }, '/idempotencyKey type'],
    ['a key that is null', { input: {}, idempotencyKey: null }, '/idempotencyKey type'],
    ['a version that is an object', { input: {}, ifMatch: {} }, '/ifMatch type'],
    ['an onBehalfOf that is a list', { input: {}, onBehalfOf: ['a'] }, '/onBehalfOf type'],
    ['an unknown field', { input: {}, idempotencykey: 'a' }, '/idempotencykey unknown_field'],
    ['fields next to the input', { input: {}, returnId }, '/returnId unknown_field'],
    ['a scope in the event', { input: {}, scopes: ['returns:admin'] }, '/scopes unknown_field'],
    ['a caller in the event', { input: {}, caller: { clientId: 'a' } }, '/caller unknown_field'],
  ])('rejects %s', async (_, event, fieldError) => {
    const invoked = await invoke('approve', event);
    expect(invoked.error).toMatchObject({ errorType: 'invalid_request', trace: ['invalid_request'] });
    expect(fieldErrors(invoked)).toEqual([fieldError]);
  });

  it('rejects a dry run that is not a boolean', async () => {
    expect(fieldErrors(await invoke('approve', { input: {}, dryRun: 'true' }))).toEqual(['/dryRun type']);
  });

  it.each([
    ['with a space', 'an agent'],
    ['with two slashes', 'a/b/c'],
    ['that is empty', ''],
    ['beyond ASCII', 'agentü'],
    ['with a line break', 'agent\n'],
    ['that is too long', 'a'.repeat(201)],
  ])('rejects an onBehalfOf %s', async (_, onBehalfOf) => {
    expect(fieldErrors(await invoke('getReturn', { input: { returnId }, onBehalfOf }))).toEqual([
      '/onBehalfOf pattern',
    ]);
  });

  it.each([1.5, -1, 1e21, '1', '"1', ''])('rejects the version %j', async (ifMatch) => {
    const event = { input: { returnId }, idempotencyKey: randomUUID(), ifMatch };
    expect(fieldErrors(await invoke('approve', event))).toEqual(['/ifMatch pattern']);
  });

  it.each([
    ['a missing key', undefined, 'idempotency_key_required', 'required'],
    ['an empty key', '', 'idempotency_key_required', 'required'],
    ['a key with a space', 'a b', 'invalid_request', 'pattern'],
    ['a key beyond ASCII', 'ü', 'invalid_request', 'pattern'],
    ['a key that is too long', 'a'.repeat(256), 'invalid_request', 'pattern'],
  ])('rejects %s for an operation that needs a key', async (_, idempotencyKey, code, fieldError) => {
    const invoked = await invoke('approve', { input: { returnId }, idempotencyKey });
    expect(invoked.problem?.code).toBe(code);
    expect(fieldErrors(invoked)).toEqual([`/idempotencyKey ${fieldError}`]);
  });

  it('rejects an order id that is a number, because it may have lost digits', async () => {
    const event = '{"input":{"platform":"shopify","orderId":9007199254740993}}';
    expect(fieldErrors(await invoke('getOrder', event))).toEqual(['/input/orderId type']);
  });

  it.each([
    ['a boolean', true],
    ['null', null],
    ['a list', [1]],
    ['an object', { a: 1 }],
    ['a fraction', 1.5],
    ['a hexadecimal number', '0x1'],
    ['above the maximum', 201],
    ['out of range', 1e300],
  ])('rejects a limit that is %s', async (_, limit) => {
    const invoked = await invoke('getHistory', { input: { returnId, limit } });
    expect(invoked.problem?.code).toBe('invalid_request');
    expect(new Set(invoked.problem?.errors?.map(({ path }) => path))).toEqual(new Set(['/input/limit']));
  });

  it('rejects a cursor that is a number', async () => {
    expect(fieldErrors(await invoke('getHistory', { input: { returnId, cursor: 7 } }))).toEqual(['/input/cursor type']);
  });

  it.each([
    ['headers', { returnId, headers: {} }, '/input/headers'],
    ['the key', { returnId, idempotencyKey: 'a' }, '/input/idempotencyKey'],
    ['a dry run', { returnId, dryRun: true }, '/input/dryRun'],
    ['parts of a request', { path: { returnId }, returnId }, '/input/path'],
    ['fields of another operation', { returnId, code: 'final_sale' }, '/input/code'],
  ])('rejects %s in the input', async (_, input, path) => {
    const invoked = await invoke('approve', { input, idempotencyKey: randomUUID() });
    expect(fieldErrors(invoked)).toEqual([`${path} unknown_field`]);
  });

  it('rejects a lone surrogate in any field', async () => {
    const order = await registerOrder(service);
    const input = { ...returnOf(order), metadata: { a: 'x\ud83d' } };
    expect(fieldErrors(await invoke('createReturn', { input, idempotencyKey: randomUUID() }))).toEqual([
      '/input/metadata/a unicode',
    ]);
    expect(fieldErrors(await invoke('getHistory', { input: { returnId, cursor: '\ud83d' } }))).toEqual([
      '/input/cursor unicode',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'rejects the name %s in any object',
    async (name) => {
      const field = JSON.stringify(name);
      const { id } = await createReturn(service);
      const events = [
        [`{"input":{"returnId":"${id}"},${field}:{"dryRun":true}}`, `/${name}`],
        [`{"input":{"returnId":"${id}",${field}:{"returnId":"x"}},"dryRun":true}`, `/input/${name}`],
        [`{"input":{${field}:{"returnId":"${id}"}},"dryRun":true}`, `/input/${name}`],
      ] as const;
      for (const [event, path] of events) {
        expect(fieldErrors(await invoke('approve', event))).toContain(`${path} unknown_field`);
      }
      expect((await invoke('approve', { input: { returnId: id }, dryRun: true })).reply?.status).toBe(200);
    },
  );

  it('rejects an input larger than a body may be', async () => {
    const { problem } = await invoke('approve', { input: { returnId, note: 'a'.repeat(1024 * 1024) } });
    expect(problem).toMatchObject({ code: 'payload_too_large', status: 413 });
  });

  it.each([100, 50_000])('rejects an input nested %s levels deep', async (depth) => {
    const inner = nested(depth);
    const references = `{"input":{"order":{},"lines":[],"externalRefs":[${inner},${inner}]},"idempotencyKey":"a"}`;
    expect(fieldErrors(await invoke('createReturn', references))).toEqual(['/input depth']);
    expect(fieldErrors(await invoke('createReturn', `{"input":{},"a":${inner}}`))).toEqual(['/a depth']);
    const answer = await service.post('/returns', `{"order":{},"lines":[],"externalRefs":[${inner},${inner}]}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/externalRefs', code: 'depth' }] } });
  });

  it.each([
    ['null', null],
    ['a string', 'x'],
    ['a list', []],
    ['an object without headers', { authorizer: { jwt: { claims: { client_id: 'a', scope: 'returns:read' } } } }],
  ])('rejects an event between HTTP and direct invocation: a requestContext that is %s', async (_, requestContext) => {
    const invoked = await invoke('getReturn', { input: { returnId }, requestContext });
    expect(fieldErrors(invoked)).toEqual(['/requestContext unknown_field']);
  });

  it('rejects an event of both kinds, as an HTTP request without a token', async () => {
    const { reply } = await invoke('getReturn', forged({ input: { returnId }, requestContext: {} }));
    expect(reply).toMatchObject({ statusCode: 401, body: expect.stringContaining('invalid_token') });
  });

  it('rejects an HTTP request that resembles an invocation', async () => {
    const { id } = await createReturn(service);
    const event = { input: { returnId: id }, idempotencyKey: randomUUID() };
    const answer = await service.post(`/returns/${id}/approve`, event, { key: null });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const paths = answer.body.errors.map(({ path }) => path).toSorted();
    expect(paths).toEqual(['/idempotencyKey', '/input', 'header:Idempotency-Key']);
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({ status: 'requested' });
  });
});
