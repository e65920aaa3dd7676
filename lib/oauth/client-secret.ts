import { AccessError } from './access-error.ts';

/** What the secret of this integration holds. */
export type ClientSecret = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string | undefined;
  readonly certificate: string | undefined;
  readonly privateKey: string | undefined;
  readonly ca: string | undefined;
};

const malformed = (place: string) => new AccessError('SecretUnavailable', `malformed ${place}`);

const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which is the secret.
    throw malformed('JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('JSON');
  return value as Readonly<Record<string, unknown>>;
};

/**
 * Reads the secret `{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca? }`; names in snake_case are
 * accepted as well. An empty text counts as absent, except where one is required.
 *
 * @throws {AccessError} that names the place and quotes nothing
 */
export const parseClientSecret = (text: string): ClientSecret => {
  const fields = parseObject(text);
  const optional = (name: string, snake: string = name): string | undefined => {
    const value = fields[name] ?? fields[snake] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw malformed(name);
    return value === '' ? undefined : value;
  };
  const required = (name: string, snake: string): string => {
    const value = optional(name, snake);
    if (value === undefined) throw malformed(name);
    return value;
  };
  const authUrl = optional('authUrl', 'auth_url');
  if (authUrl !== undefined && !/^https?:$/.test(URL.parse(authUrl)?.protocol ?? '')) throw malformed('authUrl');
  return {
    clientId: required('clientId', 'client_id'),
    clientSecret: required('clientSecret', 'client_secret'),
    authUrl: authUrl?.replace(/\/+$/, ''),
    certificate: optional('certificate'),
    privateKey: optional('privateKey', 'private_key'),
    ca: optional('ca'),
  };
};
