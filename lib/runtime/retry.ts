import { setTimeout as pause } from 'node:timers/promises';

/**
 * How the longest pause grows with the number of failed tries, in milliseconds. `baseMs` doubles with each try, up to
 * `maxMs`. `stepMs` is added with each try.
 */
export type PauseLimits = { readonly baseMs: number; readonly maxMs: number } | { readonly stepMs: number };

const maxPauseMs = (tries: number, limits: PauseLimits): number =>
  'stepMs' in limits ? limits.stepMs * tries : Math.min(limits.maxMs, limits.baseMs * 2 ** tries);

/**
 * Waits before a retry, for a random time from 0 to the longest pause.
 *
 * The jitter is full because writers that met once would meet again after equal pauses.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 *
 * @param tries how many tries have failed, from 1
 * @param signal ends the pause with its reason, for example when the deadline of a session passes
 */
export const pauseBeforeRetry = async (tries: number, limits: PauseLimits, signal: AbortSignal): Promise<void> =>
  pause(Math.random() * maxPauseMs(tries, limits), undefined, { signal });
