import type { Context } from 'aws-lambda';
import type { Call } from '../../contract/port.ts';
import type { Scope } from '../../contract/operation.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';

/** Time reserved before a function's timeout, to report the end of the run. */
const reserveMs = 5_000;
/** The time limit of one call of an operation. */
const maxCallMs = 10_000;

export type Remaining = Pick<Context, 'getRemainingTimeInMillis'>;

/** One run of a schedule. */
export type Run = Disposable & {
  /** The name of the schedule. Its actor is `schedule:<name>`. */
  readonly name: string;
  readonly session: Session;
  /** The deadline in epoch milliseconds. */
  readonly end: number;
  /** Its beginning. All time-dependent decisions of the run use it. */
  readonly now: string;
  /** Returns the call metadata of an operation. */
  readonly call: (scope: Scope) => Call;
};

/** Opens the store for a run, which ends shortly before its function. Disposal closes it. */
export const openRun = (name: string, { getRemainingTimeInMillis }: Remaining, at = Date.now()): Run => {
  const end = Date.now() + getRemainingTimeInMillis() - reserveMs;
  const session = openSession(end);
  const traceId = invocationTraceId();
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

/** How a run processes pages: items at once, and the time below which no page begins. */
type Pace = { readonly atOnce: number; readonly pageMs: number };

/**
 * Processes the items of all pages, and counts their outcomes.
 *
 * @returns whether it has read the last page; false when the time of the run was too short
 */
export const processPages = async <Item, Outcome extends string>(
  { end }: Pick<Run, 'end'>,
  pages: AsyncIterable<readonly Item[]>,
  { atOnce, pageMs }: Pace,
  counts: Record<Outcome, number>,
  processItem: (item: Item) => Promise<Outcome>,
): Promise<boolean> => {
  for await (const page of pages) {
    if (Date.now() + pageMs > end) return false;
    for (let start = 0; start < page.length; start += atOnce) {
      const outcomes = await Promise.all(page.slice(start, start + atOnce).map(processItem));
      for (const outcome of outcomes) counts[outcome] += 1;
    }
  }
  return true;
};

/** Thrown at the end of an incomplete run, so that the error metric of the function counts it. */
export class ScheduleFailed extends Error {
  override readonly name = 'ScheduleFailed';
}

/**
 * Failures that concern the return: it has changed, or its state does not allow the command. All other failures are
 * temporary or need a fix.
 */
const permanent: ReadonlySet<ErrorCode> = new Set([
  'return_not_found',
  'invalid_transition',
  'invalid_request',
  'version_mismatch',
  'quantity_exceeds_returnable',
]);

export const isPermanent = (code: ErrorCode): boolean => permanent.has(code);
