import type { Clock } from './clock.ts';

/** A signal that ends with a time limit or with a surrounding signal. Disposing stops its timer. */
export type Deadline = Disposable & { readonly signal: AbortSignal };

/** Returns the reason of a signal whose time limit passed, as `AbortSignal.timeout` does (DOM 3.2). */
export const timedOut = (): DOMException => new DOMException('the time limit was reached', 'TimeoutError');

/** Whether a signal ended by its time limit, and not because its callers left. */
export const isTimedOut = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/**
 * Limits the following work to `ms`. It does not use `AbortSignal.timeout`, whose timer cannot be stopped or controlled
 * by a test.
 *
 * @example using limit = deadline(clock, 5_000, signal);
 */
export const deadline = (clock: Clock, ms: number, ...surrounding: readonly AbortSignal[]): Deadline => {
  const controller = new AbortController();
  const cancel = clock.after(Math.max(ms, 0), () => controller.abort(timedOut()));
  // A composed signal costs as much as the rest of a call's limit.
  const signal = surrounding.length === 0 ? controller.signal : AbortSignal.any([controller.signal, ...surrounding]);
  return { signal, [Symbol.dispose]: cancel };
};

/** Waits; rejects with the signal's reason when that ends first. */
export const sleep = (clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });

/**
 * Returns the result of `value`; rejects with the signal's reason when that ends first, and leaves the work running.
 */
export const orAbort = <Value>(
  value: Value | Promise<Value>,
  signal: AbortSignal | undefined,
): Value | Promise<Value> => {
  if (signal === undefined || !(value instanceof Promise)) return value;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void value.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });
};
