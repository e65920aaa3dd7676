import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import type { Credentials } from './client-credentials.ts';
import {
  adopt,
  type CredentialsState,
  otherVersions,
  type Pin,
  readCurrent,
  readVersion,
} from './credentials-in-use.ts';
import type { TokenFailure, TokenResult } from './token-response.ts';

/*
 * The search for a version of the secret that the token endpoint accepts. A rotation changes the valid version, and the
 * server may know the new one earlier or later than Secrets Manager.
 */

export type Attempt<Value> = (credentials: Credentials) => Promise<TokenResult<Value>>;

export type SearchState = CredentialsState & {
  /** The VersionId that last succeeded, unless it was rejected since. */
  proven?: string;
  /** The versions that were rejected since the last success, by id, oldest first. */
  readonly rejected: Map<string, { readonly at: Stamp; readonly candidate: Candidate }>;
  /** Set while all versions are rejected. */
  closed?: ClientRejection;
  /** The last rejection. */
  lastRejection?: Pick<TokenFailure, 'kind' | 'reason'>;
  /** The last time that a broken connection led to attempts with other certificates. */
  doubtedAt?: Stamp;
  /** The running search for a valid version; never rejects. */
  search?: Promise<void>;
};
/** The state of a client whose versions are all rejected, until one succeeds. */
type ClientRejection = {
  /** The last time that the secret was checked for a new version. */
  checkedAt: Stamp;
  /** The VersionId of AWSCURRENT at that time. */
  version?: string;
  /** The number and the last time of probes with a rejected version. The first time is that of the last rejection. */
  probes: number;
  probedAt: Stamp;
};
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

/** A version whose connection broke: its certificate may be the cause. */
export type Doubt = { readonly doubt: TokenFailure; readonly digest: string; readonly versionId: string };

/** The result for some credentials: a token, or a doubt that other credentials may resolve. */
type AttemptResult<Value> =
  | { readonly won: { readonly value: Value; readonly credentials: Credentials } }
  | Doubt
  | undefined;

const maxTries = 3;
/** Servers lock out clients that repeat a wrong secret. */
export const rejectionPause = 60_000;
/** The certificate is seldom the cause of a broken connection. */
const minDoubtInterval = 60_000;
/** With three versions that is ten requests in the first hour, and six in each later one. */
const probeIntervals = [60_000, 240_000] as const;
const maxProbeInterval = 600_000;

/** Iterates over the versions to try, the likeliest first. Each is read only after the previous one was rejected. */
async function* candidates(context: SearchState, signal: AbortSignal): AsyncGenerator<Candidate> {
  const first = await readCurrent(context, signal);
  yield { credentials: first, pin: context.pin };
  yield* otherVersions(context, signal);
}

/** While all versions are rejected, a rejection does not expire. */
const wasRejected = ({ clock, rejected, closed }: SearchState, versionId: string): boolean => {
  const at = rejected.get(versionId)?.at;
  return at !== undefined && (closed !== undefined || elapsed(clock, at) < rejectionPause);
};

export const mayDoubt = ({ clock, doubtedAt }: SearchState): boolean =>
  doubtedAt === undefined || elapsed(clock, doubtedAt) >= minDoubtInterval;

export const errorOf = ({ kind, reason, retryAfterMs }: TokenFailure): AccessError =>
  new AccessError(kind, reason, retryAfterMs);

/** Returns the error during the pause after all versions were rejected. */
export const allRejectedError = ({ lastRejection }: SearchState, retryAfterMs: number): AccessError => {
  const { kind, reason } = lastRejection ?? { kind: 'ClientRejected', reason: 'invalid_client' };
  return new AccessError(kind, reason, retryAfterMs);
};

/** Returns undefined when the server rejects the credentials. */
export const tryOne = async <Value>(
  context: SearchState,
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
      context.onEvent({ type: 'another client secret used', stage: pin.stage, versionId });
    }
    adopt(context, credentials, pin);
    context.proven = versionId;
    context.rejected.clear();
    delete context.closed;
    return { won: { value: outcome.value, credentials } };
  }
  const { failure } = outcome;
  if (failure.isUnreached === true) context.isUnreached = true;
  if (failure.version === undefined) throw errorOf(failure);
  if (identity !== context.current?.identity) credentials.agent.close().catch(() => undefined);
  if (failure.version === 'doubted') return { doubt: failure, digest: identity.digest, versionId };
  context.lastRejection = failure;
  // Moves the version to the end: the first one is the longest untried.
  context.rejected.delete(versionId);
  context.rejected.set(versionId, { at: stamp(context.clock), candidate: { credentials, pin } });
  if (context.proven === versionId) delete context.proven;
  return undefined;
};

/** Returns the number of versions that are not tried for now. */
const countRejected = (context: SearchState): number =>
  [...context.rejected.keys()].filter((versionId) => wasRejected(context, versionId)).length;

const closeClient = (context: SearchState): AccessError => {
  const now = stamp(context.clock);
  context.closed ??= { checkedAt: now, probes: 0, probedAt: now };
  context.closed.checkedAt = now;
  context.onEvent({ type: 'all client secrets rejected', tries: countRejected(context), retryAfterMs: rejectionPause });
  return allRejectedError(context, rejectionPause);
};

/**
 * Tries the versions, and remembers rejected ones for a while, even when the search is aborted.
 *
 * @param doubt the doubt of a version that is not tried again
 */
export const searchVersions = async <Value>(
  context: SearchState,
  attempt: Attempt<Value>,
  signal: AbortSignal,
  doubt: Doubt | undefined,
) => {
  const before = context.closed === undefined ? 0 : countRejected(context);
  const doubted = new Map(doubt === undefined ? [] : [[doubt.digest, doubt]]);
  for await (const { credentials, pin } of candidates(context, signal)) {
    const { versionId, identity } = credentials;
    const isDoubted = [...doubted.values()].some((version) => version.versionId === pin?.insteadOf);
    const candidate = { credentials, pin: pin && isDoubted ? { ...pin, isDoubted } : pin };
    if (doubted.has(identity.digest)) continue;
    if (wasRejected(context, versionId)) {
      context.onEvent({ type: 'client secret skipped', reason: 'refused', versionId });
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
  for (const version of doubted.values()) throw errorOf(version.doubt);
  throw closeClient(context);
};

/** Returns the rejected version that is due for a probe: the one in use and another one alternate. */
const dueProbe = ({ clock, closed, rejected, current, lastRejection }: SearchState): Candidate | undefined => {
  if (closed === undefined) return undefined;
  // A rejected certificate does not lock the client out.
  const interval = lastRejection?.kind === 'CertificateInvalid' ? rejectionPause : probeIntervals[closed.probes];
  if (elapsed(clock, closed.probedAt) < (interval ?? maxProbeInterval)) return undefined;
  const inUse = rejected.get(current?.versionId ?? '');
  const other = [...rejected.values()].find((version) => version !== inUse);
  const [first, second] = closed.probes % 2 === 0 ? [inUse, other] : [other, inUse];
  return (first ?? second)?.candidate;
};

const readAgain = async (context: SearchState, signal: AbortSignal): Promise<string | undefined> => {
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
export const searchAgain = async <Value>(
  context: SearchState,
  closed: ClientRejection,
  attempt: Attempt<Value>,
  signal: AbortSignal,
) => {
  const version = await readAgain(context, signal);
  const isNew = version !== undefined && version !== closed.version && !context.rejected.has(version);
  closed.checkedAt = stamp(context.clock);
  if (version !== undefined) closed.version = version;
  if (isNew) return searchVersions(context, attempt, signal, undefined);
  const probe = dueProbe(context);
  if (probe === undefined) throw allRejectedError(context, rejectionPause);
  closed.probes += 1;
  closed.probedAt = stamp(context.clock);
  const tried = await tryOne(context, attempt, probe);
  if (tried === undefined) throw closeClient(context);
  if ('won' in tried) return tried.won;
  throw errorOf(tried.doubt);
};
