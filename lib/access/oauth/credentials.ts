import type { Agent } from '../net/agent.ts';
import { elapsed, stamp } from '../net/clock.ts';
import { isTimedOut, orAbort } from '../net/deadline.ts';
import { AccessError } from './access-error.ts';
import { createCertificateFallback } from './certificate-fallback.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import {
  type CredentialsOptions,
  doubtedCurrent,
  isCorrectionDue,
  isSuccessorDue,
  readCurrent,
} from './credentials-in-use.ts';
import {
  allRejectedError,
  type Attempt,
  type Doubt,
  errorOf,
  mayDoubt,
  rejectionPause,
  searchAgain,
  searchVersions,
  type SearchState,
  tryOne,
} from './version-search.ts';

export type CredentialsStore = {
  /** The credentials that last succeeded, or were last read. */
  readonly inUse: () => Credentials | undefined;
  /** Whether the secret is due to be read. */
  readonly isDue: () => boolean;
  readonly read: (signal: AbortSignal) => Promise<Credentials>;
  /**
   * Tries the credentials in use. When the server rejects them, it tries those that a rotation may have made valid.
   *
   * @throws {AccessError}
   */
  readonly use: <Value>(
    attempt: Attempt<Value>,
    signal: AbortSignal,
  ) => Promise<{ value: Value; credentials: Credentials }>;
  /** Records the connections over which the API has responded. */
  readonly take: (agent: Agent) => void;
  /**
   * Records that the API seems to reject a certificate. Returns whether another certificate is in use now: the one that
   * the API last accepted, or that of another version.
   */
  readonly replaceCertificate: (agent: Agent, rejection: CertificateRejection, signal: AbortSignal) => Promise<boolean>;
  /** Records that a server was not reached: its address or its roots in the secret may have been corrected. */
  readonly noteUnreached: () => void;
  /** Whether current or former connections are valid: their certificate must not have expired. */
  readonly isValid: (agent: Agent) => boolean;
  /** Ends all connections at once. */
  readonly end: () => Promise<void>;
};

const waitFor = async (other: Promise<void>, signal: AbortSignal): Promise<void> => {
  try {
    await orAbort(other, signal);
  } catch (error) {
    throw isTimedOut(signal) ? new AccessError('IdpUnavailable', 'timeout') : error;
  }
};

/** Makes other calls wait for a search. */
const startSearch = <Found>(context: SearchState, searching: Promise<Found>): Promise<Found> => {
  const end = () => void delete context.search;
  context.search = searching.then(end, end);
  return searching;
};

/** Tries AWSCURRENT again, when only its connection broke before. If that fails, the next request uses the other one. */
const tryDoubted = async <Value>(context: SearchState, attempt: Attempt<Value>, signal: AbortSignal) => {
  const { pin } = context;
  if (pin?.isDoubted !== true || !mayDoubt(context)) return undefined;
  const credentials = await doubtedCurrent(context, signal);
  if (credentials === undefined || credentials.versionId !== pin.insteadOf) return undefined;
  context.doubtedAt = stamp(context.clock);
  const tried = await tryOne(context, attempt, { credentials, pin: undefined });
  if (tried === undefined) context.pin = { ...pin, isDoubted: false };
  return tried !== undefined && 'won' in tried ? tried.won : undefined;
};

/**
 * Uses the valid version. While none is known, one call searches for all, because several scopes may need tokens at
 * once.
 */
const useCredentials = async <Value>(context: SearchState, attempt: Attempt<Value>, signal: AbortSignal) => {
  for (;;) {
    const { closed } = context;
    const sinceCheck = closed === undefined ? rejectionPause : elapsed(context.clock, closed.checkedAt);
    if (sinceCheck < rejectionPause) throw allRejectedError(context, rejectionPause - sinceCheck);
    if (context.search === undefined && closed !== undefined)
      return startSearch(context, searchAgain(context, closed, attempt, signal));
    const credentials = await readCurrent(context, signal);
    const won = await tryDoubted(context, attempt, signal);
    if (won !== undefined) return won;
    let doubt: Doubt | undefined;
    if (credentials.versionId === context.proven) {
      const tried = await tryOne(context, attempt, { credentials, pin: context.pin });
      if (tried !== undefined && 'won' in tried) return tried.won;
      if (tried !== undefined && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubt = tried;
      if (doubt !== undefined) context.doubtedAt = stamp(context.clock);
    }
    if (context.search === undefined) return startSearch(context, searchVersions(context, attempt, signal, doubt));
    await waitFor(context.search, signal);
  }
};

/**
 * Manages the client's credentials during a rotation of their secret. For a while the server may accept only the
 * previous or the next version. The valid one is used until AWSCURRENT changes. At most three versions are tried. Then
 * the secret is checked for a new version once a minute.
 */
export const createCredentials = (options: CredentialsOptions): CredentialsStore => {
  const context: SearchState = { ...options, former: new Map(), rejected: new Map() };
  return {
    inUse: () => context.current,
    isDue: () => !options.source.isFresh(options.secretId) || isSuccessorDue(context) || isCorrectionDue(context),
    read: (signal) => readCurrent(context, signal),
    use: (attempt, signal) => useCredentials(context, attempt, signal),
    ...createCertificateFallback(context),
    noteUnreached: () => {
      context.isUnreached = true;
    },
    isValid: (agent) => {
      const { current, former } = context;
      const until = agent === current?.agent ? current.identity.notAfter : (former.get(agent) ?? 0);
      return options.clock.now() <= until;
    },
    end: async () => {
      const agents = [...context.former.keys(), ...(context.current === undefined ? [] : [context.current.agent])];
      await Promise.all(agents.map((agent) => agent.end()));
    },
  };
};
