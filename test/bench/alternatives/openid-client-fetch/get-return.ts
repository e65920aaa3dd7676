import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as openid from 'openid-client';
import { answerOf } from '../answer.ts';
import { secretSeconds, type ClientSecret } from '../client-secret.ts';

/*
 * The connected mode on Powertools' parameters, openid-client and Node's own fetch, each as in its documentation.
 * It stores the response of the grant and checks its `expiresIn`. It validates nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '', CLIENT_SECRET_ID = '' } = process.env;

const seconds = 5;

let tokens: Awaited<ReturnType<typeof openid.clientCredentialsGrant>> | undefined;

const configure = async (): Promise<openid.Configuration> => {
  const secret = await getSecret<ClientSecret>(CLIENT_SECRET_ID, { transform: 'json', maxAge: secretSeconds });
  const { clientId, clientSecret } = secret as ClientSecret;
  const server = { issuer: AUTH_URL, token_endpoint: `${AUTH_URL}/connect/token` };
  const configuration = new openid.Configuration(server, clientId, undefined, openid.ClientSecretPost(clientSecret));
  configuration.timeout = seconds;
  // Most token endpoints of the bench have no TLS.
  openid.allowInsecureRequests(configuration);
  return configuration;
};

const authorization = async (scope: string): Promise<string> => {
  if (tokens === undefined || (tokens.expiresIn() ?? 0) < 60)
    tokens = await openid.clientCredentialsGrant(await configure(), { scope });
  return `Bearer ${tokens.access_token}`;
};

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) => {
  const path = `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`;
  const response = await fetch(`${SERVICE_URL}/v1${path}`, {
    headers: { Authorization: await authorization('returns:read') },
    signal: AbortSignal.timeout(seconds * 1_000),
  });
  return answerOf(response.status, await response.json());
};
