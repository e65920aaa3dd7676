import { expect } from 'vitest';
import type { ClientOptions, StaticCredentials } from '../../../lib/access/client/public.ts';
import { createReturnsClient } from '../../../lib/access/client/returns-client.ts';
import { clientSecret, secretNamed } from '../oauth/harness.ts';
import { plant } from '../../support/emitted/record.ts';
import { exampleAnswer } from '../../support/example-answer.ts';
import { type Answer, type Received, type Respond, startServer } from '../../support/http-server.ts';

export const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
export const clientId = 'shop:1 é&=%';
export const gatewayKey = secretNamed('gateway').replaceAll(' ', '_');
plant([gatewayKey]);
const good: Answer = { status: 200, body: JSON.stringify(exampleAnswer('getReturn')) };
export const token = 'token-1';

type Setup = {
  readonly options?: Partial<ClientOptions>;
  readonly credentials?: Partial<StaticCredentials>;
  readonly issued?: object;
  readonly respond?: Respond;
};

/** Starts a token endpoint and a service as real servers, and a client of both with these settings. */
export const start = async ({ options = {}, credentials = {}, issued, respond = () => good }: Setup) => {
  const body = JSON.stringify(issued ?? { access_token: token, token_type: 'Bearer', expires_in: 3600 });
  const idp = await startServer(() => ({ status: 200, body }));
  const api = await startServer(respond);
  const client = createReturnsClient({
    serviceUrl: api.origin,
    authUrl: idp.origin,
    credentials: { clientId, clientSecret, ...credentials },
    ...options,
  });
  return {
    client,
    api,
    idp,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await idp[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
};

/** Reads a return, and returns the request for its token. */
export const tokenRequestOf = async (setup: Setup): Promise<Received> => {
  await using world = await start(setup);
  expect(await world.client.getReturn({ returnId })).toMatchObject({ ok: true });
  const [request] = world.idp.requests;
  if (request === undefined) throw new Error('there was no token request');
  return request;
};

/** Reads a return, and returns the request that the service received. */
export const serviceRequestOf = async (setup: Setup): Promise<Received> => {
  await using world = await start(setup);
  expect(await world.client.getReturn({ returnId })).toMatchObject({ ok: true });
  const [request] = world.api.requests;
  if (request === undefined) throw new Error('there was no request');
  return request;
};
