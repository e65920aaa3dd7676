import type { Failure } from '../contract/result.ts';
import { log } from '../log.ts';
import { AccessError } from '../oauth/access-error.ts';

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The Returns Service cannot be used now: what a caller hears of everything that is our affair and not theirs. */
export const unavailable = (retryAfterMs?: number): Failure => ({
  code: 'dependency_unavailable',
  detail: 'The Returns Service cannot be reached now.',
  ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: inSeconds(retryAfterMs) }),
});

export const outOfTime: Failure = { code: 'timeout', detail: 'The Returns Service did not answer in time.' };

/** Lack of access as the caller hears of it: 503, or 504 for the deadline, never a 401 that would seem to be theirs. */
export const accessFailure = (error: unknown): Failure => {
  if (!(error instanceof AccessError)) throw error;
  log('warn', 'no access to the Returns Service', { kind: error.kind, reason: error.reason });
  return error.kind === 'DeadlineExceeded' ? outOfTime : unavailable(error.retryAfterMs);
};
