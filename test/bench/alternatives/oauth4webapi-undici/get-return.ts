import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as oauth from 'oauth4webapi';
import { fetch, request } from 'undici';
import { answerOf } from '../answer.ts';
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
  const authentication = oauth.ClientSecretPost(clientSecret);
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    authentication,
    { scope },
    {
      signal: AbortSignal.timeout(limit),
      // As mutual TLS requires. Node's own fetch would load a second undici.
      [oauth.customFetch]: fetchByUndici,
      // Most token endpoints of the bench have no TLS.
      [oauth.allowInsecureRequests]: true,
    },
  );
  const answer = await oauth.processClientCredentialsResponse(server, client, response);
  return { text: answer.access_token, expiresAt: Date.now() + (answer.expires_in ?? 0) * 1_000 };
};

const authorization = async (scope: string): Promise<string> => {
  if (token === undefined || token.expiresAt - Date.now() < 60_000) token = await obtain(scope);
  return `Bearer ${token.text}`;
};

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) => {
  const path = `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`;
  const { statusCode, body } = await request(`${SERVICE_URL}/v1${path}`, {
    headers: { authorization: await authorization('returns:read') },
    signal: AbortSignal.timeout(limit),
  });
  return answerOf(statusCode, await body.json());
};
