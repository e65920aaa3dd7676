import { withoutEndSlashes } from './address.ts';
import { fail, ok, type Result } from './result.ts';

/*
 * The parts of the access to a Returns Service that the given specification leaves open. Deployments and programs write
 * them as `AccessSettings`; the functions use `ServiceAccess`.
 */

/** A field of a token response (RFC 6749, 5.1). */
export type TokenField = 'access_token' | 'token_type' | 'expires_in' | 'scope';

/** How requests for tokens, and requests to the service, are written. */
export type ServiceAccess = {
  /** The text before the path of each operation; may be empty. */
  readonly servicePath: string;
  /** The path of the token endpoint below the address of the identity provider. */
  readonly tokenPath: string;
  /** The place of client id and secret in a token request: its form, Basic, or a JSON body. */
  readonly clientAuthentication: 'form' | 'basic' | 'json';
  /** The header of the token, in lower case. */
  readonly tokenHeader: string;
  /** The word before the token; empty for the bare token. */
  readonly tokenScheme: string;
  /** The names of fields of a token response, where they differ from RFC 6749, 5.1. */
  readonly tokenFields: Readonly<Partial<Record<TokenField, string>>>;
  /** The lifetime in seconds of a token whose response has none. */
  readonly tokenLifetime: number;
  /** The headers of each request to the service, with names in lower case. */
  readonly serviceHeaders: Readonly<Record<string, string>>;
  /** The words of the issuer for a scope, where they differ from it. */
  readonly serviceScopes: Readonly<Record<string, readonly string[]>>;
};

type Pairs = Readonly<Record<string, string>>;
type Written = string | number | Pairs;
export type AccessSetting = keyof ServiceAccess;

/**
 * The settings as they are written. A list of pairs is an object or a text: `access_token=idToken,expires_in=expiresIn`.
 * The text of `serviceHeaders` has a line for each pair, because a value may have each other character.
 */
export type AccessSettings = { readonly [Setting in AccessSetting]?: Written | undefined };

/** An error of a setting, as the end of a sentence. It quotes nothing: a header may be a secret. */
export type AccessSettingError = { readonly setting: AccessSetting; readonly error: string };

/** The access that the specification describes. */
export const defaultServiceAccess: ServiceAccess = {
  servicePath: '/v1',
  tokenPath: '/connect/token',
  clientAuthentication: 'form',
  tokenHeader: 'authorization',
  tokenScheme: 'Bearer',
  tokenFields: {},
  tokenLifetime: 3_600,
  serviceHeaders: {},
  serviceScopes: {},
};

/** What each setting accepts. */
const accepted: Readonly<Record<AccessSetting, string>> = {
  servicePath: 'a path that begins with /, without . or .., such as /v1, or / for none',
  tokenPath: 'a path that begins with /, without . or .., such as /oauth2/token',
  clientAuthentication: 'form, basic or json',
  tokenHeader: 'the name of a header that requests have not already, such as Authorization or X-Access-Token',
  tokenScheme: 'one word such as Bearer, or none for the bare token',
  tokenFields:
    'pairs such as access_token=idToken,expires_in=expiresIn; the names are access_token, token_type, expires_in, scope',
  tokenLifetime: 'whole seconds from 1 to 86400',
  serviceHeaders:
    'lines such as X-Tenant=acme: printable ASCII, each header once, and none that requests have already, such as Host or Authorization',
  serviceScopes: 'pairs such as returns:read=RETAILER,returns:write=rma.read rma.write, each of our scopes once',
};

/** A path without `.` and `..` parts, which URL parsers take as steps (WHATWG URL, 4.1). */
const pathText = /^(?!.*\/\.\.?(?:\/|$))\/[\w.~/-]*$/;

/** A token of RFC 9110, 5.6.2. */
const word = /^[\w!#$%&'*+.^`|~-]+$/;
/**
 * Such a name, except the headers of HTTP, of one connection, and those that requests have already. `__proto__` would be
 * lost wherever headers are assigned to an object.
 */
const headerName =
  /^(?!(?:__proto__|host|authorization|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept(?:-encoding|-language)?|traceparent|idempotency-key|if-.*|returns-on-behalf-of)$)[\w!#$%&'*+.^`|~-]+$/i;
/** A field value of RFC 9110, 5.5, in ASCII. */
const headerValue = /^[!-~](?:[\t -~]*[!-~])?$/;

/** Parses a list of pairs. Each name occurs once. Returns undefined for another text. */
const pairsOf = (written: Written, separator: string, name: RegExp, value: RegExp): Pairs | undefined => {
  const pairs =
    typeof written === 'object'
      ? Object.entries(written)
      : String(written)
          .split(separator)
          .map((text) => text.split(/=(.*)/s));
  const parsed = new Map<string, string>();
  for (const [left = '', right] of written === '' ? [] : pairs) {
    const key = separator === '\n' ? left.toLowerCase() : left;
    if (right === undefined || parsed.has(key) || !name.test(left) || !value.test(right)) return undefined;
    parsed.set(key, right);
  }
  return Object.fromEntries(parsed);
};

/** Parses headers that each request has. Returns undefined for a header that must not be among them. */
export const parseFixedHeaders = (written: Written): Pairs | undefined =>
  pairsOf(written, '\n', headerName, headerValue);

const textOf = (written: Written, pattern: RegExp): string | undefined =>
  typeof written !== 'object' && pattern.test(String(written)) ? String(written) : undefined;

/** The parsers of the settings. Each returns undefined for a value that the setting does not accept. */
const parsers: { readonly [Setting in AccessSetting]: (written: Written) => ServiceAccess[Setting] | undefined } = {
  servicePath: (written) => {
    const path = written === '' ? written : textOf(written, pathText);
    return path === undefined ? path : withoutEndSlashes(path);
  },
  tokenPath: (written) => textOf(written, pathText),
  clientAuthentication: (written) =>
    textOf(written, /^(?:form|basic|json)$/) as ServiceAccess['clientAuthentication'] | undefined,
  tokenHeader: (written) => {
    const name = textOf(written, word)?.toLowerCase();
    return name === undefined || name === 'authorization' ? name : textOf(name, headerName);
  },
  tokenScheme: (written) => textOf(written, word)?.replace(/^none$/, ''),
  tokenFields: (written) => pairsOf(written, ',', /^(?:access_token|token_type|expires_in|scope)$/, /^[\w.$:-]+$/),
  tokenLifetime: (written) => {
    const seconds = textOf(written, /^[1-9]\d{0,4}$/);
    return seconds === undefined || Number(seconds) > 86_400 ? undefined : Number(seconds);
  },
  serviceHeaders: parseFixedHeaders,
  serviceScopes: (written) => {
    // Scope tokens of RFC 6749, 3.3, with single spaces; or none.
    const words = /^(?:[!#-[\]-~]+(?: [!#-[\]-~]+)*)?$/;
    const pairs = pairsOf(written, ',', /^returns:(?:read|write|admin|search)$/, words);
    return pairs && Object.fromEntries(Object.entries(pairs).map(([scope, text]) => [scope, text.match(/\S+/g) ?? []]));
  },
};

/** Returns the names of the settings. */
export const accessSettingNames = (): readonly AccessSetting[] => Object.keys(defaultServiceAccess) as AccessSetting[];

/**
 * Parses the settings, or returns all errors.
 *
 * @param defaults the values of settings that are not written
 */
export const parseServiceAccess = (
  settings: AccessSettings,
  defaults = defaultServiceAccess,
): Result<ServiceAccess, readonly AccessSettingError[]> => {
  const values = accessSettingNames().flatMap((setting) => {
    const written = settings[setting];
    return written === undefined ? [] : [[setting, parsers[setting](written)] as const];
  });
  const access: ServiceAccess = { ...defaults, ...Object.fromEntries(values) };
  const wrong = values.flatMap(([setting, value]) => (value === undefined ? [setting] : []));
  if (wrong.length === 0 && Object.hasOwn(access.serviceHeaders, access.tokenHeader)) wrong.push('serviceHeaders');
  return wrong.length === 0
    ? ok(access)
    : fail(wrong.map((setting) => ({ setting, error: `must be ${accepted[setting]}` })));
};

/** Returns the words of the issuer for scopes, each once. A scope may have none. */
export const scopeWords = ({ serviceScopes }: ServiceAccess, scopes: readonly string[]): readonly string[] => [
  ...new Set(scopes.flatMap((scope) => serviceScopes[scope] ?? [scope])),
];
