import type { ServerOptions } from 'node:https';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { routesOf } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { type Answer, startServer, type TestServer } from '../http-server.ts';
import { exampleAnswer } from '../example-answer.ts';
import { type Proxy, startProxy } from '../proxy.ts';
import { type SecretVersions, startSecretVersions } from '../secret-versions.ts';
import { startTokenEndpoint, type TokenEndpoint } from '../token-endpoint.ts';
import { allClaims, apiEvent, type ApiEventOptions } from './api-event.ts';
import type { Container, Invoked } from './container.ts';
import { apiBodyOf, deploymentOf, startPackaged } from './packaged.ts';

/** A dependency of the connected mode's function. */
export type Dependency = 'api' | 'idp' | 'secrets';

export type OwnOutside = AsyncDisposable & {
  readonly container: Container;
  readonly api: TestServer;
  /** Responses of the API to use instead, one request each. */
  readonly answers: Answer[];
  readonly idp: TokenEndpoint;
  readonly secrets: SecretVersions;
  /** Each dependency is reached only through its own proxy. */
  readonly proxies: Readonly<Record<Dependency, Proxy>>;
  readonly server: (dependency: Dependency) => TestServer;
  /** Makes a dependency wait for a promise before it answers. */
  readonly hold: (dependency: Dependency, until: Promise<void> | undefined) => void;
  /** Asks for a return that the API has: by default as a caller with all scopes. */
  readonly invoke: (timeoutMs?: number, eventOptions?: ApiEventOptions) => Promise<Invoked>;
};

export type OutsideOptions = {
  readonly clientSecret: string;
  /** The other fields of the secret. */
  readonly secret?: Readonly<Record<string, string | undefined>>;
  /** The TLS options of the token endpoint and the API. */
  readonly tls?: ServerOptions;
  /** @default every level */
  readonly logLevel?: string;
  /** The function's key. @default getReturn */
  readonly key?: string;
};

/** Returns the answer of a service that speaks the contract. */
const goodOf = (key: string): Answer => ({ status: 200, body: JSON.stringify(exampleAnswer(key)) });

/** Seconds. Longer than any container is idle: the client must end the connection. */
const keepAliveSeconds = 350;

/** Starts a function of the connected mode from its zip, with the test's own servers for all its dependencies. */
export const startOwnOutside = async (stack: StackInfo, options: OutsideOptions): Promise<OwnOutside> => {
  const { clientSecret, secret = {}, tls, logLevel = 'debug', key = 'getReturn' } = options;
  const closers = openClosers();
  const own = <Server extends AsyncDisposable>(server: Server): Server => {
    closers.add(async () => server[Symbol.asyncDispose]());
    return server;
  };
  let held: Promise<void> | undefined;
  const answers: Answer[] = [];
  const api = own(
    await startServer(async () => {
      await held;
      return answers.shift() ?? goodOf(key);
    }, tls),
  );
  const idp = own(await startTokenEndpoint([clientSecret], tls));
  const text = JSON.stringify({ clientId: 'returns-client', clientSecret, ...secret });
  const secrets = own(await startSecretVersions({ versionId: 'v1', text }));
  for (const server of [api, idp.server, secrets.server]) server.setIdleTime(keepAliveSeconds);
  const proxies = {
    api: own(await startProxy(api.origin)),
    idp: own(await startProxy(idp.server.origin)),
    secrets: own(await startProxy(secrets.server.origin)),
  };
  const deployment = await deploymentOf('connected', stack);
  const spec = functionSpecs(deployment).find((one) => one.key === key);
  const route = routesOf(apiBodyOf(deployment, 'Api')).find(({ functionArn }) => functionArn === spec?.arn);
  if (spec === undefined || route === undefined) throw new Error(`there is no function ${key} with a route`);
  const container = own(
    await startPackaged('connected', spec, stack, {
      SERVICE_URL: proxies.api.origin,
      AUTH_URL: proxies.idp.origin,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: proxies.secrets.origin,
      LOG_LEVEL: logLevel,
    }),
  );
  return {
    container,
    api,
    answers,
    idp,
    secrets,
    proxies,
    server: (dependency) => ({ api, idp: idp.server, secrets: secrets.server })[dependency],
    hold: (dependency, until) => {
      if (dependency === 'api') held = until;
      else if (dependency === 'secrets') secrets.hold = until;
      else idp.always = until === undefined ? undefined : () => until.then(() => undefined);
    },
    invoke: (timeoutMs, eventOptions) =>
      container.invoke(apiEvent(route, { claims: allClaims, ...eventOptions }), timeoutMs),
    [Symbol.asyncDispose]: closers.close,
  };
};
