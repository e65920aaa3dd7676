import type { Context } from 'aws-lambda';
import type { Call } from '../contract/port.ts';
import type { Scope } from '../contract/operation.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { newTraceId } from '../runtime/trace-context.ts';

/** Kept back from a function's time, to say how the run ended. */
const reserveMs = 5_000;
/** The longest that one call of an operation may take. */
const maxCallMs = 10_000;

export type Remaining = Pick<Context, 'getRemainingTimeInMillis'>;

/** One run of a schedule. */
export type Run = Disposable & {
  /** Of the schedule: what it does is done by `schedule:<name>`. */
  readonly name: string;
  readonly session: Session;
  /** Epoch milliseconds by which it has to be through. */
  readonly end: number;
  /** When it began; all that it decides by the time it decides by this. */
  readonly now: string;
  /** A call of an operation, of which each may be the last. */
  readonly call: (scope: Scope) => Call;
};

/** Opens the store for a run, which ends a little before its function. Disposing closes it. */
export const openRun = (name: string, { getRemainingTimeInMillis }: Remaining, at = Date.now()): Run => {
  const end = Date.now() + getRemainingTimeInMillis() - reserveMs;
  const session = openSession(end);
  const traceId = newTraceId();
  const now = new Date(at).toISOString();
  return {
    name,
    session,
    end,
    now,
    call: (scope) => ({
      caller: { clientId: `schedule:${name}`, scopes: [scope] },
      dryRun: false,
      traceId,
      causationId: `schedule:${name}/${now}`,
      deadline: Math.min(end, Date.now() + maxCallMs),
    }),
    [Symbol.dispose]: () => session[Symbol.dispose](),
  };
};

/** Thrown at the end of a run that could not do all that it was to do, so that the function's error metric counts it. */
export class ScheduleFailed extends Error {
  override readonly name = 'ScheduleFailed';
}

/**
 * Refusals that say something of the return, not of us: it has changed, or does not take the command. Others are troubles
 * that pass, or that somebody has to mend.
 */
const settled: ReadonlySet<ErrorCode> = new Set([
  'return_not_found',
  'invalid_transition',
  'invalid_request',
  'version_mismatch',
  'quantity_exceeds_returnable',
]);

export const isSettled = (code: ErrorCode): boolean => settled.has(code);
