import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { errorName } from '../../runtime/log.ts';
import { elapsed, stamp, systemClock, type Clock, type Stamp } from '../net/clock.ts';
import { startFlight, type Flight } from '../net/single-flight.ts';
import type { ReadCause, SecretEvent } from './secret-event.ts';
import { fetchSecret, type FetchOptions, type SecretReader } from './fetch-secret.ts';
import { notFound, Secret, SecretUnavailable, type Stage } from './secret.ts';
import { perContainer } from '../../runtime/container.ts';

export type SecretSourceOptions = FetchOptions;

export type ReadOptions = {
  readonly signal?: AbortSignal;
  /** Reads although the cached value is not due, because that value failed. At most once per 10 s. */
  readonly force?: boolean;
  /** @default 'AWSCURRENT' */
  readonly stage?: Stage;
  /** Receives the event of the read, if this call began it: several calls may share a read. */
  readonly onEvent?: (event: SecretEvent) => void;
};

export type SecretSource = {
  /** @throws {SecretUnavailable} when neither Secrets Manager nor the cache has it */
  readonly read: (secretId: string, options?: ReadOptions) => Promise<Secret>;
  /** Whether a read of the current version would be served from memory. */
  readonly isFresh: (secretId: string) => boolean;
};

type SecretCacheEntry = {
  known?: Secret | SecretUnavailable;
  checkedAt?: Stamp;
  /** Milliseconds after `checkedAt` during which `known` is fresh. */
  ttl: number;
  forcedAt?: Stamp;
  flight?: Flight<Secret>;
};
type Context = SecretSourceOptions & { readonly entries: Map<string, SecretCacheEntry> };

const timeToLive = 15 * 60_000;
/** The pause after a failed read with a cached value, or after a read of a version that does not exist. */
const pause = 30_000;
const minForcedInterval = 10_000;

const never = new AbortController().signal;
const ignore = () => undefined;

const isDue = ({ clock }: Context, { checkedAt, ttl }: SecretCacheEntry): boolean =>
  checkedAt === undefined || elapsed(clock, checkedAt) >= ttl;

const mayForce = ({ clock }: Context, { forcedAt }: SecretCacheEntry): boolean =>
  forcedAt === undefined || elapsed(clock, forcedAt) >= minForcedInterval;

const storeResult = (entry: SecretCacheEntry, known: Secret | SecretUnavailable, checkedAt: Stamp, ttl: number) => {
  entry.known = known;
  entry.checkedAt = checkedAt;
  entry.ttl = ttl;
};

type Reading = {
  readonly id: string;
  readonly stage: Stage;
  readonly cause: ReadCause;
  readonly onEvent: (event: SecretEvent) => void;
};

/** Reads once for all waiting calls. While that fails, the last good value is used. */
const refresh = async (
  context: Context,
  entry: SecretCacheEntry,
  reading: Reading,
  signal: AbortSignal,
): Promise<Secret> => {
  const { id, stage, cause, onEvent } = reading;
  const startedAt = stamp(context.clock);
  const spread = 0.8 + 0.4 * context.random();
  const { known } = entry;
  const ended = (outcome: string, versionId?: string) => {
    const changed = known instanceof Secret && versionId !== undefined && versionId !== known.versionId;
    const ms = Math.round(elapsed(context.clock, startedAt));
    const version = versionId === undefined ? {} : { versionId };
    onEvent({ type: 'secret read', stage, cause, outcome, ms, ...version, changed });
  };
  try {
    const secret = await fetchSecret(context, id, stage, signal);
    ended('ok', secret.versionId);
    storeResult(entry, secret, startedAt, timeToLive * spread);
    return secret;
  } catch (error) {
    if (error instanceof SecretUnavailable) ended(error.reason);
    // An aborted read is no failure of Secrets Manager.
    if (!(error instanceof SecretUnavailable) || signal.aborted) throw error;
    if (known instanceof Secret) {
      storeResult(entry, known, startedAt, pause * spread);
      const { versionId } = known;
      onEvent({ type: 'last known good secret used', stage, reason: error.reason, versionId });
      return known;
    }
    if (error.reason === notFound) storeResult(entry, error, startedAt, pause * spread);
    throw error;
  }
};

const readSecret = async (context: Context, id: string, options: ReadOptions): Promise<Secret> => {
  const { signal = never, force = false, stage = 'AWSCURRENT', onEvent = ignore } = options;
  const key = `${stage} ${id}`;
  const entry: SecretCacheEntry = context.entries.get(key) ?? { ttl: 0 };
  context.entries.set(key, entry);
  // A forced call may join a running read: that one began after the cached value, which has failed.
  const forced = force && (mayForce(context, entry) || entry.flight?.isOpen() === true);
  if (entry.known !== undefined && !forced && !isDue(context, entry)) {
    if (force) onEvent({ type: 'secret read throttled', stage });
    if (entry.known instanceof SecretUnavailable) throw new SecretUnavailable(entry.known.reason);
    return entry.known;
  }
  if (!entry.flight?.isOpen()) {
    if (forced) entry.forcedAt = stamp(context.clock);
    const cause = entry.known === undefined ? 'first' : forced ? 'forced' : 'due';
    const reading = { id, stage, cause, onEvent } as const;
    entry.flight = startFlight((flightSignal) => refresh(context, entry, reading, flightSignal));
  }
  return entry.flight.join(signal).catch((error: unknown) => {
    throw error instanceof SecretUnavailable ? error : new SecretUnavailable(errorName(error));
  });
};

/**
 * Caches secrets by id and stage for 15 min ±20 %, so that containers do not read at the same time. Concurrent calls
 * share one request. The last good value is used while Secrets Manager fails. It reads nothing before the first call: a
 * request that begins at import may be frozen halfway.
 */
export const createSecretSource = (options: SecretSourceOptions): SecretSource => {
  const context: Context = { ...options, entries: new Map() };
  return {
    read: (secretId, readOptions = {}) => readSecret(context, secretId, readOptions),
    isFresh: (secretId) => {
      const entry = context.entries.get(`AWSCURRENT ${secretId}`);
      return entry?.known instanceof Secret && !isDue(context, entry);
    },
  };
};

/** Creates a client without retries: the pause of a retry cannot be aborted and would outlive the invocation. */
export const secretsManager = (
  config: Pick<SecretsManagerClientConfig, 'credentials' | 'endpoint' | 'region' | 'requestHandler'> = {},
): SecretsManagerClient => new SecretsManagerClient({ ...config, maxAttempts: 1 });

/** Creates a source with two attempts. */
export const sourceOf = (client: SecretReader, clock: Clock = systemClock): SecretSource =>
  createSecretSource({ client, clock, random: Math.random, attempts: 2 });

/** The source of this container, with the SDK's own connections: most of its users have no others. */
export const secrets = perContainer((): SecretSource => sourceOf(secretsManager()));
