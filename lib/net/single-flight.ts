/** Work that several callers wait for together. */
export type Flight<Value> = {
  /** Waits for the outcome until `signal` ends; then rejects with its reason. */
  readonly join: (signal: AbortSignal) => Promise<Value>;
  /** Whether it is still under way and not given up: otherwise there is nothing to join. */
  readonly isOpen: () => boolean;
};

/**
 * Starts work once for all who join. A waiter that leaves disturbs nobody. The work is aborted when the last one leaves,
 * with its reason, and that one is let go when the work has ended: nothing stays behind that nobody waits for.
 */
export const startFlight = <Value>(work: (signal: AbortSignal) => Promise<Value>): Flight<Value> => {
  const controller = new AbortController();
  const outcome = work(controller.signal);
  let open = true;
  const land = () => {
    open = false;
  };
  const landed = outcome.then(land, land);
  let waiters = 0;
  const join = (signal: AbortSignal) =>
    new Promise<Value>((resolve, reject) => {
      waiters += 1;
      const leave = () => {
        waiters -= 1;
        if (waiters > 0) return reject(signal.reason);
        controller.abort(signal.reason);
        void landed.then(() => reject(signal.reason));
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      const arrive = () => {
        signal.removeEventListener('abort', leave);
        if (!signal.aborted) outcome.then(resolve, reject);
      };
      void landed.then(arrive);
    });
  return { join, isOpen: () => open && !controller.signal.aborted };
};
