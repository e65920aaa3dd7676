import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Agent, createAgent } from '../../../lib/access/net/agent.ts';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { createAccess } from '../../../lib/access/oauth/access.ts';
import { createCredentials } from '../../../lib/access/oauth/credentials.ts';
import type { OnAccessEvent } from '../../../lib/access/oauth/access-event.ts';
import type { AccessToken } from '../../../lib/access/oauth/lifetime.ts';
import { refreshSharedToken, type SharedTokenOutcome } from '../../../lib/access/oauth/refresh-shared-token.ts';
import { putSecret } from '../../../lib/access/secrets/fetch-secret.ts';
import { requestHandler } from '../../../lib/access/secrets/request-handler.ts';
import { pausableClock } from '../../../lib/access/net/pausable-clock.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { type Answer, type Received, startServer, type TestServer } from '../../support/http-server.ts';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.ts';
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { clientSecret, isPause, marker, minute, read, second, secretText } from './harness.ts';

export const period = 5 * minute;

/** The secrets of the template, by scopes. */
const sharedIds: ReadonlyMap<string, string> = new Map([
  ['returns:read', 'shared-read'],
  ['returns:write', 'shared-write'],
]);

type Input = {
  readonly SecretId: string;
  readonly VersionStage?: string;
  readonly SecretString: string;
  readonly ClientRequestToken: string;
};
type Version = { readonly id: string; readonly text: string };

/** One container that is cold until its first token. */
export type Member = {
  readonly access: ReturnType<typeof createAccess>;
  readonly token: (scopes?: readonly string[]) => Promise<AccessToken>;
  readonly text: (scopes?: readonly string[]) => Promise<string>;
};

/** Containers and a refresher that share a token endpoint and a Secrets Manager over HTTP. */
export type Fleet = AsyncDisposable & {
  readonly clock: VirtualClock;
  readonly idp: TokenEndpoint;
  readonly server: TestServer;
  /** Versions of each secret, the current one last. `client` is the secret of the client itself. */
  readonly versions: Map<string, Version[]>;
  /** Responses of Secrets Manager to use instead, by secret, or `put` for every write. */
  readonly faults: Map<string, Answer | Promise<Answer | undefined>>;
  readonly start: (clock?: VirtualClock, onEvent?: OnAccessEvent) => Member;
  /** Runs the refresher once, in a new container. */
  readonly refresh: (clock?: VirtualClock) => Promise<Readonly<Record<string, SharedTokenOutcome>>>;
  readonly posts: () => number;
  /** Returns how often a secret was read. */
  readonly reads: (secretId: string) => number;
  readonly put: (secretId: string, text: string) => void;
  readonly stored: (secretId: string) => string | undefined;
};

const headers = { 'content-type': 'application/x-amz-json-1.1' };
const answer = (status: number, body: object): Answer => ({ status, headers, body: JSON.stringify(body) });

export const awsError = (name: string): Answer => answer(400, { __type: name, message: marker });

const operationOf = (request: Received) => String(request.headers['x-amz-target']).replace('secretsmanager.', '');
const inputOf = ({ body }: Received) => JSON.parse(body) as Input;

const secretsServer = (versions: Fleet['versions'], faults: Fleet['faults']) =>
  startServer(async (request) => {
    const { SecretId, VersionStage, SecretString, ClientRequestToken } = inputOf(request);
    const isPut = operationOf(request) === 'PutSecretValue';
    const fault = await faults.get(isPut ? 'put' : SecretId);
    if (fault !== undefined) return fault;
    const held = versions.get(SecretId) ?? [];
    if (isPut) {
      if (held.every(({ id }) => id !== ClientRequestToken)) held.push({ id: ClientRequestToken, text: SecretString });
      versions.set(SecretId, held);
      return answer(200, { ARN: SecretId, Name: SecretId, VersionId: ClientRequestToken });
    }
    const version = held.at(VersionStage === 'AWSPREVIOUS' ? -2 : -1);
    if (version === undefined || VersionStage === 'AWSPENDING') return awsError('ResourceNotFoundException');
    return answer(200, { ARN: SecretId, Name: SecretId, VersionId: version.id, SecretString: version.text });
  });

export const startFleet = async (text = secretText(clientSecret)): Promise<Fleet> => {
  const clock = virtualClock(isPause);
  const versions: Fleet['versions'] = new Map([['client', [{ id: 'v1', text }]]]);
  const faults: Fleet['faults'] = new Map();
  const idp = await startTokenEndpoint([clientSecret]);
  const server = await secretsServer(versions, faults);
  const agents: Agent[] = [];
  /** Starts a client with its own connections, as each container has. */
  const startClient = () => {
    const agent = createAgent({ clock: systemClock });
    agents.push(agent);
    return new SecretsManagerClient({
      endpoint: server.origin,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 2,
      requestHandler: requestHandler(agent),
    });
  };
  const common = { secretId: 'client', authUrl: idp.server.origin };
  // This origin has open connections already.
  const resource = idp.server.origin;
  const random = () => 0.5;
  return {
    clock,
    idp,
    server,
    versions,
    faults,
    start: (own = clock, onEvent = () => undefined) => {
      const limits = pausableClock(own);
      const source = createSecretSource({ client: startClient(), clock: limits, random });
      const access = createAccess({
        ...common,
        source,
        resource,
        clock: limits,
        random,
        onEvent,
        sharedTokenIds: sharedIds,
      });
      const token: Member['token'] = async (scopes = read) => access.token(scopes, own.now() + 30 * second);
      return { access, token, text: async (scopes) => (await token(scopes)).token.reveal() };
    },
    refresh: async (own = clock) => {
      const client = startClient();
      const source = createSecretSource({ client, clock: own, random });
      const credentials = createCredentials({ ...common, source, clock: own, onEvent: () => undefined });
      const { signal } = new AbortController();
      const write = (id: string, value: string) => putSecret(client, id, value, signal);
      const run = {
        credentials,
        resource,
        source,
        write,
        periodMs: period,
        clock: own,
        random,
        signal,
        onEvent: () => undefined,
      };
      const outcomes: Record<string, SharedTokenOutcome> = {};
      for (const [scopes, id] of sharedIds) outcomes[scopes] = await refreshSharedToken(run, scopes.split(' '), id);
      return outcomes;
    },
    posts: () => idp.server.requests.length,
    reads: (secretId) =>
      server.requests.filter(
        (request) => operationOf(request) === 'GetSecretValue' && inputOf(request).SecretId === secretId,
      ).length,
    put: (secretId, value) => {
      const held = versions.get(secretId) ?? [];
      versions.set(secretId, [...held, { id: `put-${held.length}`, text: value }]);
    },
    stored: (secretId) => versions.get(secretId)?.at(-1)?.text,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(agents.map((agent) => agent.end()));
      await idp[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};
