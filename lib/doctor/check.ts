import { type Clock, elapsed, stamp } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import type { Incoming } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';

/** One exchange: what came of it, how long that took, and when (epoch milliseconds) it was over. */
export type Attempt = { readonly ms: number; readonly endedAt: number } & (
  | { readonly answer: Incoming }
  | { readonly answer: undefined; readonly error: TransportError }
);

/** Makes an exchange whose failure below HTTP is a finding. */
export const attempt = async (clock: Clock, exchange: () => Promise<Incoming>): Promise<Attempt> => {
  const startedAt = stamp(clock);
  const ended = () => ({ ms: Math.round(elapsed(clock, startedAt)), endedAt: clock.now() });
  try {
    const answer = await exchange();
    return { ...ended(), answer };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { ...ended(), answer: undefined, error };
  }
};

/** What was found: `skipped` where something that it needs was missing. */
export type Check = {
  readonly check: string;
  readonly status: 'passed' | 'warning' | 'failed' | 'skipped';
  /** Never a secret, a token or a key. */
  readonly detail: string;
  /** How to mend it. */
  readonly remedy?: string;
};

export const passed = (check: string, detail: string): Check => ({ check, status: 'passed', detail });

export const warning = (check: string, detail: string, remedy: string): Check => ({
  check,
  status: 'warning',
  detail,
  remedy,
});

export const failed = (check: string, detail: string, remedy: string): Check => ({
  check,
  status: 'failed',
  detail,
  remedy,
});

/** A row for each of several checks that could not be made, for one reason. */
export const skipped = (checks: readonly string[], because: string): readonly Check[] =>
  checks.map((check) => ({ check, status: 'skipped', detail: because }));

/** What some checks found, and what the next ones need of it: undefined when there is nothing to go on with. */
export type CheckedValue<Value> = { readonly checks: readonly Check[]; readonly value: Value | undefined };

/** A row for a check that this deployment or engine has no use for. */
export const notApplicable = (check: string, because: string): Check => ({
  check,
  status: 'skipped',
  detail: `not applicable: ${because}`,
});

/**
 * The row of a check that lacks a variable. A deployed function always has it, so there it is a failure; a developer's
 * machine may examine the access alone.
 */
export const unset = (check: string, variable: string, deployed: boolean): Check =>
  deployed
    ? failed(check, `${variable} is not set`, `Set ${variable} as serverless.yml does.`)
    : notApplicable(check, `${variable} is not set`);

export type Report = {
  /** The worst of its checks. */
  readonly status: 'passed' | 'warning' | 'failed';
  readonly traceId: string;
  readonly checks: readonly Check[];
};

const worst = (checks: readonly Check[]): Report['status'] => {
  const found = new Set(checks.map(({ status }) => status));
  return found.has('failed') ? 'failed' : found.has('warning') ? 'warning' : 'passed';
};

export const reportOf = (traceId: string, checks: readonly Check[]): Report => ({
  status: worst(checks),
  traceId,
  checks,
});

/** An examination that is going on. */
export type CheckContext = {
  /** Ends with the time of the whole examination. */
  readonly signal: AbortSignal;
  /** When that is, in epoch milliseconds. */
  readonly end: number;
  readonly clock: Clock;
  /** W3C trace id, 32 hex digits, by which the API's logs tell these requests. */
  readonly traceId: string;
};

/** A part of an examination. The parts run at the same time. */
export type Part = { readonly name: string; readonly run: (underway: CheckContext) => Promise<readonly Check[]> };

const callMs = 5_000;

/** Makes one call to AWS, which is given up after five seconds or at the end of the examination. */
export const within = async <Value>(
  { clock, signal }: CheckContext,
  call: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> => {
  using limit = deadline(clock, callMs, signal);
  return await call(limit.signal);
};
