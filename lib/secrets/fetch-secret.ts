import {
  GetSecretValueCommand,
  SecretsManagerServiceException,
  type GetSecretValueCommandOutput,
} from '@aws-sdk/client-secrets-manager';
import { errorName } from '../log.ts';
import { backOff } from '../net/back-off.ts';
import type { Clock } from '../net/clock.ts';
import { deadline, isTimedOut, sleep } from '../net/deadline.ts';
import { faultName } from './fault-name.ts';
import { Secret, SecretUnavailable, type Stage } from './secret.ts';

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
const attemptLimit = 2_000;

const fetchOnce = async (
  { client, clock }: FetchOptions,
  id: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Secret> => {
  using limit = deadline(clock, attemptLimit, signal);
  try {
    const command = new GetSecretValueCommand({ SecretId: id, VersionStage: stage });
    const { SecretString, SecretBinary, VersionId } = await client.send(command, { abortSignal: limit.signal });
    const text = SecretString ?? (SecretBinary === undefined ? undefined : Buffer.from(SecretBinary).toString('utf8'));
    if (text === undefined || VersionId === undefined) throw new SecretUnavailable('EmptySecret');
    return new Secret(VersionId, text);
  } catch (error) {
    // To the SDK every end of a signal is an abort.
    if (isTimedOut(limit.signal)) throw limit.signal.reason;
    throw error;
  }
};

/** The longest pause before the next attempt; undefined after what would only be said again. */
const pauseAfter = (error: unknown): number | undefined => {
  if (/Throttl|TooManyRequests|LimitExceeded/.test(errorName(error))) return 1_000;
  const status = error instanceof SecretsManagerServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return error instanceof SecretUnavailable || (status >= 400 && status < 500) ? undefined : 100;
};

/** Not by the SDK's own retries: a pause of theirs cannot be ended, and outlives the invocation that gave up. */
const fetchRepeatedly = async (
  options: FetchOptions,
  id: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Secret> => {
  const { clock, random, attempts = 1 } = options;
  for (let count = 1; ; count += 1) {
    try {
      return await fetchOnce(options, id, stage, signal);
    } catch (error) {
      const longest = pauseAfter(error);
      if (longest === undefined || count === attempts || signal.aborted) throw error;
      await sleep(clock, backOff(longest, longest, 1, random()), signal);
    }
  }
};

/**
 * Reads a version of a secret within 3 s.
 *
 * @throws {SecretUnavailable}
 */
export const fetchSecret = async (
  options: FetchOptions,
  id: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Secret> => {
  using limit = deadline(options.clock, readLimit, signal);
  try {
    return await fetchRepeatedly(options, id, stage, limit.signal);
  } catch (error) {
    throw error instanceof SecretUnavailable ? error : new SecretUnavailable(faultName(error));
  }
};
