import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as validators from '#validators/getReturn';
import { getReturn } from '../../lib/contract/operations.ts';
import { startHarness } from '../oauth/harness.ts';
import { startServer } from '../support/http-server.ts';
import { hearLines } from '../support/standard-output.ts';
import { operation } from '../../lib/http/operation.ts';
import { forward } from '../../lib/backend/forward.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';

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

beforeEach(() => {
  hearLines(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  restoreEnvironment();
});

/** The function of the connected mode before a service that answers with this text. */
const start = async (body: string) => {
  const harness = await startHarness();
  const api = await startServer(() => ({ status: 200, body }));
  stubEnvironment({
    SERVICE_URL: api.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'unit',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
  return {
    handler: operation(getReturn, validators, (input, call) => forward(getReturn, input, call)),
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

it('is to the byte over HTTP, and read by a direct invocation', async () => {
  const text = ' { "id" : "x",\n "total" : 1.0 } ';
  await using test = await start(text);
  expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 200, body: text });
  expect(await test.handler(direct, context)).toEqual({ status: 200, body: { id: 'x', total: 1 } });
});

it('is told from JSON, where it only looks like it, by a direct invocation', async () => {
  await using test = await start('{"a":}');
  expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 200, body: '{"a":}' });
  await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_unavailable' });
});

it.each(['', ' ', '{', '[', '}', 'null', '{"a":1', '{"a":1]', '["a"', '{}\ufeff', '<html>'])(
  'is refused by both where it is plainly no JSON: %j',
  async (text) => {
    await using test = await start(text);
    expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 503 });
    await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_unavailable' });
  },
);
