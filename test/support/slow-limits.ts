import { timeScale } from './stack.ts';

const memo = Symbol.for('returns.slow-limits');
const worker = globalThis as { [memo]?: boolean };

/** Pauses are shorter than this, and limits of requests are longer. */
const shortestLimitMs = 1_000;

/**
 * Makes the time limits in this process longer, as those of the functions on the stack are. The clients of queues and
 * buckets give an attempt up after 1.5 to 3 s, and ask again: on a busy machine a message would come twice.
 */
export const slowLimits = (): void => {
  if (worker[memo] === true) return;
  worker[memo] = true;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...given]: Parameters<typeof setTimeout>) =>
      target(callback, ms >= shortestLimitMs ? ms * timeScale : ms, ...given),
  });
};
