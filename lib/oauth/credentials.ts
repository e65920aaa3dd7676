import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { isTimedOut, orAbort } from '../net/deadline.ts';
import type { Secret, Stage } from '../secrets/secret.ts';
import { AccessError } from './access-error.ts';
import type { Credentials } from './client-credentials.ts';
import {
  adopt,
  build,
  isSuccessorDue,
  readCurrent,
  readVersion,
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
  /** The search for a version that works, while it is under way; never rejects. */
  search?: Promise<void>;
};
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

const mostTries = 3;
/** Servers lock clients out that keep coming with a wrong secret. */
const refusal = 60_000;

const candidateFrom = async (context: Context, stage: Stage, signal: AbortSignal): Promise<Secret | undefined> => {
  try {
    return await readVersion(context, stage, signal, true);
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    return undefined;
  }
};

/** The versions to try, the likeliest first; each is read only when the one before was refused. */
async function* candidates(context: Context, signal: AbortSignal): AsyncGenerator<Candidate> {
  const first = await readCurrent(context, signal);
  yield { credentials: first, pin: context.pin };
  const current = await candidateFrom(context, 'AWSCURRENT', signal);
  for (const stage of ['AWSCURRENT', 'AWSPREVIOUS', 'AWSPENDING'] as const) {
    const secret = stage === 'AWSCURRENT' ? current : await candidateFrom(context, stage, signal);
    if (secret === undefined) continue;
    try {
      const pin = stage === 'AWSCURRENT' || current === undefined ? undefined : { stage, insteadOf: current.versionId };
      yield { credentials: build(context, secret, stage), pin };
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      context.onDecision({ type: 'client secret not tried', reason: error.reason, versionId: secret.versionId });
    }
  }
}

const wasRefused = ({ clock }: Context, at: Stamp | undefined): boolean =>
  at !== undefined && elapsed(clock, at) < refusal;

/** Whether another version of the secret may fare better: it holds the client's secret and its certificate. */
const isOfVersion = ({ kind, reason }: TokenFault): boolean =>
  reason === 'invalid_client' || (kind === 'CertificateInvalid' && reason === 'refused');

/** Why none is asked for a while. */
const allRefused = ({ lastRefusal }: Context, retryAfterMs: number): AccessError => {
  const { kind, reason } = lastRefusal ?? { kind: 'ClientRejected', reason: 'invalid_client' };
  return new AccessError(kind, reason, retryAfterMs);
};

/** What the server gives for these credentials; undefined when it refuses them. */
const tryOne = async <Value>(context: Context, attempt: Attempt<Value>, { credentials, pin }: Candidate) => {
  const { versionId } = credentials;
  const before = context.current?.versionId;
  const outcome = await attempt(credentials);
  // Others may have gone on to a newer version meanwhile: this one was still good for a token.
  if (outcome.ok && context.current?.versionId !== before) return { value: outcome.value, credentials };
  if (outcome.ok) {
    if (pin !== undefined) {
      context.onDecision({ type: 'client secret in use is not the current one', stage: pin.stage, versionId });
    }
    adopt(context, credentials, pin);
    context.proven = versionId;
    context.refused.clear();
    return { value: outcome.value, credentials };
  }
  const { kind, reason, retryAfterMs } = outcome.fault;
  if (!isOfVersion(outcome.fault)) throw new AccessError(kind, reason, retryAfterMs);
  context.lastRefusal = { kind, reason };
  context.refused.set(versionId, stamp(context.clock));
  if (context.proven === versionId) delete context.proven;
  if (credentials.identity !== context.current?.identity) credentials.agent.close().catch(() => undefined);
  return undefined;
};

/** How many versions are left alone. */
const refusedNow = (context: Context): number =>
  [...context.refused.values()].filter((at) => wasRefused(context, at)).length;

/** A version that was refused is left alone for a while even when the search that found it out was cut short. */
const search = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  const { refused } = context;
  for await (const candidate of candidates(context, signal)) {
    const { versionId } = candidate.credentials;
    if (wasRefused(context, refused.get(versionId))) {
      context.onDecision({ type: 'client secret not tried', reason: 'refused', versionId });
      continue;
    }
    const won = await tryOne(context, attempt, candidate);
    if (won !== undefined) return won;
    if (refusedNow(context) >= mostTries) break;
  }
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
    if (credentials.versionId === context.proven) {
      const won = await tryOne(context, attempt, { credentials, pin: context.pin });
      if (won !== undefined) return won;
    }
    if (context.search === undefined) {
      const searching = search(context, attempt, signal);
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
