import { scopeWords, type ServiceAccess } from '../../runtime/service-access.ts';
import type { Credentials } from './client-credentials.ts';

/** The part of a token request that depends on the authentication of the client. */
type GrantRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
type Client = { readonly client_id: string; readonly client_secret: string };
type Fields = Readonly<Record<string, string>>;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const formOf = (fields: Fields): string => new URLSearchParams(fields).toString();

/** Encodes a text as a form does. */
const encoded = (text: string): string => formOf({ '': text }).slice(1);

/** The ways to authenticate the client. Client id and secret stand where the specification has them in its form. */
const ways: Readonly<
  Record<ServiceAccess['clientAuthentication'], (grant: Fields, client: Client, scope: Fields) => GrantRequest>
> = {
  /** RFC 6749, 2.3.1, in the body, as the specification asks. */
  form: (grant, client, scope) => ({ headers: formType, body: formOf({ ...grant, ...client, ...scope }) }),
  /** RFC 6749, 2.3.1. Both are encoded before they are joined, because an id may have a colon. */
  basic: (grant, { client_id: id, client_secret: secret }, scope) => ({
    headers: {
      ...formType,
      authorization: `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`,
    },
    body: formOf({ ...grant, ...scope }),
  }),
  /** No standard has it. Some services read no form. */
  json: (grant, client, scope) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...grant, ...client, ...scope }),
  }),
};

/** Returns headers and body of a token request by client credentials (RFC 6749, 4.4.2). Without scopes it has no field. */
export const grantRequest = (
  { serviceAccess, clientId, clientSecret }: Credentials,
  scopes: readonly string[],
): GrantRequest => {
  const words = scopeWords(serviceAccess, scopes);
  return ways[serviceAccess.clientAuthentication](
    { grant_type: 'client_credentials' },
    { client_id: clientId, client_secret: clientSecret.reveal() },
    words.length === 0 ? {} : { scope: words.join(' ') },
  );
};
