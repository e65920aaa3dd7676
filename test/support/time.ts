import type { Context } from 'aws-lambda';
import { vi } from 'vitest';

/** More time than a test needs on any machine: its own timeout comes first. */
const ampleMs = 600_000;

/** A deadline, in epoch milliseconds, that no test reaches. */
export const ampleDeadline = (): number => Date.now() + ampleMs;

/** The context of an invocation. A test that is not about the end of its time leaves `remainingMs` out. */
export const contextWith = (remainingMs = ampleMs): Context =>
  ({ getRemainingTimeInMillis: () => remainingMs }) as Context;

/**
 * Begins an invocation, and then sets the clocks on, so that it finds only `leftMs` of its time left. No real time passes.
 * The timers that it started before are real, and still have ample time: its requests are not cut off on a busy machine.
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
