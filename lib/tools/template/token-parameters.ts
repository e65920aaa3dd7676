import { accessParameters } from './access-parameters.ts';
import type { Parameter } from './cloudformation/parameter.ts';
import { modes, type Mode } from './functions/function-row.ts';

/** A parameter of the template about tokens, and the modes that have it. */
type TokenParameter = Parameter & { readonly modes: readonly Mode[]; readonly Type: 'String' };

/** https, except for a service on this machine. */
export const address = 'https://[^\\s?#]+|http://(127[.]0[.]0[.]1|localhost)(:[0-9]+)?(/[^\\s?#]*)?';

/** An origin: no path and no slash at the end. */
const origin = 'https://[a-z0-9.-]+(:[0-9]{1,5})?|http://(127[.]0[.]0[.]1|localhost)(:[0-9]{1,5})?';

/** The condition under which the authorizer function exists, and the routes use it. */
export const byFunction = 'AuthorizesByFunction';

/** The condition under which the `web` API serves the operations to users. */
export const servesConsole = 'ServesConsole';

/** The condition under which pages of the console may read and upload files of evidence. */
export const namesEvidenceCorsOrigin = 'NamesEvidenceCorsOrigin';

/** The parameters of the tokens and persons that callers present, and of the tokens that the connected mode requests. */
export const tokenParameters: Readonly<Record<string, TokenParameter>> = {
  TokenIssuer: {
    modes,
    Type: 'String',
    AllowedPattern: address,
    Description: 'Issuer of the access tokens of callers; https, except on this machine',
  },
  TokenAudience: {
    modes,
    Type: 'String',
    AllowedPattern: '[^,\\s]+(,[^,\\s]+)*',
    Description: 'Audiences of the access tokens of callers, separated by commas; client ids at Cognito',
  },
  TokenAuthorizer: {
    modes,
    Type: 'String',
    Default: 'gateway',
    AllowedValues: ['gateway', 'function'],
    Description: 'Who verifies tokens: API Gateway (RS256, scopes in scope or scp), or the function authorize',
  },
  ClientClaim: {
    modes,
    Type: 'String',
    Default: 'client_id',
    AllowedPattern: '[A-Za-z0-9_:./-]+',
    Description: 'Claim of the access token that names the client',
  },
  ScopeClaim: {
    modes,
    Type: 'String',
    Default: '',
    AllowedPattern: '[A-Za-z0-9_:./-]*',
    Description: 'Claim of the access token with the scopes; scope, else scp, when empty',
  },
  ScopePrefix: {
    modes,
    Type: 'String',
    Default: '',
    AllowedPattern: '[A-Za-z0-9_:./~-]*',
    Description: 'Text before returns:read and the other scopes in access tokens, such as returns.example/ at Cognito',
  },
  Console: {
    modes,
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description: 'Whether the API for browsers serves the operations to signed-in users; it needs WebApi on',
  },
  ConsoleAudience: {
    modes,
    Type: 'String',
    Default: '',
    AllowedPattern: '[^,\\s]*',
    Description: 'Audience of the access tokens of users, another one than TokenAudience; the client id at Cognito',
  },
  ConsoleClients: {
    modes,
    Type: 'String',
    Default: '',
    AllowedPattern: '([^,\\s]+(,[^,\\s]+)*)?',
    Description: 'Clients with which users sign in, separated by commas; the API for clients refuses their tokens',
  },
  ConsoleOrigins: {
    modes,
    Type: 'String',
    Default: '',
    AllowedPattern: '(https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(,https://[A-Za-z0-9.-]+(:[0-9]{1,5})?)*)?',
    Description:
      'Further origins that the console connects to, separated by commas: the token endpoint, evidence files',
  },
  EvidenceCorsOrigin: {
    modes: ['standalone'],
    Type: 'String',
    Default: '',
    AllowedPattern: `(${origin})?`,
    Description: 'Origin of the console, such as the output WebUrl; its pages may read and upload evidence',
  },
  UserClaim: {
    modes,
    Type: 'String',
    Default: 'sub',
    AllowedPattern: '[A-Za-z0-9_:./-]+',
    Description: 'Claim of the access token with the id of the user, such as oid at Entra ID',
  },
  UserNameClaim: {
    modes,
    Type: 'String',
    Default: 'name',
    AllowedPattern: '[A-Za-z0-9_:./-]+',
    Description: 'Claim of the access token with the name of the user, for histories',
  },
  FourEyes: {
    modes: ['standalone'],
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description: 'Whether only a person who saved no revision of a draft may publish it as a policy',
  },
  ...Object.fromEntries(
    Object.entries(accessParameters).map(([name, parameter]) => [
      name,
      { modes: ['connected'], Type: 'String', ...parameter } satisfies TokenParameter,
    ]),
  ),
};
