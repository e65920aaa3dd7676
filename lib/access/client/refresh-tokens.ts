import type { Context } from 'aws-lambda';
import { createAgent } from '../net/agent.ts';
import { systemClock as clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { type CredentialsStore, createCredentials } from '../oauth/credentials.ts';
import { refreshSharedToken, type SharedTokenOutcome, type SharedTokenRefresh } from '../oauth/refresh-shared-token.ts';
import { refreshConfig, serviceConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import type { Level } from '../../runtime/log-line.ts';
import { log } from '../../runtime/log.ts';
import { putSecret } from '../secrets/fetch-secret.ts';
import { requestHandler } from '../secrets/request-handler.ts';
import { type SecretSource, secretsManager, sourceOf } from '../secrets/source.ts';
import { logAccessEvent as onEvent } from './access-event-log.ts';
import { sharedTokenIds } from './container.ts';

/** The outcome for the token of some scopes. */
type TokenRefresh = SharedTokenOutcome & { readonly scopes: string };

/** Thrown at the end of a run, so that the error metric of the function counts it. */
class TokensNotRefreshed extends Error {
  override readonly name = 'TokensNotRefreshed';
}

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 1_000;
const config = configured(serviceConfig);
const refreshing = configured(refreshConfig);
const { random } = Math;

/** The credentials know which versions were rejected. Servers lock out clients that repeat a wrong secret. */
type Container = {
  readonly credentials: CredentialsStore;
  /** The source of the present run. Each run reads the secrets again. */
  source: SecretSource;
};
const cached = perContainer((): { container?: Container } => ({}));

const open = (first: SecretSource): Container => {
  const { authUrl, serviceAccess, clientSecretId: secretId } = config();
  const source: SecretSource = {
    read: (id, options) => container.source.read(id, options),
    isFresh: (id) => container.source.isFresh(id),
  };
  const credentials = createCredentials({ source, secretId, authUrl, serviceAccess, clock, onEvent });
  const container: Container = { credentials, source: first };
  return container;
};

const levelOf = ({ action, reason }: SharedTokenOutcome): Level => {
  if (action === 'failed') return 'error';
  return action === 'not_granted' || reason !== undefined ? 'warn' : 'info';
};

/** One after another: a rejected client secret is not sent again for other scopes. */
const refreshAll = async (run: SharedTokenRefresh): Promise<readonly TokenRefresh[]> => {
  const refreshes: TokenRefresh[] = [];
  for (const [scopes, id] of sharedTokenIds()) {
    const refreshed = { scopes, ...(await refreshSharedToken(run, scopes.split(' '), id)) };
    log(levelOf(refreshed), 'shared token checked', refreshed);
    refreshes.push(refreshed);
  }
  return refreshes;
};

/**
 * Renews due shared tokens. Between two runs, a container retains the credentials only.
 *
 * @throws {TokensNotRefreshed} after all tokens, when one failed
 */
export const refreshTokens = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ readonly tokens: readonly TokenRefresh[] }> => {
  const { serviceUrl: resource } = config();
  const { periodMs } = refreshing();
  const agent = createAgent({ clock });
  const client = secretsManager({ requestHandler: requestHandler(agent) });
  const source = sourceOf(client);
  const container = (cached().container ??= open(source));
  container.source = source;
  using limit = deadline(clock, getRemainingTimeInMillis() - reserveMs);
  const { signal } = limit;
  const write: SharedTokenRefresh['write'] = (id, text, until) => putSecret(client, id, text, until);
  try {
    const tokens = await refreshAll({
      credentials: container.credentials,
      resource,
      source,
      write,
      periodMs,
      clock,
      random,
      signal,
      onEvent,
    });
    const failed = tokens.filter(({ action }) => action === 'failed');
    if (failed.length === 0) return { tokens };
    throw new TokensNotRefreshed(failed.map(({ scopes, reason }) => `${scopes}: ${reason}`).join(', '));
  } finally {
    await agent.end();
  }
};
