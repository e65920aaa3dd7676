import { Agent } from 'node:http';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import axios, { type AxiosResponse } from 'axios';
import { ClientCredentials, type AccessToken } from 'simple-oauth2';
import { readClientSecret } from './client-secret.ts';

/*
 * The connected way on middy, simple-oauth2 and axios, each as its documentation shows it: the token object is kept and
 * asked whether it has `expired`, the axios instance keeps its connections. It validates nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '' } = process.env;

const api = axios.create({ baseURL: `${SERVICE_URL}/v1`, timeout: 5_000, httpAgent: new Agent({ keepAlive: true }) });

let client: ClientCredentials | undefined;
let token: AccessToken | undefined;

const openClient = async (): Promise<ClientCredentials> => {
  const { clientId, clientSecret } = await readClientSecret();
  return new ClientCredentials({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: AUTH_URL, tokenPath: '/connect/token' },
    options: { authorizationMethod: 'body' },
  });
};

const authorization = async (scope: string): Promise<string> => {
  if (token === undefined || token.expired(60)) {
    client ??= await openClient();
    token = await client.getToken({ scope });
  }
  return `Bearer ${String(token.token['access_token'])}`;
};

const answerOf = ({ status, data }: AxiosResponse<unknown>): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(data),
});

export const getReturn = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(httpErrorHandler())
  .handler(async ({ pathParameters }) => {
    const path = `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`;
    return answerOf(await api.get(path, { headers: { Authorization: await authorization('returns:read') } }));
  });

export const createReturn = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(httpJsonBodyParser())
  .use(httpErrorHandler())
  .handler(async ({ headers, body }) => {
    const sent = {
      Authorization: await authorization('returns:write'),
      'Idempotency-Key': headers['idempotency-key'],
    };
    return answerOf(await api.post('/returns', body, { headers: sent }));
  });
