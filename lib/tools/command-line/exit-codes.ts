import type { errors } from '../../contract/errors.ts';
import { accessRemedy } from '../../access/client/failures.ts';
import type { ClientFailure } from '../../access/client/public.ts';

/** The exit codes of the command. 130 and 143 follow the convention of shells: 128 and the number of the signal. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  rejected: 3,
  unavailable: 4,
  interrupted: 130,
  terminated: 143,
} as const;

export const exitCodesText = `Exit codes:
  0  ok
  1  failed: a negative result, such as a failed golden case; unusable credentials; or a service of another contract
  2  usage error: nothing was sent
  3  the service rejected the request
  4  the service is unavailable or busy: repeat the command later
  130  interrupted by Ctrl-C`;

const transient: ReadonlySet<string> = new Set([
  'rate_limited',
  'internal_error',
  'dependency_unavailable',
  'timeout',
] satisfies (keyof typeof errors)[]);

/** Whether a failure is one of the access to the service: of its credentials or its certificate. */
export const isAccessFailure = (failure: ClientFailure): boolean => accessRemedy(failure) !== undefined;

/** Whether the service does not speak the contract: neither a repeat nor another request helps. */
export const isMisfit = ({ code }: ClientFailure): boolean => code === 'dependency_refused';

/** Returns the exit code of a failed call. */
export const exitCodeOf = (failure: ClientFailure): number => {
  if (isAccessFailure(failure) || isMisfit(failure)) return exitCodes.failed;
  return transient.has(failure.code) ? exitCodes.unavailable : exitCodes.rejected;
};

/** Whether the service may have executed a failed call: no answer came, or one that says nothing about it. */
export const isOutcomeUnknown = (failure: ClientFailure): boolean =>
  failure.code === 'timeout' ||
  failure.code === 'internal_error' ||
  failure.code === 'dependency_refused' ||
  (failure.code === 'dependency_unavailable' && failure.reason !== undefined && !isAccessFailure(failure));
