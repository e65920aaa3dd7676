import type { Context } from 'aws-lambda';
import { authorizeCaller, type AuthorizerEvent } from '../../../lib/edge/authorizer/authorize.ts';
import { getReturn } from '../../../lib/contract/operations.ts';
import { ok } from '../../../lib/runtime/result.ts';
import { operation } from '../../../lib/edge/http/operation.ts';
import { FunctionError, type Invoke } from '../../../lib/tools/local/emulators/functions.ts';
import { startGateway } from '../../../lib/tools/local/emulators/gateway/gateway.ts';
import type { ApiBody } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import { setEnvironment } from '../../support/environment.ts';
import { packaged, type Parameters } from '../../support/roles.ts';
import { startIssuer, type SignOptions, type TestIssuer } from './issuer-server.ts';
import type { IssuerCase } from './issuer-tokens.ts';

export const read = { method: 'GET', path: '/v1/returns/ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' };
export const approve = { method: 'POST', path: `${read.path}/approve` };

type Response = { readonly status: number; readonly challenge: string | null; readonly body: unknown };

export type World = AsyncDisposable & {
  readonly issuer: TestIssuer;
  /** Sends a request with a token. Null sends no header. */
  readonly send: (token: string | null, route?: typeof read) => Promise<Response>;
  /** Signs a token of the issuer with these scopes. */
  readonly token: (
    scopes: readonly string[],
    claims?: Readonly<Record<string, unknown>>,
    options?: SignOptions,
  ) => Promise<string>;
  /** The names of the functions that the gateway has invoked. */
  readonly invoked: string[];
};

const noChecks = { path: () => true, query: () => true, body: () => true };

/** Returns the caller that the pipeline derives. */
const showCaller = operation(getReturn, noChecks, async (_, { caller }) =>
  // The test reads the caller from the response. A return is not needed.
  ok({ status: 200, body: caller as never }),
);

const variablesOf = ({ TokenIssuer, TokenAudience, ...others }: Parameters) => ({
  TOKEN_ISSUER: TokenIssuer,
  TOKEN_AUDIENCE: TokenAudience,
  TOKEN_AUTHORIZER: others['TokenAuthorizer'],
  CLIENT_CLAIM: others['ClientClaim'] ?? 'client_id',
  SCOPE_CLAIM: others['ScopeClaim'] ?? '',
  SCOPE_PREFIX: others['ScopePrefix'] ?? '',
  CONSOLE_AUDIENCE: others['ConsoleAudience'] ?? '',
  CONSOLE_CLIENTS: others['ConsoleClients'] ?? '',
  USER_CLAIM: others['UserClaim'] ?? '',
  USER_NAME_CLAIM: others['UserNameClaim'] ?? '',
});

/**
 * Starts an issuer, and the gateway of a stage that accepts its tokens. The routes and the authorizers are those of the
 * packaged template. Every route leads to one operation, which responds with its caller.
 *
 * @param authorizer replaces that of the case
 * @param logicalId the API: that of clients, or `Web` for users
 */
export const startWorld = async (
  { path, parameters, header, claims }: IssuerCase,
  authorizer: 'gateway' | 'function' = parameters.TokenAuthorizer,
  logicalId: 'Api' | 'Web' = 'Api',
): Promise<World> => {
  const issuer = await startIssuer(path);
  const values = { ...parameters, TokenIssuer: issuer.issuer, TokenAuthorizer: authorizer };
  const deployment = await packaged('standalone', values);
  const propertiesOf = (type: string, name: string) =>
    deployment.ofType(type).find((resource) => resource.logicalId === name)?.properties ?? {};
  const { Body: body } = propertiesOf('AWS::ApiGatewayV2::Api', logicalId) as { readonly Body: ApiBody };
  const { StageVariables: stageVariables = {} } = propertiesOf('AWS::ApiGatewayV2::Stage', `${logicalId}Stage`) as {
    readonly StageVariables?: Readonly<Record<string, string>>;
  };
  setEnvironment(variablesOf(values));
  const authorize = authorizeCaller();
  const invoked: string[] = [];
  const invoke: Invoke = async (arn, event) => {
    const name = /-(\w+):live$/.exec(arn)?.[1] ?? '';
    invoked.push(name);
    const copy: unknown = JSON.parse(JSON.stringify(event));
    const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
    try {
      return await (name === 'authorize' ? authorize(copy as AuthorizerEvent) : showCaller(copy, context));
    } catch (cause) {
      throw new FunctionError(`${name} failed`, { cause });
    }
  };
  const name = logicalId === 'Api' ? 'api' : 'web';
  const gateway = await startGateway({ name, body, stageVariables, port: 0, invoke });
  return {
    issuer,
    invoked,
    token: (scopes, changes = {}, options = {}) =>
      issuer.sign({ ...claims(scopes), ...changes }, { ...options, header: { ...header, ...options.header } }),
    send: async (token, { method, path: url } = read) => {
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`${gateway.url}${url}`, { method, headers });
      return {
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        body: await response.json(),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await issuer[Symbol.asyncDispose]();
    },
  };
};
