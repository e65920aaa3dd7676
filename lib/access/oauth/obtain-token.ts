import { nextTurn } from '../net/background.ts';
import { type Clock, elapsed } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { splitAddress } from '../../runtime/address.ts';
import { type Secret, SecretUnavailable } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { tokenKey } from './client-credentials.ts';
import type { CredentialsStore } from './credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import type { AccessToken, TokenBinding } from './lifetime.ts';
import { adoptSharedToken, parseSharedToken } from './shared-token.ts';
import type { FlightOptions } from './token-flight.ts';
import { requestToken, tokenLimit } from './token-request.ts';

type SharedTokenRead = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** The key and connections that the token must have. */
  readonly binding: TokenBinding;
  /** The token to replace. Only a token with a later request can replace it. */
  readonly previous: AccessToken | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onEvent: OnAccessEvent;
};

/** The maximum of milliseconds that the lookup costs a call. */
const sharedTimeoutMs = 500;

const checkSharedToken = (read: Secret | SecretUnavailable, { binding, clock, previous }: SharedTokenRead) => {
  if (read instanceof SecretUnavailable) return read.reason;
  const adopted = adoptSharedToken(parseSharedToken(read.text), binding, clock);
  const isNewer = typeof adopted === 'string' || previous === undefined || adopted.sentAt.wall > previous.sentAt.wall;
  return isNewer ? adopted : 'no_newer';
};

/**
 * Returns the shared token of all containers if it is usable. A failure of the lookup is reported as an event and does
 * not fail the call.
 */
const readUsableToken = async (request: SharedTokenRead): Promise<AccessToken | undefined> => {
  const { source, secretId, signal, clock, onEvent } = request;
  using limit = deadline(clock, sharedTimeoutMs, signal);
  const read = await source
    .read(secretId, { force: true, signal: limit.signal })
    .catch((error: unknown) => (error instanceof SecretUnavailable ? error : new SecretUnavailable('unknown')));
  const found = checkSharedToken(read, request);
  if (typeof found === 'string') {
    onEvent({ type: 'shared token read', outcome: found });
    return undefined;
  }
  onEvent({ type: 'shared token read', outcome: 'used', ageMs: Math.round(elapsed(clock, found.sentAt)) });
  return found;
};

export type ObtainOptions = {
  readonly credentials: CredentialsStore;
  /** The API that the tokens are for. */
  readonly resource: string;
  /** The secret ids of shared tokens by scopes, sorted; undefined when each container has its own tokens. */
  readonly sharedTokenIds: ReadonlyMap<string, string> | undefined;
  readonly source: SecretSource;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onEvent: OnAccessEvent;
};

const requestOwnToken = async (
  { credentials, resource, clock, random, onEvent }: ObtainOptions,
  scopes: readonly string[],
  attempts: number,
  surrounding: AbortSignal,
): Promise<AccessToken> => {
  const { origin: api } = splitAddress(resource);
  // The time of a slow secret read does not count against the token endpoint.
  if (credentials.inUse() === undefined || credentials.isDue()) await credentials.read(surrounding);
  using limit = deadline(clock, tokenLimit, surrounding);
  const { signal } = limit;
  const won = await credentials.use(async (tried) => {
    const requested = requestToken({ credentials: tried, scopes, attempts, signal, clock, random, onEvent });
    const unprepare = tried.agent.prepare(api);
    const outcome = await requested;
    if (!outcome.ok) await unprepare();
    return outcome;
  }, signal);
  return { ...won.value, key: tokenKey(won.credentials, scopes, resource), agent: won.credentials.agent };
};

const findSharedToken = async (
  { credentials, resource, sharedTokenIds, source, clock, onEvent }: ObtainOptions,
  scopes: readonly string[],
  signal: AbortSignal,
  previous: AccessToken | undefined,
): Promise<AccessToken | undefined> => {
  const secretId = sharedTokenIds?.get(scopes.join(' '));
  if (secretId === undefined) return undefined;
  const known = credentials.inUse();
  const inUse = known ?? (await credentials.read(signal));
  inUse.agent.prepare(splitAddress(resource).origin);
  // undici returns the connection of the secret read to its pool in the next turn of the loop.
  if (known === undefined) await nextTurn();
  const binding = { key: tokenKey(inUse, scopes, resource), agent: inUse.agent };
  return readUsableToken({ source, secretId, binding, previous, signal, clock, onEvent });
};

/**
 * Obtains tokens for this container: the shared token of all containers if it is usable, else one of its own.
 * Connections to the API open in parallel, so that the waiting call does not wait for them afterwards.
 */
export const obtainToken =
  (obtaining: ObtainOptions): FlightOptions['obtain'] =>
  async (scopes, attempts, signal, previous) =>
    (await findSharedToken(obtaining, scopes, signal, previous)) ??
    requestOwnToken(obtaining, scopes, attempts, signal);
