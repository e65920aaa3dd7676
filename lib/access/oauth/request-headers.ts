import type { Redacted } from '../secrets/failure-reason.ts';
import type { Credentials } from './client-credentials.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers of a token, and the credentials that they belong to. */
type CachedHeaders = { readonly credentials: Credentials; readonly headers: Headers };

const known = new WeakMap<Redacted, CachedHeaders>();

/** A secret header replaces a fixed one of the same name, and the token replaces both. */
const makeHeaders = (credentials: Credentials, token: Redacted | undefined): Headers => {
  const { tokenHeader, tokenScheme, serviceHeaders } = credentials.serviceAccess;
  const headers: Record<string, string> = { ...serviceHeaders };
  for (const [name, value] of Object.entries(credentials.headers)) headers[name] = value.reveal();
  if (token !== undefined) headers[tokenHeader] = `${tokenScheme} ${token.reveal()}`.trimStart();
  return headers;
};

/**
 * Returns the headers of a request to the API that depend on the access: fixed ones, secret ones, and the token. They
 * are cached for each token, because the slim undici checks each character of an identical text only once.
 */
export const requestHeaders = (credentials: Credentials, token: Redacted | undefined): Headers => {
  if (token === undefined) return makeHeaders(credentials, token);
  const cached = known.get(token);
  if (cached?.credentials === credentials) return cached.headers;
  const headers = makeHeaders(credentials, token);
  known.set(token, { credentials, headers });
  return headers;
};
