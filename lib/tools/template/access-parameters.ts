import { defaultServiceAccess } from '../../runtime/service-access.ts';
import type { Parameter } from './cloudformation/parameter.ts';

/*
 * The parameters of the access to a Returns Service with other rules (connected mode). Functions parse their values by
 * lib/runtime/service-access.ts, which also has the texts of errors. A pattern rejects what that parser rejects, except
 * a name that occurs twice.
 */

type AccessParameter = Pick<Parameter, 'AllowedPattern' | 'AllowedValues' | 'Description'> & {
  readonly Default: string;
};

/** A token of RFC 9110, 5.6.2. */
const word = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

/** A pattern that takes capital and small letters. The modifier (?i:…) had no effect once, in a long run of Node 24. */
const anyCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

/** The headers of HTTP, of one connection, and those that requests have already. */
const reserved = anyCase(
  '(__Proto__|Host|Connection|Keep-Alive|Proxy-[^=]*|TE|Trailer|Transfer-Encoding|Upgrade|Expect|Content-[^=]*|Accept|Accept-Encoding|Accept-Language|Traceparent|Idempotency-Key|If-[^=]*|Returns-On-Behalf-Of)',
);
const fixedHeader = `(?!${reserved}=)(?!${anyCase('Authorization')}=)${word}=[!-~]([\\t -~]*[!-~])?`;
const tokenField = '(access_token|token_type|expires_in|scope)=[A-Za-z0-9_.$:-]+';
/** A scope token of RFC 6749, 3.3, without a comma. */
const scopeWord = '[!#-+\\--\\[\\]-~]+';
const serviceScope = `returns:(read|write|admin|search)=(${scopeWord}( ${scopeWord})*)?`;

/** A URL parser takes these parts as steps of the path (WHATWG URL, 4.1). */
const noDotPart = '(?!.*/[.][.]?(/|$))';

const optionalList = (item: string, separator: string): string => `(${item}(${separator}${item})*)?`;

/** The parameters by name. */
export const accessParameters: Readonly<Record<string, AccessParameter>> = {
  ServicePath: {
    Default: defaultServiceAccess.servicePath,
    AllowedPattern: `${noDotPart}(/[A-Za-z0-9_.~/-]*)?`,
    Description: 'Path below ServiceUrl before the paths of operations; / for none',
  },
  TokenPath: {
    Default: defaultServiceAccess.tokenPath,
    AllowedPattern: `${noDotPart}/[A-Za-z0-9_.~/-]*`,
    Description: 'Path of the token endpoint below AuthUrl',
  },
  ClientAuthentication: {
    Default: defaultServiceAccess.clientAuthentication,
    AllowedValues: ['form', 'basic', 'json'],
    Description: 'Where a token request has client id and secret: in its form, in Basic, or in a JSON body',
  },
  TokenHeader: {
    Default: 'Authorization',
    AllowedPattern: `(?!${reserved}$)${word}`,
    Description: 'Header of the token in requests to the Returns Service',
  },
  TokenScheme: {
    Default: defaultServiceAccess.tokenScheme,
    AllowedPattern: word,
    Description: 'Word before the token, which token_type may name too; none for the bare token',
  },
  TokenFields: {
    Default: '',
    AllowedPattern: optionalList(tokenField, ','),
    Description: 'Other names of fields of the token response, such as access_token=idToken,expires_in=expiresIn',
  },
  TokenLifetime: {
    Default: String(defaultServiceAccess.tokenLifetime),
    AllowedPattern: '[1-9][0-9]{0,3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400',
    Description: 'Seconds, from 1 to 86400, that a token lives whose response does not say it',
  },
  ServiceHeaders: {
    Default: '',
    AllowedPattern: optionalList(fixedHeader, '\\n'),
    Description:
      'Headers of each request to the Returns Service, a line Name=value each; secret ones are in the secret',
  },
  ServiceScopes: {
    Default: '',
    AllowedPattern: optionalList(serviceScope, ','),
    Description: 'Words of the issuer for our scopes, such as returns:read=RETAILER,returns:write=rma.read rma.write',
  },
};
