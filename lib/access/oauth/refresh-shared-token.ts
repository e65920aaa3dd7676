import { errorName } from '../../runtime/log.ts';
import type { Clock } from '../net/clock.ts';
import { notFound, SecretUnavailable } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { AccessError } from './access-error.ts';
import { tokenKey } from './client-credentials.ts';
import type { CredentialsStore } from './credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import { hardAge, softAge } from './lifetime.ts';
import { digestOf, parseSharedToken, sharedAge, sharedTokenText, type SharedToken } from './shared-token.ts';
import { requestToken, type StampedToken } from './token-request.ts';

export type SharedTokenRefresh = {
  readonly credentials: CredentialsStore;
  /** The API that the tokens are for. */
  readonly resource: string;
  /** The source of the stored tokens. It must not cache, because another run may have written meanwhile. */
  readonly source: SecretSource;
  /** Replaces the text of a secret. */
  readonly write: (secretId: string, text: string, signal: AbortSignal) => Promise<void>;
  /** Milliseconds between two runs. */
  readonly periodMs: number;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onEvent: OnAccessEvent;
};

/** The result for one set of scopes. After a failure the stored token stays. */
export type SharedTokenOutcome = {
  readonly action: 'unchanged' | 'renewed' | 'not_granted' | 'failed';
  /** One word. `short_lived`: the renewed token expires before its next renewal. */
  readonly reason?: string;
  /** The lifetime of the stored token, if known. */
  readonly lifetimeMs?: number;
};

/**
 * Secrets Manager stores every version for a day, and 100 in all: one every 15 minutes stays below that.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const minInterval = 15 * 60_000;

/**
 * Returns the age from which a stored token is renewed. It is early enough that no container finds the token ageing,
 * even if one run fails. It adds half a period, because runs are not exactly a period apart.
 *
 * @param periodMs the time between two runs
 */
export const dueAge = (lifetimeMs: number, periodMs: number): number =>
  Math.max(softAge(lifetimeMs, 0) - 2.5 * periodMs, minInterval);

const readStoredToken = async (
  { source, signal }: SharedTokenRefresh,
  secretId: string,
): Promise<SharedToken | undefined> => {
  try {
    return parseSharedToken((await source.read(secretId, { signal, force: true })).text);
  } catch (error) {
    if (error instanceof SecretUnavailable && error.reason === notFound) return undefined;
    throw error;
  }
};

const isDue = (token: SharedToken, key: string, { clock, periodMs }: SharedTokenRefresh): boolean => {
  const age = sharedAge(token, clock.now());
  return age === undefined || age >= dueAge(token.lifetimeMs, periodMs) || token.digest !== digestOf(key);
};

const renewToken = async (
  run: SharedTokenRefresh,
  scopes: readonly string[],
  secretId: string,
  stored: SharedToken | undefined,
): Promise<SharedTokenOutcome> => {
  const { credentials, resource, clock, random, signal, onEvent } = run;
  const { value: token, credentials: won } = await credentials.use<StampedToken>(
    (tried) => requestToken({ credentials: tried, scopes, attempts: 2, signal, clock, random, onEvent }),
    signal,
  );
  const key = tokenKey(won, scopes, resource);
  // AWSCURRENT does not work, and the stored token is of the version that does. Else each run would store a version.
  if (stored !== undefined && !isDue(stored, key, run)) return { action: 'unchanged', lifetimeMs: stored.lifetimeMs };
  const { lifetimeMs } = token;
  if (lifetimeMs === 0) return { action: 'failed', reason: 'expires_in' };
  await run.write(secretId, sharedTokenText({ ...token, key }), signal);
  const lasts = hardAge(lifetimeMs) >= dueAge(lifetimeMs, run.periodMs);
  return { action: 'renewed', lifetimeMs, ...(lasts ? {} : { reason: 'short_lived' }) };
};

/**
 * Whether the client may not have these scopes. It then needs no token for them, and a call with them reports the
 * error.
 */
const isNotGranted = ({ reason }: AccessError): boolean =>
  reason === 'invalid_scope' || reason === 'insufficient_scope' || reason === 'scope';

const toFailedOutcome = (error: unknown): SharedTokenOutcome => {
  if (error instanceof AccessError) {
    return { action: isNotGranted(error) ? 'not_granted' : 'failed', reason: error.reason };
  }
  return { action: 'failed', reason: error instanceof SecretUnavailable ? error.reason : errorName(error) };
};

/**
 * Renews the stored token of all containers when it is due, missing, or of other credentials. Two concurrent runs
 * obtain two valid tokens, and the last written one stays.
 *
 * @param scopes sorted
 */
export const refreshSharedToken = async (
  run: SharedTokenRefresh,
  scopes: readonly string[],
  secretId: string,
): Promise<SharedTokenOutcome> => {
  try {
    const { credentials, resource, signal } = run;
    // It adopts a new AWSCURRENT: the credentials may be those of an earlier run.
    const inUse = await credentials.read(signal);
    const token = await readStoredToken(run, secretId);
    if (token !== undefined && !isDue(token, tokenKey(inUse, scopes, resource), run)) {
      return { action: 'unchanged', lifetimeMs: token.lifetimeMs };
    }
    return await renewToken(run, scopes, secretId, token);
  } catch (error) {
    return toFailedOutcome(error);
  }
};
