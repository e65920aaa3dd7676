import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { isTimedOut, orAbort } from '../net/deadline.ts';
import { AccessError } from './access-error.ts';
import { certificateAtApi } from './certificate-at-api.ts';
import type { CertificateRefusal } from './certificate-refusal.ts';
import type { Credentials } from './client-credentials.ts';
import {
  adopt,
  isSuccessorDue,
  otherVersions,
  readCurrent,
  type CredentialsOptions,
  type InUse,
  type Pin,
} from './credentials-in-use.ts';
import type { Outcome, TokenFault } from './outcome.ts';

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
  readonly replaceCertificate: (agent: Agent, refusal: CertificateRefusal, signal: AbortSignal) => Promise<boolean>;
  /** Whether connections that are or were in use can be used: not once their certificate has expired. */
  readonly isValid: (agent: Agent) => boolean;
  /** Ends all connections at once. */
  readonly end: () => Promise<void>;
};

type Context = InUse & {
  /** The VersionId that worked last, unless it was refused since. */
  proven?: string;
  /** VersionIds that were refused since one last worked. */
  readonly refused: Map<string, Stamp>;
  /** When all were. */
  refusedAt?: Stamp;
  /** How the last one was. */
  lastRefusal?: Pick<TokenFault, 'kind' | 'reason'>;
  /** When a broken connection last had other certificates tried. */
  doubtedAt?: Stamp;
  /** The search for a version that works, while it is under way; never rejects. */
  search?: Promise<void>;
};
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

/** What the server gave for some credentials, or why it may give it for others. */
type Tried<Value> =
  | { readonly won: { readonly value: Value; readonly credentials: Credentials } }
  | { readonly doubt: TokenFault; readonly digest: string }
  | undefined;

const mostTries = 3;
/** Servers lock clients out that keep coming with a wrong secret. */
const refusal = 60_000;
/** A broken connection seldom comes from the certificate. */
const leastDoubtInterval = 60_000;

/** The versions to try, the likeliest first; each is read only when the one before was refused. */
async function* candidates(context: Context, signal: AbortSignal): AsyncGenerator<Candidate> {
  const first = await readCurrent(context, signal);
  yield { credentials: first, pin: context.pin };
  yield* otherVersions(context, signal);
}

const wasRefused = ({ clock }: Context, at: Stamp | undefined): boolean =>
  at !== undefined && elapsed(clock, at) < refusal;

const mayDoubt = ({ clock, doubtedAt }: Context): boolean =>
  doubtedAt === undefined || elapsed(clock, doubtedAt) >= leastDoubtInterval;

const errorOf = ({ kind, reason, retryAfterMs }: TokenFault): AccessError =>
  new AccessError(kind, reason, retryAfterMs);

/** Why none is asked for a while. */
const allRefused = ({ lastRefusal }: Context, retryAfterMs: number): AccessError => {
  const { kind, reason } = lastRefusal ?? { kind: 'ClientRejected', reason: 'invalid_client' };
  return new AccessError(kind, reason, retryAfterMs);
};

/** Undefined when the server refuses the credentials. */
const tryOne = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  { credentials, pin }: Candidate,
): Promise<Tried<Value>> => {
  const { versionId, identity } = credentials;
  const before = context.current?.versionId;
  const outcome = await attempt(credentials);
  // Others may have gone on to a newer version meanwhile: this one was still good for a token.
  if (outcome.ok && context.current?.versionId !== before) return { won: { value: outcome.value, credentials } };
  if (outcome.ok) {
    if (pin !== undefined) {
      context.onDecision({ type: 'client secret in use is not the current one', stage: pin.stage, versionId });
    }
    adopt(context, credentials, pin);
    context.proven = versionId;
    context.refused.clear();
    return { won: { value: outcome.value, credentials } };
  }
  const { fault } = outcome;
  if (fault.version === undefined) throw errorOf(fault);
  if (identity !== context.current?.identity) credentials.agent.close().catch(() => undefined);
  if (fault.version === 'doubted') return { doubt: fault, digest: identity.digest };
  context.lastRefusal = fault;
  context.refused.set(versionId, stamp(context.clock));
  if (context.proven === versionId) delete context.proven;
  return undefined;
};

/** How many versions are left alone. */
const refusedNow = (context: Context): number =>
  [...context.refused.values()].filter((at) => wasRefused(context, at)).length;

/**
 * A version that was refused is left alone for a while even when the search that found it out was cut short.
 *
 * @param doubt that of a version which is not tried again
 */
const search = async <Value>(
  context: Context,
  attempt: Attempt<Value>,
  signal: AbortSignal,
  doubt: Extract<Tried<Value>, { doubt: TokenFault }> | undefined,
) => {
  const { refused } = context;
  const doubted = new Map(doubt === undefined ? [] : [[doubt.digest, doubt.doubt]]);
  for await (const candidate of candidates(context, signal)) {
    const { versionId, identity } = candidate.credentials;
    if (doubted.has(identity.digest)) continue;
    if (wasRefused(context, refused.get(versionId))) {
      context.onDecision({ type: 'client secret not tried', reason: 'refused', versionId });
      continue;
    }
    const tried = await tryOne(context, attempt, candidate);
    if (tried !== undefined && 'won' in tried) return tried.won;
    if (tried !== undefined) {
      if (doubted.size === 0 && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubted.set(tried.digest, tried.doubt);
      context.doubtedAt = stamp(context.clock);
    }
    if (refusedNow(context) + doubted.size >= mostTries) break;
  }
  // What was only doubted is not refused: it may work in a moment.
  for (const fault of doubted.values()) throw errorOf(fault);
  context.refusedAt = stamp(context.clock);
  context.onDecision({ type: 'every client secret refused', tries: refusedNow(context), retryAfterMs: refusal });
  throw allRefused(context, refusal);
};

const waitFor = async (other: Promise<void>, signal: AbortSignal): Promise<void> => {
  try {
    await orAbort(other, signal);
  } catch (error) {
    throw isTimedOut(signal) ? new AccessError('IdpUnavailable', 'timeout') : error;
  }
};

/** Tokens of several scopes may be wanted at once: until a version is known to work, one of them tries it for all. */
const use = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  for (;;) {
    const refusedFor = context.refusedAt === undefined ? refusal : elapsed(context.clock, context.refusedAt);
    if (refusedFor < refusal) throw allRefused(context, refusal - refusedFor);
    const credentials = await readCurrent(context, signal);
    let doubt: Extract<Tried<Value>, { doubt: TokenFault }> | undefined;
    if (credentials.versionId === context.proven) {
      const tried = await tryOne(context, attempt, { credentials, pin: context.pin });
      if (tried !== undefined && 'won' in tried) return tried.won;
      if (tried !== undefined && !mayDoubt(context)) throw errorOf(tried.doubt);
      doubt = tried;
      if (doubt !== undefined) context.doubtedAt = stamp(context.clock);
    }
    if (context.search === undefined) {
      const searching = search(context, attempt, signal, doubt);
      const end = () => void delete context.search;
      context.search = searching.then(end, end);
      return searching;
    }
    await waitFor(context.search, signal);
  }
};

/**
 * The client's credentials through a rotation of their secret. For a while the server may know only the version before
 * or the version after: whichever works is used until AWSCURRENT changes. At most three are tried, then none for 60 s.
 */
export const createCredentials = (options: CredentialsOptions): CredentialsStore => {
  const context: Context = { ...options, former: new Map(), refused: new Map() };
  return {
    inUse: () => context.current,
    isDue: () => !options.source.isFresh(options.secretId) || isSuccessorDue(context),
    read: (signal) => readCurrent(context, signal),
    use: (attempt, signal) => use(context, attempt, signal),
    ...certificateAtApi(context),
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
