/*
 * Requests whose answer is lost, and which are carried out later. A client may count on some time after which none
 * arrives any more, so each has an end.
 */

/** The time after which a late request has arrived, in ms. Write-back counts on two minutes. */
export const lateMs = 100_000;

type LateRequest = { readonly at: number; readonly run: () => unknown };

/** Opens the late requests of a shop. */
export const openLateRequests = () => {
  let waiting: readonly LateRequest[] = [];
  return {
    /** Adds a request that is carried out at an instant, in epoch milliseconds. */
    add: (at: number, run: LateRequest['run']): void => void (waiting = [...waiting, { at, run }]),
    /** Carries out the requests whose time has come, in their order. */
    carryOut: async (now: number): Promise<void> => {
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      await Promise.all(due.map(async ({ run }) => run()));
    },
  };
};

export type LateRequests = ReturnType<typeof openLateRequests>;
