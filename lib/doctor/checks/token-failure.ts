import type { TokenFailure } from '../../oauth/token-response.ts';
import type { Explanation } from './transport.ts';

const others = 'The functions try AWSPREVIOUS and AWSPENDING too.';

/**
 * What is told of a token endpoint that answered with something else than a token, by the reason of the fault. What
 * tells its address stands for `{address}`.
 */
const explanations: Readonly<Record<string, readonly [detail: string, remedy: string]>> = {
  invalid_client: [
    'refuses the client id or the client secret',
    `Put those into the secret (CLIENT_SECRET_ID) that the identity provider has. ${others}`,
  ],
  unauthorized_client: [
    'refuses the client id or the client secret, or does not give this client tokens this way',
    `Look at clientId and clientSecret in the secret (CLIENT_SECRET_ID); allow the client the grant client_credentials. ${others}`,
  ],
  access_denied: [
    'denies this client access',
    `Look at clientId and clientSecret in the secret (CLIENT_SECRET_ID), and at what the provider allows the client. ${others}`,
  ],
  unknown_error: [
    'refuses the client in words of its own',
    `Look at clientId and clientSecret in the secret (CLIENT_SECRET_ID), and into the logs of the provider. ${others}`,
  ],
  insufficient_scope: ['grants none of these scopes', 'Allow the client the scopes.'],
  unsupported_grant_type: [
    'does not know the grant client_credentials',
    'Look whether {address} is the right provider.',
  ],
  invalid_request: ['does not take the request', 'Look whether {address} is the right provider, and into its logs.'],
  invalid_scope: ['grants none of these scopes', 'Allow the client the scopes.'],
  scope: ['grants less than what was asked for', 'Allow the client the scopes.'],
  not_json: [
    'answers without JSON',
    'Look whether {address} leads to the token endpoint and not to a proxy or a page.',
  ],
  access_token: ['answers without a token that can be sent', 'Look whether {address} is the right provider.'],
  token_type: ['issues tokens that are not of the type Bearer', 'Have it issue Bearer tokens to this client.'],
  status_404: ['is not at this path', '{address} is what stands before /connect/token.'],
  status_429: ['asks to come back later', 'Wait, and look who else uses this client.'],
};

const byStatus = (reason: string): readonly [detail: string, remedy: string] => {
  const status = /^status_(\d{3})$/.exec(reason)?.[1];
  if (status === undefined) return ['refuses the client in words of its own', 'Look into the logs of the provider.'];
  if (status.startsWith('3')) return [`sends elsewhere with ${status}`, 'Set {address} to where it sends to.'];
  return [`answers ${status}`, 'Look into the logs of the provider, and whether {address} leads to it.'];
};

/** @param variable what tells where the token endpoint is */
export const explainTokenFailure = ({ kind, reason, retryAfterMs }: TokenFailure, variable: string): Explanation => {
  const [detail, remedy] = explanations[reason] ?? byStatus(reason);
  const wait =
    kind === 'IdpUnavailable' && retryAfterMs !== undefined ? `, in ${Math.ceil(retryAfterMs / 1000)} s` : '';
  return { detail: `the token endpoint ${detail}${wait}`, remedy: remedy.replace('{address}', variable) };
};

/** Whether only these scopes were refused, and others may be granted. */
export const isAboutScope = ({ reason }: TokenFailure): boolean =>
  reason === 'invalid_scope' || reason === 'insufficient_scope' || reason === 'scope';
