import type { TokenFailure } from '../../../access/oauth/token-response.ts';
import type { Explanation } from './transport.ts';

const others = 'The functions try AWSPREVIOUS and AWSPENDING too.';
const grantScopes = 'Grant the client these scopes. If the provider has other words for them, set SERVICE_SCOPES.';

/**
 * Explains responses of a token endpoint without a usable token, by the reason of the failure. `{address}` is replaced
 * by the variable or field that holds its URL.
 */
const explanations: Readonly<Record<string, readonly [detail: string, remedy: string]>> = {
  invalid_client: [
    'rejects the client id or the client secret',
    `Store the client id and secret of the identity provider in the secret (CLIENT_SECRET_ID). If the provider expects them in Basic or in JSON, set CLIENT_AUTHENTICATION. ${others}`,
  ],
  unauthorized_client: [
    'rejects the client id, the client secret or the grant',
    `Check clientId and clientSecret in the secret (CLIENT_SECRET_ID). Allow the client the grant client_credentials. ${others}`,
  ],
  access_denied: [
    'denies this client access',
    `Check clientId and clientSecret in the secret (CLIENT_SECRET_ID), and the permissions of the client. ${others}`,
  ],
  unknown_error: [
    'rejects the client with an unknown error code',
    `Check clientId and clientSecret in the secret (CLIENT_SECRET_ID), and the logs of the provider. ${others}`,
  ],
  insufficient_scope: ['grants none of these scopes', grantScopes],
  unsupported_grant_type: ['does not know the grant client_credentials', 'Check that {address} is the right provider.'],
  invalid_request: ['rejects the request', 'Check that {address} is the right provider, and check its logs.'],
  invalid_scope: ['grants none of these scopes', grantScopes],
  scope: ['grants fewer scopes than requested', grantScopes],
  not_json: ['answers without JSON', 'Check that {address} is the token endpoint, not a proxy or a web page.'],
  access_token: [
    'answers without a usable token',
    'Check that {address} is the right provider. If its answer names the token otherwise, set TOKEN_FIELDS.',
  ],
  token_type: [
    'issues tokens of another type than Bearer',
    'Configure it to issue Bearer tokens to this client, or set TOKEN_SCHEME to the type that the API expects.',
  ],
  status_404: [
    'is not at this path',
    'Set {address} and TOKEN_PATH: together they are its URL. TOKEN_PATH is /connect/token by default.',
  ],
  status_429: ['throttles this client', 'Wait, and check who else uses this client.'],
};

const byStatus = (reason: string): readonly [detail: string, remedy: string] => {
  const status = /^status_(\d{3})$/.exec(reason)?.[1];
  if (status === undefined) return ['rejects the client with an unknown error code', 'Check the logs of the provider.'];
  if (status.startsWith('3')) return [`redirects with ${status}`, 'Set {address} to the target of the redirect.'];
  return [`answers ${status}`, 'Check the logs of the provider, and that {address} is its URL.'];
};

/**
 * Explains a failed token request.
 *
 * @param variable the variable or field that holds the URL of the token endpoint
 */
export const explainTokenFailure = ({ kind, reason, retryAfterMs }: TokenFailure, variable: string): Explanation => {
  const [detail, remedy] = explanations[reason] ?? byStatus(reason);
  const wait =
    kind === 'IdpUnavailable' && retryAfterMs !== undefined ? `, for ${Math.ceil(retryAfterMs / 1000)} s` : '';
  return { detail: `the token endpoint ${detail}${wait}`, remedy: remedy.replace('{address}', variable) };
};

/** Whether the failure concerns these scopes only, so that other scopes may be granted. */
export const isAboutScope = ({ reason }: TokenFailure): boolean =>
  reason === 'invalid_scope' || reason === 'insufficient_scope' || reason === 'scope';
