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
  isSuccessorDue,
  otherVersions,
  type Pin,
  readCurrent,
  readVersion,
} from './credentials-in-use.ts';
import type { Outcome, TokenFailure } from './token-response.ts';

type Attempt<Value> = (credentials: Credentials) => Promise<Outcome<Value>>;

export type CredentialsStore = {
  /** The credentials that worked last, or were read last. */
  readonly inUse: () => Credentials | undefined;
  /** Whether the secret should be looked at again. */
  readonly isDue: () => boolean;
  readonly read: (signal: AbortSignal) => Promise<Credentials>;
  /**
   * Tries the credentials in use and, where the server refuses them, those that a rotation may have made valid.
   *
   * @throws {AccessError}
   */
  readonly use: <Value>(
    attempt: Attempt<Value>,
    signal: AbortSignal,
  ) => Promise<{ value: Value; credentials: Credentials }>;
  /** Hears by which connections the API has answered. */
  readonly take: (agent: Agent) => void;
  /**
   * Hears that the API seems to refuse a certificate. Says whether another is in use now: that which it took last, or one
   * of another version.
   */
  readonly replaceCertificate: (
    agent: Agent,
    rejectionPauseMs: CertificateRejection,
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** Whether connections that are or were in use can be used: not once their certificate has expired. */
  readonly isValid: (agent: Agent) => boolean;
  /** Ends all connections at once. */
  readonly end: () => Promise<void>;
};

type Context = CredentialsState & {
  /** The VersionId that worked last, unless it was refused since. */
  proven?: string;
  /** Versions that were refused since one last worked, by their id, the first one first. */
  readonly refused: Map<string, { readonly at: Stamp; readonly candidate: Candidate }>;
  /** That all were. */
  closed?: ClientRejection;
  /** How the last one was. */
  lastRefusal?: Pick<TokenFailure, 'kind' | 'reason'>;
  /** When a broken connection last had other certificates tried. */
  doubtedAt?: Stamp;
  /** The search for a version that works, while it is under way; never rejects. */
  search?: Promise<void>;
};
/** A client that is refused altogether: what is done until one of its versions works. */
type ClientRejection = {
  /** When it was last looked whether there is a new version. */
  lookedAt: Stamp;
  /** The VersionId that AWSCURRENT had then. */
  version?: string;
  /** How often a version that was refused was tried again, and when: at first, when all were refused. */
  probes: number;
  probedAt: Stamp;
};
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

/** What the server gave for some credentials, or why it may give it for others. */
type AttemptResult<Value> =
  | { readonly won: { readonly value: Value; readonly credentials: Credentials } }
  | { readonly doubt: TokenFailure; readonly digest: string }
  | undefined;

const maxTries = 3;
/** Servers lock clients out that keep coming with a wrong secret. */
const refusal = 60_000;
/** With three versions that are ten requests in the first hour, and six in each later one. */
const probeIntervals = [60_000, 240_000] as const;
const maxProbeInterval = 600_000;
/** A broken connection seldom comes from the certificate. */
const minDoubtInterval = 60_000;

/** The versions to try, the likeliest first; each is read only when the one before was refused. */
async function* candidates(context: Context, signal: AbortSignal): AsyncGenerator<Candidate> {
  const first = await readCurrent(context, signal);
  yield { credentials: first, pin: context.pin };
  yield* otherVersions(context, signal);
}

/** While all are refused none counts as good again, however long that lasts. */
const wasRejected = ({ clock, refused, closed }: Context, versionId: string): boolean => {
  const at = refused.get(versionId)?.at;
  return at !== undefined && (closed !== undefined || elapsed(clock, at) < refusal);
};

const mayDoubt = ({ clock, doubtedAt }: Context): boolean =>
  doubtedAt === undefined || elapsed(clock, doubtedAt) >= minDoubtInterval;

const errorOf = ({ kind, reason, retryAfterMs }: TokenFailure): AccessError =>
  new AccessError(kind, reason, retryAfterMs);

/** Why none is asked for a while. */
const allRejectedError = ({ lastRefusal }: Context, retryAfterMs: number): AccessError => {
  const { kind, reason } = lastRefusal ?? { kind: 'ClientRejected', reason: 'invalid_client' };
  return new AccessError(kind, reason, retryAfterMs);
};

/** Undefined when the server refuses the credentials. */
const tryOne = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  { credentials, pin }: Candidate,
): Promise<AttemptResult<Value>> => {
  const { versionId, identity } = credentials;
  const before = context.current?.versionId;
  const outcome = await attempt(credentials);
  // Others may have gone on to a newer version meanwhile: this one was still good for a token.
  if (outcome.ok && context.current?.versionId !== before) return { won: { value: outcome.value, credentials } };
  if (outcome.ok) {
    if (pin !== undefined) {
      context.onDecision({ type: 'previous client secret used', stage: pin.stage, versionId });
    }
    adopt(context, credentials, pin);
    context.proven = versionId;
    context.refused.clear();
    delete context.closed;
    return { won: { value: outcome.value, credentials } };
  }
  const { fault } = outcome;
  if (fault.version === undefined) throw errorOf(fault);
  if (identity !== context.current?.identity) credentials.agent.close().catch(() => undefined);
  if (fault.version === 'doubted') return { doubt: fault, digest: identity.digest };
  context.lastRefusal = fault;
  // Once more at the end: the first one is that which was not tried for longest.
  context.refused.delete(versionId);
  context.refused.set(versionId, { at: stamp(context.clock), candidate: { credentials, pin } });
  if (context.proven === versionId) delete context.proven;
  return undefined;
};

/** How many versions are left alone. */
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
 * A version that was refused is left alone for a while even when the search that found it out was cut short.
 *
 * @param doubt that of a version which is not tried again
 */
const search = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  signal: AbortSignal,
  doubt: Extract<AttemptResult<Value>, { doubt: TokenFailure }> | undefined,
) => {
  const before = context.closed === undefined ? 0 : countRejected(context);
  const doubted = new Map(doubt === undefined ? [] : [[doubt.digest, doubt.doubt]]);
  for await (const candidate of candidates(context, signal)) {
    const { versionId, identity } = candidate.credentials;
    if (doubted.has(identity.digest)) continue;
    if (wasRejected(context, versionId)) {
      context.onDecision({ type: 'client secret skipped', reason: 'refused', versionId });
      continue;
    }
    const tried = await tryOne(context, attempt, candidate);
    if (tried !== undefined && 'won' in tried) return tried.won;
    if (tried !== undefined) {
      if (doubted.size === 0 && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubted.set(tried.digest, tried.doubt);
      context.doubtedAt = stamp(context.clock);
    }
    if (countRejected(context) - before + doubted.size >= maxTries) break;
  }
  // What was only doubted is not refused: it may work in a moment.
  for (const fault of doubted.values()) throw errorOf(fault);
  throw closeClient(context);
};

/** A version that is worth another request although it was refused: in turn the one in use, and one of the others. */
const dueProbe = ({ clock, closed, refused, current, lastRefusal }: Context): Candidate | undefined => {
  if (closed === undefined) return undefined;
  // A certificate that is not taken locks nobody out.
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
 * Looks once a minute whether there is a new version, which is tried at once. Those that were refused are tried again
 * seldom: servers lock clients out, and a client of many containers asks many times as often.
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

/** Has others wait for a search. */
const startSearch = <Found>(context: Context, searching: Promise<Found>): Promise<Found> => {
  const end = () => void delete context.search;
  context.search = searching.then(end, end);
  return searching;
};

/** Tokens of several scopes may be wanted at once: until a version is known to work, one of them tries it for all. */
const useCredentials = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  for (;;) {
    const { closed } = context;
    const refusedFor = closed === undefined ? refusal : elapsed(context.clock, closed.lookedAt);
    if (refusedFor < refusal) throw allRejectedError(context, refusal - refusedFor);
    if (context.search === undefined && closed !== undefined)
      return startSearch(context, searchAgain(context, closed, attempt, signal));
    const credentials = await readCurrent(context, signal);
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
 * The client's credentials through a rotation of their secret. For a while the server may know only the version before
 * or the version after: whichever works is used until AWSCURRENT changes. At most three are tried; then a new version is
 * looked for once a minute.
 */
export const createCredentials = (options: CredentialsOptions): CredentialsStore => {
  const context: Context = { ...options, former: new Map(), refused: new Map() };
  return {
    inUse: () => context.current,
    isDue: () => !options.source.isFresh(options.secretId) || isSuccessorDue(context),
    read: (signal) => readCurrent(context, signal),
    use: (attempt, signal) => useCredentials(context, attempt, signal),
    ...createCertificateFallback(context),
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
