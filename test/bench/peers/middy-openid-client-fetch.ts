import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretPost,
  Configuration,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { readClientSecret } from './client-secret.ts';

/*
 * The connected way on middy, openid-client and Node's own fetch, each as its documentation shows it: the answer to the
 * grant is kept and asked when it `expiresIn`. It validates nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '' } = process.env;

let configuration: Configuration | undefined;
let tokens: (TokenEndpointResponse & TokenEndpointResponseHelpers) | undefined;

const configure = async (): Promise<Configuration> => {
  const { clientId, clientSecret } = await readClientSecret();
  const server = { issuer: AUTH_URL, token_endpoint: `${AUTH_URL}/connect/token` };
  const configured = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  // The token endpoint of a bench is on the same machine, without TLS.
  allowInsecureRequests(configured);
  return configured;
};

const authorization = async (scope: string): Promise<string> => {
  if (tokens === undefined || (tokens.expiresIn() ?? 0) < 60) {
    configuration ??= await configure();
    tokens = await clientCredentialsGrant(configuration, { scope });
  }
  return `Bearer ${tokens.access_token}`;
};

const call = async (path: string, request: RequestInit): Promise<APIGatewayProxyStructuredResultV2> => {
  const response = await fetch(`${SERVICE_URL}/v1${path}`, { ...request, signal: AbortSignal.timeout(5_000) });
  return {
    statusCode: response.status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await response.json()),
  };
};

export const getReturn = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(httpErrorHandler())
  .handler(async ({ pathParameters }) =>
    call(`/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`, {
      headers: { Authorization: await authorization('returns:read') },
    }),
  );

export const createReturn = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(httpJsonBodyParser())
  .use(httpErrorHandler())
  .handler(async ({ headers, body }) =>
    call('/returns', {
      method: 'POST',
      headers: {
        Authorization: await authorization('returns:write'),
        'Content-Type': 'application/json',
        'Idempotency-Key': headers['idempotency-key'] ?? '',
      },
      body: JSON.stringify(body),
    }),
  );
