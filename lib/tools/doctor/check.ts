import { type Clock, elapsed, stamp } from '../../access/net/clock.ts';
import { deadline } from '../../access/net/deadline.ts';
import type { Incoming } from '../../access/net/request.ts';
import { TransportError } from '../../access/net/transport-error.ts';

/** The outcome of one exchange, its duration, and the time of its end in epoch milliseconds. */
export type Attempt = { readonly ms: number; readonly endedAt: number } & (
  | { readonly answer: Incoming }
  | { readonly answer: undefined; readonly error: TransportError }
);

/** Runs an exchange. A transport error is an outcome and is not thrown. */
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

/** A row of the report. `skipped`: the check lacks something that it needs. */
export type Check = {
  readonly check: string;
  readonly status: 'passed' | 'warning' | 'failed' | 'skipped';
  /** Never a secret, a token or a key. */
  readonly detail: string;
  /** How to fix it. */
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

/** Rows of checks that cannot run, with one reason. */
export const skipped = (checks: readonly string[], because: string): readonly Check[] =>
  checks.map((check) => ({ check, status: 'skipped', detail: because }));

/** Rows of checks, and the value that later checks need; undefined when they cannot run. */
export type CheckedValue<Value> = { readonly checks: readonly Check[]; readonly value: Value | undefined };

/** The row of a check that does not apply to this deployment or engine. */
export const notApplicable = (check: string, because: string): Check => ({
  check,
  status: 'skipped',
  detail: `not applicable: ${because}`,
});

/**
 * The row of a check without its variable. In a deployed function that is a failure. On a developer's machine the check
 * does not apply: it may check the access only.
 */
export const unset = (check: string, variable: string, deployed: boolean): Check =>
  deployed
    ? failed(check, `${variable} is not set`, `Set ${variable} as serverless.yml does.`)
    : notApplicable(check, `${variable} is not set`);

export type Report = {
  /** The worst status of its checks. */
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

/** A running examination. */
export type CheckContext = {
  /** Aborts at the deadline of the examination. */
  readonly signal: AbortSignal;
  /** That deadline, in epoch milliseconds. */
  readonly end: number;
  readonly clock: Clock;
  /** W3C trace id, 32 hex digits, that these requests have in the logs of the API. */
  readonly traceId: string;
};

/** A part of an examination. All parts run concurrently. */
export type Part = { readonly name: string; readonly run: (underway: CheckContext) => Promise<readonly Check[]> };

const callMs = 5_000;

/** Runs one call to AWS, with a deadline of five seconds within that of the examination. */
export const within = async <Value>(
  { clock, signal }: CheckContext,
  call: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> => {
  using limit = deadline(clock, callMs, signal);
  return await call(limit.signal);
};
