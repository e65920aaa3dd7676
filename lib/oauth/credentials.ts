import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { isTimedOut, orAbort } from '../net/deadline.ts';
import { SecretUnavailable, type Secret, type Stage } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { AccessError } from './access-error.ts';
import { buildCredentials, type Credentials } from './client-credentials.ts';
import type { OnDecision } from './decision.ts';
import type { Outcome } from './outcome.ts';

export type CredentialsOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** Used unless the secret names its own. */
  readonly authUrl: string;
  readonly clock: Clock;
  readonly onDecision: OnDecision;
};

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
};

type Context = CredentialsOptions & {
  current?: Credentials;
  pin?: Pin | undefined;
  /** The VersionId that worked last, unless it was refused since. */
  proven?: string;
  /** VersionIds that were refused since one last worked. */
  readonly refused: Map<string, Stamp>;
  /** When all were. */
  refusedAt?: Stamp;
  /** The search for a version that works, while it is under way; never rejects. */
  search?: Promise<void>;
  /** When a successor of an expired certificate was looked for. */
  expiryNoticedAt?: Stamp;
};
/** That a version which is not AWSCURRENT is in use, its stage, and the VersionId of AWSCURRENT for which that holds. */
type Pin = { readonly stage: Stage; readonly insteadOf: string };
type Candidate = { readonly credentials: Credentials; readonly pin: Pin | undefined };

const mostTries = 3;
/** Servers lock clients out that keep coming with a wrong secret. */
const refusal = 60_000;
/** How often the secret is read for a certificate that takes the place of one that expired in use. */
const successorInterval = 60_000;
const day = 24 * 60 * 60_000;

const read = async (context: Context, stage: Stage, signal: AbortSignal, force: boolean): Promise<Secret> => {
  try {
    return await context.source.read(context.secretId, { stage, signal, force, onDecision: context.onDecision });
  } catch (error) {
    throw error instanceof SecretUnavailable ? new AccessError('SecretUnavailable', error.reason) : error;
  }
};

/** A certificate that was kept back is looked at again: it may have become valid meanwhile. */
const isBuilt = (known: Credentials | undefined, versionId: string): known is Credentials =>
  known?.versionId === versionId && known.certificateFault === undefined;

const build = (context: Context, secret: Secret, stage: Stage): Credentials => {
  const { current: known, onDecision } = context;
  const { versionId } = secret;
  if (isBuilt(known, versionId)) return known;
  const credentials = buildCredentials(secret, known, context);
  const { certificateFault: reason } = credentials;
  if (reason !== undefined) onDecision({ type: 'client certificate kept back', stage, reason, versionId });
  return credentials;
};

const adopt = (context: Context, credentials: Credentials, pin: Pin | undefined): Credentials => {
  const before = context.current?.identity;
  const { identity, versionId } = credentials;
  context.current = credentials;
  context.pin = pin;
  if (before === identity) return credentials;
  // Nobody will use the old one's connections again: they end with the exchanges under way.
  before?.agent.renew();
  if ((before?.thumbprint ?? '') === identity.thumbprint) return credentials;
  const daysLeft = Math.floor((identity.notAfter - context.clock.now()) / day);
  context.onDecision({
    type: 'client certificate adopted',
    swapped: before !== undefined,
    versionId,
    ...(Number.isFinite(daysLeft) ? { daysLeft } : {}),
  });
  return credentials;
};

/** A version that cannot be used does not displace one that can. */
const adoptCurrent = (context: Context, secret: Secret): Credentials => {
  const known = context.current;
  if (isBuilt(known, secret.versionId)) return known;
  if (known !== undefined && context.pin?.insteadOf === secret.versionId) return known;
  try {
    return adopt(context, build(context, secret, 'AWSCURRENT'), undefined);
  } catch (error) {
    if (known === undefined || !(error instanceof AccessError)) throw error;
    const { versionId } = secret;
    context.onDecision({ type: 'new version of the client secret not used', reason: error.reason, versionId });
    return known;
  }
};

const hasExpired = ({ current, clock }: Context): boolean =>
  current !== undefined && clock.now() > current.identity.notAfter;

/** What expired in use may have a successor that is not due to be read for a while. */
const isSuccessorDue = (context: Context): boolean =>
  hasExpired(context) &&
  (context.expiryNoticedAt === undefined || elapsed(context.clock, context.expiryNoticedAt) >= successorInterval);

const readCurrent = async (context: Context, signal: AbortSignal): Promise<Credentials> => {
  const { current, onDecision } = context;
  const expired = hasExpired(context);
  if (current !== undefined && expired) {
    context.expiryNoticedAt = stamp(context.clock);
    onDecision({ type: 'client certificate in use has expired', versionId: current.versionId });
  }
  const secret = await read(context, 'AWSCURRENT', signal, expired);
  try {
    return adoptCurrent(context, secret);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    // Nothing usable was ever read: somebody may be mending the secret just now.
    return adoptCurrent(context, await read(context, 'AWSCURRENT', signal, true));
  }
};

const candidateFrom = async (context: Context, stage: Stage, signal: AbortSignal): Promise<Secret | undefined> => {
  try {
    return await read(context, stage, signal, true);
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
    }
  }
}

const wasRefused = ({ clock }: Context, at: Stamp | undefined): boolean =>
  at !== undefined && elapsed(clock, at) < refusal;

/** What the server gives for these credentials; undefined when it refuses them. */
const tryOne = async <Value>(context: Context, attempt: Attempt<Value>, { credentials, pin }: Candidate) => {
  const { versionId } = credentials;
  const outcome = await attempt(credentials);
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
  if (reason !== 'invalid_client') throw new AccessError(kind, reason, retryAfterMs);
  context.refused.set(versionId, stamp(context.clock));
  if (context.proven === versionId) delete context.proven;
  return undefined;
};

/** How many versions are left alone. */
const refusedNow = (context: Context): number =>
  [...context.refused.values()].filter((at) => wasRefused(context, at)).length;

/** A version that was refused is left alone for a while even when the search that found it out was cut short. */
const search = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  const { refused } = context;
  for await (const candidate of candidates(context, signal)) {
    if (wasRefused(context, refused.get(candidate.credentials.versionId))) continue;
    const won = await tryOne(context, attempt, candidate);
    if (won !== undefined) return won;
    if (refusedNow(context) >= mostTries) break;
  }
  context.refusedAt = stamp(context.clock);
  context.onDecision({ type: 'every client secret refused', tries: refusedNow(context), retryAfterMs: refusal });
  throw new AccessError('ClientRejected', 'invalid_client', refusal);
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
    if (refusedFor < refusal) throw new AccessError('ClientRejected', 'invalid_client', refusal - refusedFor);
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
  const context: Context = { ...options, refused: new Map() };
  return {
    inUse: () => context.current,
    isDue: () => !options.source.isFresh(options.secretId) || isSuccessorDue(context),
    read: (signal) => readCurrent(context, signal),
    use: (attempt, signal) => use(context, attempt, signal),
  };
};
