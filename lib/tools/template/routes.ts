import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { liveArn } from './resources/cloudformation.ts';
import { byFunction } from './token-parameters.ts';

/* What each route of an HTTP API has: its function, and who may call it. */

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
export const integration = (functionName: string) => ({
  type: 'aws_proxy',
  httpMethod: 'POST',
  payloadFormatVersion: '2.0',
  timeoutInMillis: 30_000,
  credentials: roleArnFor(functionName),
  uri: invocationUri(functionName),
});

/** Returns a public operation, with the parameters of its path. */
export const opened = (functionName: string, name: string, ...parameters: readonly string[]) => ({
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
export const securityOf = (scope: string) => ({
  'Fn::If': [byFunction, [{ function: [] }], [{ jwt: [{ 'Fn::Join': ['', [{ Ref: 'ScopePrefix' }, scope]] }] }]],
});

/** The authorizer of an API, for the tokens with an audience. Its function knows the API by the stage. */
export const securitySchemes = (audience: object) => ({
  'Fn::If': [byFunction, { function: functionAuthorizer }, { jwt: jwtAuthorizer(audience) }],
});
