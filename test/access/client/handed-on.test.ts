import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as shapes from '#contract/answers.js';
import * as validators from '#validators/getReturn';
import { approve, getReturn, listDeadLetters } from '../../../lib/contract/operations.ts';
import { exampleAnswer } from '../../support/example-answer.ts';
import { startHarness } from '../oauth/harness.ts';
import { startServer } from '../../support/http-server.ts';
import { hearLines } from '../../support/standard-output.ts';
import { operation } from '../../../lib/edge/http/operation.ts';
import { forward } from '../../../lib/edge/backend/forward.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 } as Context;
const overHttp = {
  version: '2.0',
  headers: {},
  pathParameters: { returnId },
  requestContext: {
    requestId: 'request-1',
    authorizer: { jwt: { claims: { client_id: 'test', scope: 'returns:read' } } },
  },
};
const direct = { input: { returnId } };
const noBody = { path: () => true, query: () => true, body: () => true };
/** A request of a user, through the API for browsers. */
const ofUser = (scope: string) => ({
  ...overHttp,
  stageVariables: { callers: 'users' },
  requestContext: {
    requestId: 'request-1',
    authorizer: { jwt: { claims: { client_id: 'console', sub: 'a%2F/7', name: 'Ana Silva', scope } } },
  },
});

beforeEach(() => {
  hearLines(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  restoreEnvironment();
});

/** Starts a function of the connected mode with a service that answers with this text. */
const start = async (body: string) => {
  const harness = await startHarness();
  const api = await startServer(() => ({ status: 200, body }));
  stubEnvironment({
    CONSOLE_CLIENTS: 'console',
    SERVICE_URL: api.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'unit',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
  return {
    api,
    harness,
    handler: operation(getReturn, validators, (input, call) => forward(getReturn, shapes.getReturn, input, call)),
    approve: operation(approve, noBody, (input, call) => forward(approve, shapes.approve, input, call)),
    listDeadLetters: operation(listDeadLetters, noBody, (input, call) =>
      forward(listDeadLetters, shapes.listDeadLetters, input, call),
    ),
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

describe('passthrough of a response', () => {
  it('returns the same bytes over HTTP, and the parsed JSON to a direct invocation', async () => {
    const body = exampleAnswer('getReturn', { total: 1 });
    const text = ` ${JSON.stringify(body, null, 1).replace('"total": 1', '"total" : 1.0')} `;
    await using test = await start(text);
    expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 200, body: text });
    expect(await test.handler(direct, context)).toEqual({ status: 200, body });
  });

  it('fails over HTTP and directly where the text only looks like JSON', async () => {
    await using test = await start('{"a":}');
    expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 502 });
    await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_refused' });
  });

  it.each(['', ' ', '{', '[', '}', 'null', '{"a":1', '{"a":1]', '["a"', '{}\ufeff', '<html>'])(
    'fails over HTTP and directly where the text is clearly no JSON: %j',
    async (text) => {
      await using test = await start(text);
      expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 502 });
      await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_refused' });
    },
  );
});

describe('a user of the connected mode', () => {
  const scopesOf = ({ harness }: Awaited<ReturnType<typeof start>>): readonly (string | null)[] =>
    harness.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'));

  it('is named to the service by the id, after the client, and never by the name', async () => {
    await using test = await start(JSON.stringify(exampleAnswer('getReturn')));
    expect(await test.handler(ofUser('returns:read'), context)).toMatchObject({ statusCode: 200 });
    const [request] = test.api.requests;
    expect(request?.headers['returns-on-behalf-of']).toBe('console/a%252F%2F7');
    expect(JSON.stringify(request)).not.toContain('Ana');
  });

  it.each([
    ['getReturn', 'returns:read returns:write returns:admin', 'returns:read'],
    ['approve', 'returns:write', 'returns:write'],
    ['approve', 'returns:write returns:admin', 'returns:admin returns:write'],
    ['listDeadLetters', 'returns:admin', 'returns:admin'],
    ['listDeadLetters', 'returns:write returns:admin', 'returns:admin returns:write'],
  ] as const)('calls %s with no scope upstream that the token %j lacks', async (name, scope, expected) => {
    await using test = await start(JSON.stringify(exampleAnswer(name)));
    const request = { ...ofUser(scope), headers: { 'idempotency-key': 'key-1' } };
    const handler = { getReturn: test.handler, approve: test.approve, listDeadLetters: test.listDeadLetters }[name];
    expect(await handler(request, context)).toMatchObject({ statusCode: 200 });
    expect(scopesOf(test).map((asked) => asked?.split(' ').toSorted().join(' '))).toEqual([expected]);
  });

  it('has upstream keys of their own', async () => {
    await using test = await start(JSON.stringify(exampleAnswer('approve')));
    const send = async (sub: string) => {
      const request = ofUser('returns:write');
      Object.assign(request.requestContext.authorizer.jwt.claims, { sub });
      await test.approve({ ...request, headers: { 'idempotency-key': 'key-1' } }, context);
    };
    for (const sub of ['u1', 'u2', 'u1']) await send(sub);
    const [one, two, again] = test.api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(one).toBe(again);
    expect(two).not.toBe(one);
  });
});
