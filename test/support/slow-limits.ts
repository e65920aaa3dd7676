/** The slowdown of a machine with eight busy processes on two cores, with a reserve. */
export const timeScale = 12;

const memo = Symbol.for('returns.slow-limits');
const worker = globalThis as { [memo]?: { scale: number } };

/** Limits of requests are longer. Most pauses of the SDK before a retry are shorter: they must not take longer. */
const shortestLimitMs = 1_500;

/**
 * Creates the shared factor. A module may store the function that it imports first, so the proxy reads the factor at
 * each call.
 */
const begin = (): { scale: number } => {
  const state = { scale: 1 };
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...args]: Parameters<typeof setTimeout>) =>
      target(callback, ms >= shortestLimitMs ? ms * state.scale : ms, ...args),
  });
  return state;
};

/**
 * Extends the time limits in this process until the next test file, as on the stack's functions. The clients of queues
 * and buckets abort an attempt after 1.5 to 3 s, and try again. On a busy machine a message would arrive twice.
 */
export const slowLimits = (): void => {
  (worker[memo] ??= begin()).scale = timeScale;
};

/** Ends {@link slowLimits}. */
export const endSlowLimits = (): void => {
  if (worker[memo] !== undefined) worker[memo].scale = 1;
};
