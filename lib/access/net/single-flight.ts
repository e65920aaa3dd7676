/** Work that several callers share. */
export type Flight<Value> = {
  /** Waits for the outcome until `signal` ends, and then rejects with its reason. */
  readonly join: (signal: AbortSignal) => Promise<Value>;
  /** Whether it runs and is not aborted, so that a caller can join. */
  readonly isOpen: () => boolean;
};

/**
 * Starts work once for all callers that join. A caller that leaves does not affect the others. When the last one
 * leaves, the work is aborted with its reason, and that caller waits for the end of the work. So no work is left
 * without a caller.
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
