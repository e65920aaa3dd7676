import { basePath, pathNames } from '../../contract/operation.ts';
import { contract } from '../../contract/contract.ts';
import { toOperation, type OperationEntry } from '../../contract/entry.ts';
import { customerKey } from './resources/account-template.ts';
import { liveArn, type TemplatePart } from './resources/cloudformation.ts';
import { serversOf } from './resources/domain-template.ts';
import type { Mode } from './functions/function-row.ts';
import { withdrawCondition } from './permissions/secrets.ts';
import { byFunction, servesConsole } from './token-parameters.ts';
import { platformNames } from '../../runtime/platform-names.ts';

/** The address at which API Gateway invokes the live alias of a function. */
const invocationUri = (functionName: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':apigateway:',
      { Ref: 'AWS::Region' },
      ':lambda:path/2015-03-31/functions/',
      liveArn(functionName),
      '/invocations',
    ],
  ],
});

const readingFunctions: ReadonlySet<string> = new Set(
  Object.entries<OperationEntry>(contract).flatMap(([name, { method }]) => (method === 'GET' ? [name] : [])),
);

/** Returns the role with which API Gateway invokes a function. One role for all would exceed the size limit of a role. */
export const gatewayRoleOf = (functionName: string): 'GatewayRole' | 'GatewayReadRole' =>
  readingFunctions.has(functionName) ? 'GatewayReadRole' : 'GatewayRole';

const roleArnFor = (functionName: string) => ({ 'Fn::GetAtt': [gatewayRoleOf(functionName), 'Arn'] });

/** The proxy integration of a function's live alias. */
const integration = (functionName: string) => ({
  type: 'aws_proxy',
  httpMethod: 'POST',
  payloadFormatVersion: '2.0',
  timeoutInMillis: 30_000,
  credentials: roleArnFor(functionName),
  uri: invocationUri(functionName),
});

/** @param audience the accepted audiences, as an intrinsic */
const jwtAuthorizer = (audience: object) => ({
  type: 'oauth2',
  'x-amazon-apigateway-authorizer': {
    type: 'jwt',
    identitySource: '$request.header.Authorization',
    jwtConfiguration: {
      issuer: { Ref: 'TokenIssuer' },
      audience,
    },
  },
});

/**
 * The authorizer function of lib/edge/authorizer. Its response depends on the route, so the route is part of the key of the
 * gateway's cache. The header is the first identity source, which the function reads; without it the gateway responds
 * with 401.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
const functionAuthorizer = {
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authorizer': {
    type: 'request',
    identitySource: ['$request.header.Authorization', '$context.routeKey'],
    authorizerUri: invocationUri('authorize'),
    authorizerCredentials: roleArnFor('authorize'),
    authorizerPayloadFormatVersion: '2.0',
    authorizerResultTtlInSeconds: 300,
    enableSimpleResponses: true,
  },
};

/**
 * The security of a route. A route with the JWT authorizer lists the scope, as tokens name it. A route with an
 * authorizer function cannot list scopes: the function knows those of each route.
 */
const securityOf = (scope: string) => ({
  'Fn::If': [byFunction, [{ function: [] }], [{ jwt: [{ 'Fn::Join': ['', [{ Ref: 'ScopePrefix' }, scope]] }] }]],
});

const operations = () => Object.entries<OperationEntry>(contract).map(([name, entry]) => toOperation(name, entry));

/** Returns the scope of each route that needs one, by its route key. The authorizer function reads it. */
export const routeScopes = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operations().flatMap(({ method, path, scope }) =>
      scope === null ? [] : [[`${method} ${basePath}${path}`, scope]],
    ),
  );

/*
 * HTTP APIs import OpenAPI 3.0, not 3.1, and use only routes, security, integrations and the setting of the default
 * address. So these bodies contain nothing else.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 */

/** The authorizer of an API, for the tokens with an audience. Its function knows the API by the stage. */
const securitySchemes = (audience: object) => ({
  'Fn::If': [byFunction, { function: functionAuthorizer }, { jwt: jwtAuthorizer(audience) }],
});

/** Returns a route for each operation, by path and method. An authorizer checks its scope. */
const operationPaths = () => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations()) {
    (paths[`${basePath}${operation.path}`] ??= {})[operation.method.toLowerCase()] = {
      operationId: operation.name,
      parameters: pathNames(operation).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(operation.scope === null ? {} : { security: securityOf(operation.scope) }),
      responses: { default: { description: 'as lib/contract says' } },
      'x-amazon-apigateway-integration': integration(operation.name),
    };
  }
  return paths;
};

/** The body of the `api` HTTP API, for clients. */
export const apiBody = () => ({
  openapi: '3.0.1',
  info: { title: 'returns', version: '1.0.0' },
  servers: serversOf('Api'),
  paths: operationPaths(),
  components: { securitySchemes: securitySchemes({ 'Fn::Split': [',', { Ref: 'TokenAudience' }] }) },
});

const noValue = { Ref: 'AWS::NoValue' };

/** Returns members that an object has only when the `web` API serves users. */
const forUsers = <Member extends object>(members: Readonly<Record<string, Member>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, { 'Fn::If': [servesConsole, member, noValue] }]),
  );

/** A public operation of the `web` API. */
const opened = (functionName: string, name: string, ...parameters: readonly string[]) => ({
  operationId: name,
  parameters: parameters.map((parameter) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  responses: { default: { description: '' } },
  'x-amazon-apigateway-integration': integration(functionName),
});

/** A public page of the `web` API. */
const page = (...operation: Parameters<typeof opened>) => ({ get: opened(...operation) });

/**
 * The console: its page at each address, and its files below `/console/assets`. A greedy parameter also matches
 * `/console/`, which cannot be a route of an HTTP API.
 */
const consolePages = () => ({
  '/console': page('console', 'console'),
  '/console/{path+}': page('console', 'consolePath', 'path'),
});

/** The page for withdrawals, which posts its forms to itself. The parameter WithdrawPage enables it. */
const withdrawPage = () => ({
  'Fn::If': [
    withdrawCondition,
    { get: opened('withdraw', 'withdraw'), post: opened('withdraw', 'withdrawForm') },
    { Ref: 'AWS::NoValue' },
  ],
});

/**
 * The body of the `web` HTTP API, for browsers. It requires no client certificate, which browsers do not have. The
 * parameter WebApi enables it. Only the standalone mode issues receipts, so only it publishes their keys. With the
 * parameter Console it has the operations too, for tokens of users.
 */
export const webBody = (mode: Mode) => ({
  openapi: '3.0.1',
  info: { title: 'returns web', version: '1.0.0' },
  paths: {
    '/docs': page('docs', 'docs'),
    '/docs/{group}/{page}': page('docs', 'docsPage', 'group', 'page'),
    '/withdraw': withdrawPage(),
    ...(mode === 'standalone' && { '/.well-known/withdrawal-receipts.json': page('receiptKeys', 'receiptKeys') }),
    ...forUsers({ ...consolePages(), ...operationPaths() }),
  },
  components: {
    'Fn::If': [servesConsole, { securitySchemes: securitySchemes([{ Ref: 'ConsoleAudience' }]) }, noValue],
  },
});

/** The search for customers is slow, so that no caller tries many names. */
const searchLimits = { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20 };

/** A count of the saved views reads thousands of rows. */
const countLimits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/** Public routes are slow, so that excess requests invoke no function. */
const publicLimits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/** A first visit of the console loads about twenty files, which its browser then keeps. A team begins at the same time. */
const consoleLimits = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 500 };

/**
 * Returns the limits of single operations, by route key. These are the settings of the `api` API: all other routes have
 * the limits of the stage.
 */
export const operationLimits = () => ({
  ...Object.fromEntries(
    operations()
      .filter(({ scope }) => scope === null)
      .map(({ method, path }) => [`${method} ${basePath}${path}`, publicLimits]),
  ),
  [`POST ${basePath}${contract.searchCustomers.path}`]: searchLimits,
  [`GET ${basePath}${contract.countViews.path}`]: countLimits,
});

const isConsole = (path: string): boolean => path.startsWith('/console');

/**
 * Returns the limits of single routes of the `web` API. The gateway accepts settings only of routes that exist. All
 * other routes have the limits of the stage: those of users with the parameter Console, else those of public routes.
 */
export const webRouteSettings = (mode: Mode) => {
  const { paths } = webBody(mode);
  const pages = Object.keys(paths).filter(
    (path) => !path.startsWith(basePath) && path !== '/withdraw' && !isConsole(path),
  );
  const withdraw = {
    'POST /withdraw': {
      'Fn::If': [
        withdrawCondition,
        { ThrottlingRateLimit: { Ref: 'WithdrawPageRate' }, ThrottlingBurstLimit: { Ref: 'WithdrawPageBurst' } },
        noValue,
      ],
    },
  };
  const users = {
    ...Object.fromEntries(pages.map((path) => [`GET ${path}`, publicLimits])),
    ...operationLimits(),
    ...Object.fromEntries(
      Object.keys(paths)
        .filter(isConsole)
        .map((path) => [`GET ${path}`, consoleLimits]),
    ),
    'GET /withdraw': { 'Fn::If': [withdrawCondition, publicLimits, noValue] },
    ...withdraw,
  };
  return { 'Fn::If': [servesConsole, users, { 'Fn::If': [withdrawCondition, withdraw, noValue] }] };
};

const origin = 'https://([*][.])?[A-Za-z0-9.-]+(:[0-9]{1,5})?';

const withdrawParameters = {
  WithdrawPage: {
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description: 'Whether the API for browsers serves the page at /withdraw; it needs WebApi on',
  },
  WithdrawPageRate: {
    Type: 'Number',
    Default: 5,
    MinValue: 1,
    Description: 'Forms a second that the page at /withdraw accepts',
  },
  WithdrawPageBurst: {
    Type: 'Number',
    Default: 20,
    MinValue: 1,
    Description: 'Burst of forms that the page at /withdraw accepts',
  },
  WithdrawPageFrameAncestors: {
    Type: 'String',
    Default: 'none',
    AllowedPattern: `none|${origin}(,${origin})*`,
    Description:
      'Origins that may show the page at /withdraw in a frame, such as https://shop.example, separated by commas; or none',
  },
  ShopName: {
    Type: 'String',
    Default: '',
    AllowedPattern: '[^\\x00-\\x1f\\x7f]{0,100}',
    Description: 'Name of the shop on the page at /withdraw',
  },
  WithdrawalTimeZone: {
    Type: 'String',
    Default: 'UTC',
    AllowedPattern: '[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}',
    Description: 'Time zone of receipts from the page at /withdraw, such as Europe/Berlin',
  },
};

/** Returns the parameters of the page for withdrawals, and the key that signs its checks. */
export const withdrawTemplate = (): TemplatePart => ({
  Parameters: withdrawParameters,
  Conditions: {
    [withdrawCondition]: {
      'Fn::And': [{ Condition: 'ServesWeb' }, { 'Fn::Equals': [{ Ref: 'WithdrawPage' }, 'on'] }],
    },
  },
  Resources: {
    WithdrawKey: {
      Type: 'AWS::SecretsManager::Secret',
      Condition: withdrawCondition,
      Properties: {
        Description: 'Key that signs the checks of the page for withdrawals',
        KmsKeyId: customerKey,
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      },
    },
  },
});

const receiveWebhook = (name: string, ...parameters: readonly string[]) => {
  const operation = (method: string) => ({
    operationId: `receiveWebhook${name}${method}${parameters.length}`,
    parameters: parameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    responses: { default: { description: '' } },
    'x-amazon-apigateway-integration': integration('receiveWebhook'),
  });
  return { get: operation('Get'), post: operation('Post') };
};

/**
 * The body of the `hooks` HTTP API. It is public, because the platform's signature is the proof. When no header names
 * the shop of a platform, the path does. A GET is a platform's check that the endpoint exists. API Gateway limits the
 * rate of each route separately. Each platform has routes of its own, so that a flood to one does not affect another.
 */
export const hooksBody = () => ({
  openapi: '3.0.1',
  info: { title: 'returns hooks', version: '1.0.0' },
  servers: serversOf('Hooks'),
  paths: {
    ...Object.fromEntries(
      platformNames.flatMap((name) => [
        [`/webhooks/${name}`, receiveWebhook(name)],
        [`/webhooks/${name}/{source}`, receiveWebhook(name, 'source')],
      ]),
    ),
    '/webhooks/{platform}': receiveWebhook('', 'platform'),
    '/webhooks/{platform}/{source}': receiveWebhook('', 'platform', 'source'),
  },
});
