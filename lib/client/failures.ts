import type { Failure } from '../contract/result.ts';
import type { AccessError } from '../oauth/access-error.ts';
import type { Refusal } from './public.ts';

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The Returns Service cannot be used now: what a caller hears of everything that is our affair and not theirs. */
export const unavailable = (reason: string, retryAfterMs?: number): Refusal => ({
  code: 'dependency_unavailable',
  detail: 'The Returns Service cannot be reached now.',
  reason,
  ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: inSeconds(retryAfterMs) }),
});

export const outOfTime: Refusal = { code: 'timeout', detail: 'The Returns Service did not answer in time.' };

/** Lack of access as the caller hears of it: 503, or 504 for the deadline, never a 401 that would seem to be theirs. */
export const accessFailure = ({ kind, reason, retryAfterMs }: AccessError): Refusal =>
  kind === 'DeadlineExceeded' ? outOfTime : unavailable(`${kind} ${reason}`, retryAfterMs);

/** A refusal as strangers may hear of it: without what it tells of the inside. */
export const withoutReason = (refusal: Refusal): Failure => {
  const told: Failure & { reason?: string } = { ...refusal };
  delete told.reason;
  return told;
};
