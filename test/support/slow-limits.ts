import { timeScale } from './stack.ts';

const memo = Symbol.for('returns.slow-limits');
const worker = globalThis as { [memo]?: { scale: number } };

/** Pauses are shorter than this, and limits of requests are longer. */
const shortestLimitMs = 1_000;

/** A module may keep the function that it imports first: the factor is read at each call, so that it ends for all of them. */
const begin = (): { scale: number } => {
  const state = { scale: 1 };
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...given]: Parameters<typeof setTimeout>) =>
      target(callback, ms >= shortestLimitMs ? ms * state.scale : ms, ...given),
  });
  return state;
};

/**
 * Makes the time limits in this process longer until the next test file, as those of the functions on the stack are. The
 * clients of queues and buckets give an attempt up after 1.5 to 3 s, and ask again: on a busy machine a message would come
 * twice.
 */
export const slowLimits = (): void => {
  (worker[memo] ??= begin()).scale = timeScale;
};

/** Ends {@link slowLimits}. */
export const endSlowLimits = (): void => {
  if (worker[memo] !== undefined) worker[memo].scale = 1;
};
