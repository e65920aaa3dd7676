import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as oauth from 'oauth4webapi';
import { fetch, request } from 'undici';
import { secretSeconds, type ClientSecret } from '../client-secret.ts';

/*
 * The connected mode on Powertools' parameters, oauth4webapi and undici, each as in its documentation.
 * It reuses the token until a minute before its expiry. undici's global agent reuses the connections. It validates
 * nothing and retries nothing.
 */

const { SERVICE_URL = '', AUTH_URL = '', CLIENT_SECRET_ID = '' } = process.env;

const limit = 5_000;
const server: oauth.AuthorizationServer = { issuer: AUTH_URL, token_endpoint: `${AUTH_URL}/connect/token` };

const fetchByUndici = (url: string, options: object) => fetch(url, options) as unknown as Promise<Response>;

let token: { readonly text: string; readonly expiresAt: number } | undefined;

const obtain = async (scope: string) => {
  const secret = await getSecret<ClientSecret>(CLIENT_SECRET_ID, { transform: 'json', maxAge: secretSeconds });
  const { clientId, clientSecret } = secret as ClientSecret;
  const client: oauth.Client = { client_id: clientId };
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretPost(clientSecret),
    { scope },
    {
      signal: AbortSignal.timeout(limit),
      // As mutual TLS requires. Node's own fetch would load a second undici.
      [oauth.customFetch]: fetchByUndici,
      // Most token endpoints of the bench have no TLS.
      [oauth.allowInsecureRequests]: true,
    },
  );
  const { access_token: text, expires_in: seconds = 0 } = await oauth.processClientCredentialsResponse(
    server,
    client,
    response,
  );
  return { text, expiresAt: Date.now() + seconds * 1_000 };
};

const authorization = async (scope: string): Promise<string> => {
  if (token === undefined || token.expiresAt - Date.now() < 60_000) token = await obtain(scope);
  return `Bearer ${token.text}`;
};

type Sent = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
};

export const call = async (
  scope: string,
  path: string,
  sent: Sent = {},
): Promise<APIGatewayProxyStructuredResultV2> => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1${path}`, {
    ...sent,
    headers: { ...sent.headers, authorization: await authorization(scope) },
    signal: AbortSignal.timeout(limit),
  });
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await body.json()),
  };
};
