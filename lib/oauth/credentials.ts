import { log } from '../log.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { SecretUnavailable, type Secret, type Stage } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { AccessError } from './access-error.ts';
import { buildCredentials, type Credentials } from './client-credentials.ts';
import type { Outcome } from './outcome.ts';

export type CredentialsOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** Used unless the secret names its own. */
  readonly authUrl: string;
  readonly clock: Clock;
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
  /** The VersionId of AWSCURRENT for which a version that is not AWSCURRENT is in use. */
  pinnedFor?: string | undefined;
  refusedAt?: Stamp;
};
type Candidate = { readonly credentials: Credentials; readonly pinnedFor: string | undefined };

const mostTries = 3;
/** Servers lock clients out that keep coming with a wrong secret. */
const refusal = 60_000;

const read = async (context: Context, stage: Stage, signal: AbortSignal, force: boolean): Promise<Secret> => {
  try {
    return await context.source.read(context.secretId, { stage, signal, force });
  } catch (error) {
    throw error instanceof SecretUnavailable ? new AccessError('SecretUnavailable', error.reason) : error;
  }
};

/** A certificate that was kept back is looked at again: it may have become valid meanwhile. */
const isBuilt = (known: Credentials | undefined, versionId: string): known is Credentials =>
  known?.versionId === versionId && known.certificateFault === undefined;

const build = (context: Context, secret: Secret): Credentials => {
  const known = context.current;
  if (isBuilt(known, secret.versionId)) return known;
  const credentials = buildCredentials(secret, known, context);
  if (credentials.certificateFault !== undefined) {
    log('error', 'client certificate kept back', { reason: credentials.certificateFault, versionId: secret.versionId });
  }
  return credentials;
};

/** A version that cannot be used does not displace one that can. */
const adoptCurrent = (context: Context, secret: Secret): Credentials => {
  const known = context.current;
  if (isBuilt(known, secret.versionId)) return known;
  if (known !== undefined && context.pinnedFor === secret.versionId) return known;
  try {
    context.current = build(context, secret);
    context.pinnedFor = undefined;
  } catch (error) {
    if (known === undefined) throw error;
    log('error', 'new version of the client secret not used', { versionId: secret.versionId });
    return known;
  }
  return context.current;
};

const readCurrent = async (context: Context, signal: AbortSignal): Promise<Credentials> => {
  const secret = await read(context, 'AWSCURRENT', signal, false);
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
  yield { credentials: first, pinnedFor: context.pinnedFor };
  const current = await candidateFrom(context, 'AWSCURRENT', signal);
  for (const stage of ['AWSCURRENT', 'AWSPREVIOUS', 'AWSPENDING'] as const) {
    const secret = stage === 'AWSCURRENT' ? current : await candidateFrom(context, stage, signal);
    if (secret === undefined) continue;
    try {
      yield { credentials: build(context, secret), pinnedFor: stage === 'AWSCURRENT' ? undefined : current?.versionId };
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
    }
  }
}

const use = async <Value>(context: Context, attempt: Attempt<Value>, signal: AbortSignal) => {
  const refusedFor = context.refusedAt === undefined ? refusal : elapsed(context.clock, context.refusedAt);
  if (refusedFor < refusal) throw new AccessError('ClientRejected', 'invalid_client', refusal - refusedFor);
  const tried = new Set<string>();
  for await (const { credentials, pinnedFor } of candidates(context, signal)) {
    if (tried.has(credentials.versionId)) continue;
    tried.add(credentials.versionId);
    const outcome = await attempt(credentials);
    if (outcome.ok) {
      if (pinnedFor !== undefined)
        log('warn', 'client secret in use is not the current one', { versionId: credentials.versionId });
      context.current = credentials;
      context.pinnedFor = pinnedFor;
      return { value: outcome.value, credentials };
    }
    const { kind, reason, retryAfterMs } = outcome.fault;
    if (reason !== 'invalid_client') throw new AccessError(kind, reason, retryAfterMs);
    if (tried.size === mostTries) break;
  }
  context.refusedAt = stamp(context.clock);
  throw new AccessError('ClientRejected', 'invalid_client', refusal);
};

/**
 * The client's credentials through a rotation of their secret. For a while the server may know only the version before
 * or the version after: whichever works is used until AWSCURRENT changes. At most three are tried, then none for 60 s.
 */
export const createCredentials = (options: CredentialsOptions): CredentialsStore => {
  const context: Context = { ...options };
  return {
    inUse: () => context.current,
    isDue: () => !options.source.isFresh(options.secretId),
    read: (signal) => readCurrent(context, signal),
    use: (attempt, signal) => use(context, attempt, signal),
  };
};
