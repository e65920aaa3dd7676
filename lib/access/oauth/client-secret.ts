import { addressError, baseOf } from '../../runtime/address.ts';
import { isObject, parseObject } from '../../runtime/json.ts';
import { parseFixedHeaders } from '../../runtime/service-access.ts';
import { AccessError } from './access-error.ts';

/** The content of this integration's secret. */
export type ClientSecret = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string | undefined;
  readonly certificate: string | undefined;
  readonly privateKey: string | undefined;
  readonly ca: string | undefined;
  /** The secret headers of each request to the API, with names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
};

/** The accepted names of each field, the usual one first. */
export const fieldNames: Readonly<Record<keyof ClientSecret, readonly string[]>> = {
  clientId: ['clientId', 'client_id'],
  clientSecret: ['clientSecret', 'client_secret'],
  authUrl: ['authUrl', 'auth_url'],
  certificate: ['certificate'],
  privateKey: ['privateKey', 'private_key'],
  ca: ['ca'],
  headers: ['headers'],
};

const malformed = (field: string) => new AccessError('SecretUnavailable', `malformed ${field}`);

/** @throws {AccessError} for another value than headers */
const secretHeaders = (value: unknown): ClientSecret['headers'] => {
  if (value === undefined) return undefined;
  const areTexts = isObject(value) && Object.values(value).every((text) => typeof text === 'string');
  const headers = areTexts ? parseFixedHeaders(value as Readonly<Record<string, string>>) : undefined;
  if (headers === undefined) throw malformed('headers');
  return headers;
};

/**
 * Parses the secret `{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca?, headers? }`. Names in snake_case
 * are accepted as well. An empty text counts as absent, except for a required field. In a PEM text `\n` counts as a line
 * end.
 *
 * @throws {AccessError} that names the field and quotes nothing
 */
export const parseClientSecret = (text: string): ClientSecret => {
  // Some editors add a byte order mark before the JSON.
  const fields = parseObject(text.replace(/^\ufeff/, ''));
  if (fields === undefined) throw malformed('JSON');
  const optional = (name: keyof ClientSecret): string | undefined => {
    const value = fieldNames[name].map((written) => fields[written] ?? undefined).find((field) => field !== undefined);
    if (value !== undefined && typeof value !== 'string') throw malformed(name);
    // UTF-8 would replace the broken character.
    if (value?.isWellFormed() === false) throw malformed(name);
    return value === '' ? undefined : value;
  };
  const required = (name: keyof ClientSecret): string => {
    const value = optional(name);
    if (value === undefined) throw malformed(name);
    return value;
  };
  // A PEM text contains no backslash, so a backslash means that its line ends were escaped twice.
  const pem = (name: keyof ClientSecret) => optional(name)?.replaceAll(/(\\r)?\\n/g, '\n');
  const authUrl = optional('authUrl');
  if (authUrl !== undefined && addressError(authUrl) !== undefined) throw malformed('authUrl');
  return {
    clientId: required('clientId'),
    clientSecret: required('clientSecret'),
    authUrl: authUrl === undefined ? undefined : baseOf(authUrl),
    certificate: pem('certificate'),
    privateKey: pem('privateKey'),
    ca: pem('ca'),
    headers: secretHeaders(fields['headers'] ?? undefined),
  };
};
