import type { Instant } from '../returns/model/order.ts';

/*
 * When the worker looks at an intent again. A shop that fails for long is asked less often, and for about three days.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The pauses after the runs of an intent, in ms. The last one repeats. */
const pauses = [30_000, minuteMs, 2 * minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs];

/** A shop that gives no usable answer in so many runs, which take about three days, needs people. */
const maxRuns = 30;

/** Returns the instant some milliseconds after another one. */
export const after = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString();

/** Returns when an intent is due again after so many runs. */
export const nextRunAt = (now: Instant, runs: number): Instant =>
  after(now, pauses[Math.min(runs, pauses.length - 1)] ?? hourMs);

/** Whether an intent has had enough runs. The time that it was stopped or behind another one does not count. */
export const hadEnoughRuns = (runs: number): boolean => runs >= maxRuns;

/** How long people have to do at the shop what a shadow intent wants. */
const shadowMs = 7 * 24 * hourMs;
export const isShadowOver = (plannedAt: Instant, now: Instant): boolean =>
  Date.parse(now) - Date.parse(plannedAt) > shadowMs;

/** When a shadow intent is compared again. */
export const nextShadowAt = (now: Instant): Instant => after(now, 6 * hourMs);
