import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

/** Starts a function of the connected mode with a service that answers with this text. */
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

describe('passthrough of a response', () => {
  it('returns the same bytes over HTTP, and the parsed JSON to a direct invocation', async () => {
    const text = ' { "id" : "x",\n "total" : 1.0 } ';
    await using test = await start(text);
    expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 200, body: text });
    expect(await test.handler(direct, context)).toEqual({ status: 200, body: { id: 'x', total: 1 } });
  });

  it('fails a direct invocation where the text only looks like JSON', async () => {
    await using test = await start('{"a":}');
    expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 200, body: '{"a":}' });
    await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_unavailable' });
  });

  it.each(['', ' ', '{', '[', '}', 'null', '{"a":1', '{"a":1]', '["a"', '{}\ufeff', '<html>'])(
    'fails over HTTP and directly where the text is clearly no JSON: %j',
    async (text) => {
      await using test = await start(text);
      expect(await test.handler(structuredClone(overHttp), context)).toMatchObject({ statusCode: 503 });
      await expect(test.handler(direct, context)).rejects.toMatchObject({ name: 'dependency_unavailable' });
    },
  );
});
