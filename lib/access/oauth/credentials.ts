import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { isTimedOut, orAbort } from '../net/deadline.ts';
import { AccessError } from './access-error.ts';
import { createCertificateFallback } from './certificate-fallback.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import {
  adopt,
  type CredentialsOptions,
  type CredentialsState,
  doubtedCurrent,
  isCorrectionDue,
  isSuccessorDue,
  otherVersions,
  type Pin,
  readCurrent,
  readVersion,
} from './credentials-in-use.ts';
import type { Outcome, TokenFailure } from './token-response.ts';

type Attempt<Value> = (credentials: Credentials) => Promise<Outcome<Value>>;

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
  readonly replaceCertificate: (agent: Agent, refusal: CertificateRejection, signal: AbortSignal) => Promise<boolean>;
  /** Records that a server was not reached: its address or its roots in the secret may have been corrected. */
  readonly noteUnreached: () => void;
  /** Whether current or former connections are valid: their certificate must not have expired. */
  readonly isValid: (agent: Agent) => boolean;
  /** Ends all connections at once. */
  readonly end: () => Promise<void>;
};

type Context = CredentialsState & {
  /** The VersionId that last succeeded, unless it was rejected since. */
  proven?: string;
  /** The versions that were rejected since the last success, by id, oldest first. */
  readonly refused: Map<string, { readonly at: Stamp; readonly candidate: Candidate }>;
  /** Set while all versions are rejected. */
  closed?: ClientRejection;
  /** The last rejection. */
  lastRefusal?: Pick<TokenFailure, 'kind' | 'reason'>;
  /** The last time that a broken connection led to attempts with other certificates. */
  doubtedAt?: Stamp;
  /** The running search for a valid version; never rejects. */
  search?: Promise<void>;
};
/** The state of a client whose versions are all rejected, until one succeeds. */
type ClientRejection = {
  /** The last time that the secret was checked for a new version. */
  lookedAt: Stamp;
  /** The VersionId of AWSCURRENT at that time. */
  version?: string;
  /** The number and the last time of probes with a rejected version. The first time is that of the last rejection. */
  probes: number;
  probedAt: Stamp;
};
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

/** The result for some credentials: a token, or a doubt that other credentials may resolve. */
type AttemptResult<Value> =
  | { readonly won: { readonly value: Value; readonly credentials: Credentials } }
  | { readonly doubt: TokenFailure; readonly digest: string; readonly versionId: string }
  | undefined;

const maxTries = 3;
/** Servers lock out clients that repeat a wrong secret. */
const refusal = 60_000;
/** With three versions that is ten requests in the first hour, and six in each later one. */
const probeIntervals = [60_000, 240_000] as const;
const maxProbeInterval = 600_000;
/** The certificate is seldom the cause of a broken connection. */
const minDoubtInterval = 60_000;

/** Iterates over the versions to try, the likeliest first. Each is read only after the previous one was rejected. */
async function* candidates(context: Context, signal: AbortSignal): AsyncGenerator<Candidate> {
  const first = await readCurrent(context, signal);
  yield { credentials: first, pin: context.pin };
  yield* otherVersions(context, signal);
}

/** While all versions are rejected, a rejection does not expire. */
const wasRejected = ({ clock, refused, closed }: Context, versionId: string): boolean => {
  const at = refused.get(versionId)?.at;
  return at !== undefined && (closed !== undefined || elapsed(clock, at) < refusal);
};

const mayDoubt = ({ clock, doubtedAt }: Context): boolean =>
  doubtedAt === undefined || elapsed(clock, doubtedAt) >= minDoubtInterval;

const errorOf = ({ kind, reason, retryAfterMs }: TokenFailure): AccessError =>
  new AccessError(kind, reason, retryAfterMs);

/** Returns the error during the pause after all versions were rejected. */
const allRejectedError = ({ lastRefusal }: Context, retryAfterMs: number): AccessError => {
  const { kind, reason } = lastRefusal ?? { kind: 'ClientRejected', reason: 'invalid_client' };
  return new AccessError(kind, reason, retryAfterMs);
};

/** Returns undefined when the server rejects the credentials. */
const tryOne = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  { credentials, pin }: Candidate,
): Promise<AttemptResult<Value>> => {
  const { versionId, identity } = credentials;
  const before = context.current?.versionId;
  const outcome = await attempt(credentials);
  // Another call has adopted a newer version meanwhile; the token of this one is still valid.
  if (outcome.ok && context.current?.versionId !== before) return { won: { value: outcome.value, credentials } };
  if (outcome.ok) {
    if (pin !== undefined) {
      context.onDecision({ type: 'another client secret used', stage: pin.stage, versionId });
    }
    adopt(context, credentials, pin);
    context.proven = versionId;
    context.refused.clear();
    delete context.closed;
    return { won: { value: outcome.value, credentials } };
  }
  const { fault } = outcome;
  if (fault.isUnreached === true) context.isUnreached = true;
  if (fault.version === undefined) throw errorOf(fault);
  if (identity !== context.current?.identity) credentials.agent.close().catch(() => undefined);
  if (fault.version === 'doubted') return { doubt: fault, digest: identity.digest, versionId };
  context.lastRefusal = fault;
  // Moves the version to the end: the first one is the longest untried.
  context.refused.delete(versionId);
  context.refused.set(versionId, { at: stamp(context.clock), candidate: { credentials, pin } });
  if (context.proven === versionId) delete context.proven;
  return undefined;
};

/** Returns the number of versions that are not tried for now. */
const countRejected = (context: Context): number =>
  [...context.refused.keys()].filter((versionId) => wasRejected(context, versionId)).length;

const closeClient = (context: Context): AccessError => {
  const now = stamp(context.clock);
  context.closed ??= { lookedAt: now, probes: 0, probedAt: now };
  context.closed.lookedAt = now;
  context.onDecision({ type: 'all client secrets rejected', tries: countRejected(context), retryAfterMs: refusal });
  return allRejectedError(context, refusal);
};

/**
 * Tries the versions, and remembers rejected ones for a while, even when the search is aborted.
 *
 * @param doubt the doubt of a version that is not tried again
 */
const search = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  signal: AbortSignal,
  doubt: Extract<AttemptResult<Value>, { doubt: TokenFailure }> | undefined,
) => {
  const before = context.closed === undefined ? 0 : countRejected(context);
  const doubted = new Map(doubt === undefined ? [] : [[doubt.digest, doubt]]);
  for await (const { credentials, pin } of candidates(context, signal)) {
    const { versionId, identity } = credentials;
    const isDoubted = [...doubted.values()].some((one) => one.versionId === pin?.insteadOf);
    const candidate = { credentials, pin: pin && isDoubted ? { ...pin, isDoubted } : pin };
    if (doubted.has(identity.digest)) continue;
    if (wasRejected(context, versionId)) {
      context.onDecision({ type: 'client secret skipped', reason: 'refused', versionId });
      continue;
    }
    const tried = await tryOne(context, attempt, candidate);
    if (tried !== undefined && 'won' in tried) return tried.won;
    if (tried !== undefined) {
      if (doubted.size === 0 && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubted.set(tried.digest, tried);
      context.doubtedAt = stamp(context.clock);
    }
    if (countRejected(context) - before + doubted.size >= maxTries) break;
  }
  // A doubted version is not rejected, and may succeed soon.
  for (const one of doubted.values()) throw errorOf(one.doubt);
  throw closeClient(context);
};

/** Returns the rejected version that is due for a probe: the one in use and another one alternate. */
const dueProbe = ({ clock, closed, refused, current, lastRefusal }: Context): Candidate | undefined => {
  if (closed === undefined) return undefined;
  // A rejected certificate does not lock the client out.
  const interval = lastRefusal?.kind === 'CertificateInvalid' ? refusal : probeIntervals[closed.probes];
  if (elapsed(clock, closed.probedAt) < (interval ?? maxProbeInterval)) return undefined;
  const inUse = refused.get(current?.versionId ?? '');
  const other = [...refused.values()].find((one) => one !== inUse);
  const [first, second] = closed.probes % 2 === 0 ? [inUse, other] : [other, inUse];
  return (first ?? second)?.candidate;
};

const readAgain = async (context: Context, signal: AbortSignal): Promise<string | undefined> => {
  try {
    return (await readVersion(context, 'AWSCURRENT', signal, true)).versionId;
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    return undefined;
  }
};

/**
 * Checks once a minute for a new version, and tries it at once. Rejected versions are probed seldom: servers lock
 * clients out, and each container of the client sends its own requests.
 */
const searchAgain = async <Value>(
  context: Context,
  closed: ClientRejection,
  attempt: Attempt<Value>,
  signal: AbortSignal,
) => {
  const version = await readAgain(context, signal);
  const isNew = version !== undefined && version !== closed.version && !context.refused.has(version);
  closed.lookedAt = stamp(context.clock);
  if (version !== undefined) closed.version = version;
  if (isNew) return search(context, attempt, signal, undefined);
  const probe = dueProbe(context);
  if (probe === undefined) throw allRejectedError(context, refusal);
  closed.probes += 1;
  closed.probedAt = stamp(context.clock);
  const tried = await tryOne(context, attempt, probe);
  if (tried === undefined) throw closeClient(context);
  if ('won' in tried) return tried.won;
  throw errorOf(tried.doubt);
};

const waitFor = async (other: Promise<void>, signal: AbortSignal): Promise<void> => {
  try {
    await orAbort(other, signal);
  } catch (error) {
    throw isTimedOut(signal) ? new AccessError('IdpUnavailable', 'timeout') : error;
  }
};

/** Makes other calls wait for a search. */
const startSearch = <Found>(context: Context, searching: Promise<Found>): Promise<Found> => {
  const end = () => void delete context.search;
  context.search = searching.then(end, end);
  return searching;
};

/** Tries AWSCURRENT again, when only its connection broke before. If that fails, the next request uses the other one. */
const tryDoubted = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
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
const useCredentials = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  for (;;) {
    const { closed } = context;
    const refusedFor = closed === undefined ? refusal : elapsed(context.clock, closed.lookedAt);
    if (refusedFor < refusal) throw allRejectedError(context, refusal - refusedFor);
    if (context.search === undefined && closed !== undefined)
      return startSearch(context, searchAgain(context, closed, attempt, signal));
    const credentials = await readCurrent(context, signal);
    const won = await tryDoubted(context, attempt, signal);
    if (won !== undefined) return won;
    let doubt: Extract<AttemptResult<Value>, { doubt: TokenFailure }> | undefined;
    if (credentials.versionId === context.proven) {
      const tried = await tryOne(context, attempt, { credentials, pin: context.pin });
      if (tried !== undefined && 'won' in tried) return tried.won;
      if (tried !== undefined && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubt = tried;
      if (doubt !== undefined) context.doubtedAt = stamp(context.clock);
    }
    if (context.search === undefined) return startSearch(context, search(context, attempt, signal, doubt));
    await waitFor(context.search, signal);
  }
};

/**
 * Manages the client's credentials during a rotation of their secret. For a while the server may accept only the
 * previous or the next version. The valid one is used until AWSCURRENT changes. At most three versions are tried. Then
 * the secret is checked for a new version once a minute.
 */
export const createCredentials = (options: CredentialsOptions): CredentialsStore => {
  const context: Context = { ...options, former: new Map(), refused: new Map() };
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
