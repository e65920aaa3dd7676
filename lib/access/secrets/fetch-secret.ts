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
import { errorName } from '../../runtime/log.ts';
import { failureReason } from './failure-reason.ts';
import { Secret, SecretUnavailable, type Stage } from './secret.ts';

/** A secret could not be written. The message is the reason only, because the SDK's error may quote the text. */
class SecretNotWritten extends Error {
  constructor(reason: string) {
    super(`the secret cannot be written: ${reason}`);
    this.name = reason;
  }
}

/** The id and the labels of a new version. @default an id of the SDK, and AWSCURRENT */
type NewVersion = { readonly token?: string; readonly stages?: readonly Stage[] };

/**
 * Makes a text the current version of a secret, or another version. The SDK names the version in the request, and a
 * retry names the same: a request that arrives twice makes one version.
 *
 * @throws {SecretNotWritten}
 */
export const putSecret = async (
  client: Pick<SecretsManagerClient, 'send'>,
  secretId: string,
  text: string,
  signal: AbortSignal,
  { token, stages }: NewVersion = {},
): Promise<void> => {
  const command = new PutSecretValueCommand({
    SecretId: secretId,
    SecretString: text,
    ...(token !== undefined && { ClientRequestToken: token }),
    ...(stages !== undefined && { VersionStages: [...stages] }),
  });
  try {
    await client.send(command, { abortSignal: signal });
  } catch (error) {
    throw new SecretNotWritten(errorName(error));
  }
};

/** The part of the SDK's client that a read uses. */
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
   * The maximum of attempts for a read that fails by the network, by throttling or by the server.
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
    // The SDK reports each end of a signal as an abort.
    if (isTimedOut(signal)) throw signal.reason;
    throw error;
  }
};

/** The outcome of a read. */
type Fetched = { readonly secret: Secret } | { readonly error: unknown };

const fetched = (fetching: Promise<Secret>): Promise<Fetched> =>
  fetching.then(
    (secret) => ({ secret }),
    (error: unknown) => ({ error }),
  );

type Metadata = { readonly httpStatusCode?: number | undefined; readonly clockSkewCorrected?: unknown };

/** Returns the maximum pause before the next attempt; undefined when a retry is useless. */
const pauseAfter = (error: unknown): number | undefined => {
  if (/Throttl|TooManyRequests|LimitExceeded/.test(errorName(error))) return 1_000;
  const { httpStatusCode: status = 0, ...more }: Metadata =
    error instanceof SecretsManagerServiceException ? error.$metadata : {};
  // The clock was wrong, and the SDK has corrected it by the response.
  if (more.clockSkewCorrected === true) return 0;
  return error instanceof SecretUnavailable || (status >= 400 && status < 500) ? undefined : 200;
};

/**
 * Reads a version of a secret within 3 s, with up to two attempts. The second follows a failure, or runs in parallel
 * with a slow first attempt. The SDK's own retries are off: their pauses cannot be aborted, and would outlive the
 * invocation.
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
