import type { ServerOptions } from 'node:https';
import type { Check, Report } from '../../../lib/tools/doctor/check.ts';
import { accessPart } from '../../../lib/tools/doctor/checks/access.ts';
import type { Settings } from '../../../lib/tools/doctor/checks/configuration.ts';
import { examine } from '../../../lib/tools/doctor/examine.ts';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { type Answer, type Respond, startServer, type TestServer } from '../../support/http-server.ts';
import { type SecretVersions, startSecretVersions } from '../../support/secret-versions.ts';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.ts';

/** Every secret of these tests contains this text, so that output can be searched for it. */
export const marker = 'marker-d0c7';
export const clientSecret = `secret+&=% ${marker}`;

type World = {
  /** Fields of the secret besides the client id and the client secret, or the whole text of the secret. */
  readonly secret?: Readonly<Record<string, unknown>> | string;
  readonly tls?: ServerOptions;
};

export type Harness = AsyncDisposable & {
  readonly secrets: SecretVersions;
  readonly idp: TokenEndpoint;
  readonly api: TestServer & {
    /** Other answers of the API, by path. */
    readonly instead: Map<string, Answer | Respond>;
  };
  /** Runs all checks, with the given changes of the settings. */
  readonly examine: (settings?: Partial<Settings>, limitMs?: number) => Promise<Report>;
};

/** Starts Secrets Manager, a token endpoint and an API as real servers, with a doctor that asks them. */
export const startWorld = async ({ secret = {}, tls }: World = {}): Promise<Harness> => {
  const idp = await startTokenEndpoint([clientSecret], tls);
  const instead = new Map<string, Answer | Respond>();
  const server = await startServer((request) => {
    const { path, headers } = request;
    const scripted = instead.get(path);
    if (scripted !== undefined) return typeof scripted === 'function' ? scripted(request) : scripted;
    if (path === '/v1/health') return { status: 200, body: '{"status":"ok"}' };
    const knows = path === '/v1/returns?limit=1' && headers.authorization === 'Bearer token-1';
    return { status: knows ? 200 : 401, body: '{"items":[],"nextCursor":null}' };
  }, tls);
  const whole = { clientId: 'returns-client', clientSecret, ...(typeof secret === 'string' ? {} : secret) };
  const text = typeof secret === 'string' ? secret : JSON.stringify(whole);
  const secrets = await startSecretVersions({ versionId: 'v1', text });
  return {
    secrets,
    idp,
    api: { ...server, instead },
    examine: (settings, limitMs = 20_000) =>
      examine({
        parts: [
          accessPart({
            settings: {
              serviceUrl: server.origin,
              authUrl: idp.server.origin,
              clientSecretId: 'returns/client',
              access: {},
              ...settings,
            },
            source: createSecretSource({ client: secrets.client, clock: systemClock, random: () => 0.5 }),
          }),
        ],
        limitMs,
        clock: systemClock,
        traceId: '0'.repeat(31) + '1',
      }),
    [Symbol.asyncDispose]: async () => {
      await idp[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await secrets[Symbol.asyncDispose]();
    },
  };
};

/** Returns one row of a report. */
export const row = ({ checks }: Report, name: string): Check => {
  const found = checks.find(({ check }) => check === name);
  if (found === undefined) throw new Error(`there is no check ${name}`);
  return found;
};

/** Returns the names of the checks with one status. */
export const withStatus = ({ checks }: Report, status: Check['status']): readonly string[] =>
  checks.filter((check) => check.status === status).map(({ check }) => check);
