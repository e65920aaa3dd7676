import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import secretsManager, { secret } from '@middy/secrets-manager';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import axios from 'axios';
import { ClientCredentials, type AccessToken } from 'simple-oauth2';
import { answerOf } from '../answer.ts';
import { secretSeconds, type ClientSecret } from '../client-secret.ts';

/*
 * The connected mode on middy with @middy/secrets-manager, simple-oauth2 and axios, each as in its documentation.
 * The middleware reads the secret while the function loads and puts it into the context. It stores the token object and
 * checks `expired`. The axios instance reuses its connections. It validates nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '', CLIENT_SECRET_ID = '' } = process.env;

const limit = 5_000;

const api = axios.create({
  baseURL: `${SERVICE_URL}/v1`,
  timeout: limit,
  httpAgent: new HttpAgent({ keepAlive: true }),
  httpsAgent: new HttpsAgent({ keepAlive: true }),
});

const clientSecret = () =>
  secretsManager({
    fetchData: { client: secret<ClientSecret>(CLIENT_SECRET_ID) },
    cacheExpiry: secretSeconds * 1_000,
    setToContext: true,
  });

let token: AccessToken | undefined;

const authorization = async ({ clientId, clientSecret: password }: ClientSecret, scope: string): Promise<string> => {
  if (token === undefined || token.expired(60)) {
    const client = new ClientCredentials({
      client: { id: clientId, secret: password },
      auth: { tokenHost: AUTH_URL, tokenPath: '/connect/token' },
      http: { timeout: limit },
      options: { authorizationMethod: 'body' },
    });
    token = await client.getToken({ scope });
  }
  return `Bearer ${String(token.token['access_token'])}`;
};

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(clientSecret())
  .use(httpErrorHandler())
  .handler(async ({ pathParameters }, { client }) => {
    const { status, data } = await api.request<unknown>({
      url: `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`,
      headers: { Authorization: await authorization(client, 'returns:read') },
    });
    return answerOf(status, data);
  });
