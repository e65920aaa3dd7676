import type { Clock } from './clock.ts';

/** A signal that ends with a time limit or with what surrounds it. Disposing stops its timer. */
export type Deadline = Disposable & { readonly signal: AbortSignal };

/** What a signal is aborted with when time ran out, as `AbortSignal.timeout` does (DOM 3.2). */
export const timedOut = (): DOMException => new DOMException('the time limit was reached', 'TimeoutError');

/** Whether a signal ended because time ran out, rather than because nobody waits any more. */
export const isTimedOut = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/**
 * Limits what follows to `ms`. Not `AbortSignal.timeout`: its timer cannot be stopped, and cannot be driven by a test.
 *
 * @example using limit = deadline(clock, 5_000, signal);
 */
export const deadline = (clock: Clock, ms: number, ...surrounding: readonly AbortSignal[]): Deadline => {
  const controller = new AbortController();
  const cancel = clock.after(Math.max(ms, 0), () => controller.abort(timedOut()));
  // A composed signal costs as much as all the rest of a call's limit.
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

/** What `value` becomes; rejects with the signal's reason when that ends first, and leaves it to itself. */
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
