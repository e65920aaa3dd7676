import { nextTurn } from '../net/background.ts';
import { type Clock, elapsed } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { splitAddress } from '../runtime/address.ts';
import { type Secret, SecretUnavailable } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { tokenKey } from './client-credentials.ts';
import type { CredentialsStore } from './credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import type { AccessToken } from './lifetime.ts';
import { adoptSharedToken, parseSharedToken } from './shared-token.ts';
import type { FlightOptions } from './token-flight.ts';
import { requestToken, tokenLimit } from './token-request.ts';

type SharedTokenRead = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** What the token must belong to. */
  readonly holder: Pick<AccessToken, 'key' | 'agent'>;
  /** What it is to take the place of: only a token that was asked for later can. */
  readonly previous: AccessToken | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onDecision: OnAccessEvent;
};

/** Milliseconds that a look may cost a call. */
const sharedTimeoutMs = 500;

const checkSharedToken = (read: Secret | SecretUnavailable, { holder, clock, previous }: SharedTokenRead) => {
  if (read instanceof SecretUnavailable) return read.reason;
  const adopted = adoptSharedToken(parseSharedToken(read.text), holder, clock);
  const isNewer = typeof adopted === 'string' || previous === undefined || adopted.sentAt.wall > previous.sentAt.wall;
  return isNewer ? adopted : 'no_newer';
};

/**
 * The token that is kept for all containers, if it can be used: whatever is wrong with it, or with where it is kept, is
 * told as a decision and no failure.
 */
const readUsableToken = async (look: SharedTokenRead): Promise<AccessToken | undefined> => {
  const { source, secretId, signal, clock, onDecision } = look;
  using limit = deadline(clock, sharedTimeoutMs, signal);
  const read = await source
    .read(secretId, { force: true, signal: limit.signal })
    .catch((error: unknown) => (error instanceof SecretUnavailable ? error : new SecretUnavailable('unknown')));
  const found = checkSharedToken(read, look);
  if (typeof found === 'string') {
    onDecision({ type: 'shared token read', outcome: found });
    return undefined;
  }
  onDecision({ type: 'shared token read', outcome: 'used', ageMs: Math.round(elapsed(clock, found.sentAt)) });
  return found;
};

export type ObtainOptions = {
  readonly credentials: CredentialsStore;
  /** The API that the tokens are for. */
  readonly resource: string;
  /** Where tokens for all containers are kept, if anywhere: the id of a secret by scopes, sorted. */
  readonly sharedTokenIds: ReadonlyMap<string, string> | undefined;
  readonly source: SecretSource;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onDecision: OnAccessEvent;
};

const requestOwnToken = async (
  { credentials, resource, clock, random, onDecision }: ObtainOptions,
  scopes: readonly string[],
  attempts: number,
  surrounding: AbortSignal,
): Promise<AccessToken> => {
  const { origin: api } = splitAddress(resource);
  // A slow read of the secret is not held against the token endpoint.
  if (credentials.inUse() === undefined) await credentials.read(surrounding);
  using limit = deadline(clock, tokenLimit, surrounding);
  const { signal } = limit;
  const won = await credentials.use(async (tried) => {
    const asking = requestToken({ credentials: tried, scopes, attempts, signal, clock, random, onDecision });
    const unprepare = tried.agent.prepare(api);
    const outcome = await asking;
    if (!outcome.ok) await unprepare();
    return outcome;
  }, signal);
  return { ...won.value, key: tokenKey(won.credentials, scopes, resource), agent: won.credentials.agent };
};

const findSharedToken = async (
  { credentials, resource, sharedTokenIds, source, clock, onDecision }: ObtainOptions,
  scopes: readonly string[],
  signal: AbortSignal,
  previous: AccessToken | undefined,
): Promise<AccessToken | undefined> => {
  const secretId = sharedTokenIds?.get(scopes.join(' '));
  if (secretId === undefined) return undefined;
  const known = credentials.inUse();
  const inUse = known ?? (await credentials.read(signal));
  inUse.agent.prepare(splitAddress(resource).origin);
  // undici lends a connection again in the loop's next turn: the one by which the client secret came.
  if (known === undefined) await nextTurn();
  const holder = { key: tokenKey(inUse, scopes, resource), agent: inUse.agent };
  return readUsableToken({ source, secretId, holder, previous, signal, clock, onDecision });
};

/**
 * Obtains tokens for this container: that which all containers share where there is one that can be used, else one of
 * its own. Connections to the API begin meanwhile, so that the call which waits does not wait for them afterwards.
 */
export const obtainToken =
  (obtaining: ObtainOptions): FlightOptions['obtain'] =>
  async (scopes, attempts, signal, previous) =>
    (await findSharedToken(obtaining, scopes, signal, previous)) ??
    requestOwnToken(obtaining, scopes, attempts, signal);
