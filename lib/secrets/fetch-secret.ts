import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  PutSecretValueCommand,
  type SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { backOff } from '../net/back-off.ts';
import type { Clock } from '../net/clock.ts';
import { deadline, isTimedOut } from '../net/deadline.ts';
import { hedge } from '../net/hedge.ts';
import { errorName } from '../runtime/log.ts';
import { failureReason } from './failure-reason.ts';
import { Secret, SecretUnavailable, type Stage } from './secret.ts';

/** A secret that cannot be written, for the reason that it is named after: the SDK's own error may quote the text. */
class SecretNotWritten extends Error {
  constructor(reason: string) {
    super(`the secret cannot be written: ${reason}`);
    this.name = reason;
  }
}

/**
 * Makes a text the current version of a secret. The SDK names the version in the request, and a client that tries again
 * names the same: a request that arrives twice makes one version.
 *
 * @throws {SecretNotWritten}
 */
export const putSecret = async (
  client: Pick<SecretsManagerClient, 'send'>,
  secretId: string,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: text }), { abortSignal: signal });
  } catch (error) {
    throw new SecretNotWritten(errorName(error));
  }
};

/** What a read takes of the SDK's client. */
export type SecretReader = {
  readonly send: (
    command: GetSecretValueCommand,
    options: { readonly abortSignal: AbortSignal },
  ) => Promise<GetSecretValueCommandOutput>;
};

export type FetchOptions = {
  readonly client: SecretReader;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /**
   * How often to try a read that fails by the network, by throttling or by the server's fault.
   * @default 1
   */
  readonly attempts?: number;
};

const readLimit = 3_000;
const slowAfter = 1_000;

const fetchOnce = async ({ client }: FetchOptions, id: string, stage: Stage, signal: AbortSignal): Promise<Secret> => {
  try {
    const command = new GetSecretValueCommand({ SecretId: id, VersionStage: stage });
    const { SecretString, SecretBinary, VersionId } = await client.send(command, { abortSignal: signal });
    const text = SecretString ?? (SecretBinary === undefined ? undefined : Buffer.from(SecretBinary).toString('utf8'));
    if (text === undefined || VersionId === undefined) throw new SecretUnavailable('EmptySecret');
    return new Secret(VersionId, text);
  } catch (error) {
    // To the SDK every end of a signal is an abort.
    if (isTimedOut(signal)) throw signal.reason;
    throw error;
  }
};

/** What a read came to. */
type Fetched = { readonly secret: Secret } | { readonly error: unknown };

const fetched = (fetching: Promise<Secret>): Promise<Fetched> =>
  fetching.then(
    (secret) => ({ secret }),
    (error: unknown) => ({ error }),
  );

type Metadata = { readonly httpStatusCode?: number | undefined; readonly clockSkewCorrected?: unknown };

/** The longest pause before the next attempt; undefined after what would only be said again. */
const pauseAfter = (error: unknown): number | undefined => {
  if (/Throttl|TooManyRequests|LimitExceeded/.test(errorName(error))) return 1_000;
  const { httpStatusCode: status = 0, ...more }: Metadata =
    error instanceof SecretsManagerServiceException ? error.$metadata : {};
  // The signature was too old or too new, and the SDK has set its clock by the answer.
  if (more.clockSkewCorrected === true) return 0;
  return error instanceof SecretUnavailable || (status >= 400 && status < 500) ? undefined : 200;
};

/**
 * Reads a version of a secret within 3 s, by two attempts: one after the other, or beside one that is slow. Not by the
 * SDK's own retries: a pause of theirs cannot be ended, and outlives the invocation that gave up.
 *
 * @throws {SecretUnavailable}
 */
export const fetchSecret = async (
  options: FetchOptions,
  id: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Secret> => {
  const { clock, random, attempts = 1 } = options;
  using limit = deadline(clock, readLimit, signal);
  const { outcome } = await hedge<Fetched>({
    attempt: (either) => fetched(fetchOnce(options, id, stage, either)),
    pauseAfter: (first) => {
      const maxPauseMs = 'secret' in first ? undefined : pauseAfter(first.error);
      return maxPauseMs === undefined ? undefined : backOff(maxPauseMs, maxPauseMs, 1, random());
    },
    slowAfter,
    attempts,
    clock,
    signal: limit.signal,
  });
  if ('secret' in outcome) return outcome.secret;
  const { error } = outcome;
  throw error instanceof SecretUnavailable ? error : new SecretUnavailable(failureReason(error));
};
