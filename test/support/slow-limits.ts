import { timeScale } from './stack.ts';

const memo = Symbol.for('returns.slow-limits');
const worker = globalThis as { [memo]?: typeof setTimeout };

/** Pauses are shorter than this, and limits of requests are longer. */
const shortestLimitMs = 1_000;

/**
 * Makes the time limits in this process longer until the next test file, as those of the functions on the stack are. The
 * clients of queues and buckets give an attempt up after 1.5 to 3 s, and ask again: on a busy machine a message would come
 * twice.
 */
export const slowLimits = (): void => {
  if (worker[memo] !== undefined) return;
  worker[memo] = setTimeout;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...given]: Parameters<typeof setTimeout>) =>
      target(callback, ms >= shortestLimitMs ? ms * timeScale : ms, ...given),
  });
};

/** Ends {@link slowLimits}. */
export const usualLimits = (): void => {
  globalThis.setTimeout = worker[memo] ?? setTimeout;
  delete worker[memo];
};
