/*
 * Replaces the clocks of this process before other modules read them. Time advances only on request, so that counts are
 * exact.
 * A timer runs at its virtual or at its real time, the sooner of both, so that network timeouts still work. Random
 * numbers are always 0.5.
 */

type Running = { readonly dueAt: number; readonly run: () => void };

const RealDate = Date;
/** Milliseconds of all clocks, and milliseconds of a freeze, which only the wall clock shows. */
let passed = 0;
let frozen = 0;
const startedAt = Date.UTC(2026, 10, 21, 8);
const now = (): number => startedAt + passed + frozen;

const timers = new Map<unknown, Running>();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: readonly unknown[]) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args) as Date,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});

const realPerformance = performance.now.bind(performance);
/** Returns the milliseconds of real time. */
export const realNow = (): number => realPerformance();
performance.now = () => 1_000 + passed;

const hrtime = (since: readonly [number, number] = [0, 0]): [number, number] => {
  const nanoseconds =
    BigInt(Math.round((1_000 + passed) * 1e6)) - (BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]));
  return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
};
process.hrtime = Object.assign(hrtime, { bigint: () => BigInt(Math.round((1_000 + passed) * 1e6)) });

Math.random = () => 0.5;

globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (target, _, [callback, ms = 0, ...args]: Parameters<typeof setTimeout>) => {
    const run = (): void => {
      timers.delete(timer);
      callback(...args);
    };
    const timer = target(run, ms);
    timers.set(timer, { dueAt: passed + ms, run });
    return timer;
  },
});

globalThis.clearTimeout = new Proxy(clearTimeout, {
  apply: (target, _, [timer]: Parameters<typeof clearTimeout>) => {
    timers.delete(timer);
    target(timer);
  },
});

/** Advances the time and runs the timers that are due, the earliest first. */
export const advance = (ms: number): void => {
  passed += ms;
  const due = [...timers].filter(([, { dueAt }]) => dueAt <= passed).toSorted(([, a], [, b]) => a.dueAt - b.dueAt);
  for (const [timer, { run }] of due) {
    // An earlier timer may have cleared this one.
    if (!timers.has(timer)) continue;
    clearTimeout(timer as NodeJS.Timeout);
    run();
  }
};

/** Simulates a frozen container: only the wall clock advances, and no timer runs. */
export const freeze = (ms: number): void => {
  frozen += ms;
};
