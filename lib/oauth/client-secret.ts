import { parseObject } from '../json.ts';
import { addressFault } from '../net/address.ts';
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

/**
 * Reads the secret `{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca? }`; names in snake_case are
 * accepted as well. An empty text counts as absent, except where one is required.
 *
 * @throws {AccessError} that names the place and quotes nothing
 */
export const parseClientSecret = (text: string): ClientSecret => {
  const fields = parseObject(text);
  if (fields === undefined) throw malformed('JSON');
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
  if (authUrl !== undefined && addressFault(authUrl) !== undefined) throw malformed('authUrl');
  return {
    clientId: required('clientId', 'client_id'),
    clientSecret: required('clientSecret', 'client_secret'),
    authUrl: authUrl?.replace(/\/+$/, ''),
    certificate: optional('certificate'),
    privateKey: optional('privateKey', 'private_key'),
    ca: optional('ca'),
  };
};
