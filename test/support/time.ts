import type { Context } from 'aws-lambda';
import { vi } from 'vitest';

/** More time than a test needs on any machine: the test's own timeout is shorter. */
const ampleMs = 600_000;

/** Returns a deadline, in epoch milliseconds, that no test reaches. */
export const ampleDeadline = (): number => Date.now() + ampleMs;

/** Returns the context of an invocation. A test that is not about its time limit leaves `remainingMs` out. */
export const contextWith = (remainingMs = ampleMs): Context =>
  ({ getRemainingTimeInMillis: () => remainingMs }) as Context;

/**
 * Starts an invocation, and then moves the clocks, so that only `leftMs` of its time is left. No real time passes. The
 * timers from before are real, and still have ample time: a busy machine does not abort its requests.
 *
 * @param begin starts the timers of the invocation before it awaits anything
 */
export const withTimeLeft = async <Outcome>(
  leftMs: number,
  begin: (context: Context) => Promise<Outcome>,
): Promise<Outcome> => {
  const isHeld = vi.isFakeTimers();
  const before = Date.now();
  if (!isHeld) vi.useFakeTimers({ toFake: ['Date', 'performance'], now: before });
  try {
    const running = begin(contextWith());
    vi.advanceTimersByTime(ampleMs - leftMs);
    return await running;
  } finally {
    if (isHeld) vi.setSystemTime(before);
    else vi.useRealTimers();
  }
};
