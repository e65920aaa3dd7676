import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretPost,
  Configuration,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { secretSeconds, type ClientSecret } from '../client-secret.ts';

/*
 * The connected mode on Powertools' parameters, openid-client and Node's own fetch, each as in its documentation.
 * It stores the response of the grant and checks its `expiresIn`. It validates nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '', CLIENT_SECRET_ID = '' } = process.env;

const seconds = 5;

let tokens: (TokenEndpointResponse & TokenEndpointResponseHelpers) | undefined;

const configure = async (): Promise<Configuration> => {
  const secret = await getSecret<ClientSecret>(CLIENT_SECRET_ID, { transform: 'json', maxAge: secretSeconds });
  const { clientId, clientSecret } = secret as ClientSecret;
  const server = { issuer: AUTH_URL, token_endpoint: `${AUTH_URL}/connect/token` };
  const configuration = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  configuration.timeout = seconds;
  // Most token endpoints of the bench have no TLS.
  allowInsecureRequests(configuration);
  return configuration;
};

const authorization = async (scope: string): Promise<string> => {
  if (tokens === undefined || (tokens.expiresIn() ?? 0) < 60) {
    tokens = await clientCredentialsGrant(await configure(), { scope });
  }
  return `Bearer ${tokens.access_token}`;
};

type Sent = {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export const call = async (
  scope: string,
  path: string,
  sent: Sent = {},
): Promise<APIGatewayProxyStructuredResultV2> => {
  const response = await fetch(`${SERVICE_URL}/v1${path}`, {
    ...sent,
    headers: { ...sent.headers, Authorization: await authorization(scope) },
    signal: AbortSignal.timeout(seconds * 1_000),
  });
  return {
    statusCode: response.status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await response.json()),
  };
};
