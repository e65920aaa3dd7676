import { lateMs, type LateRequests } from '../shops/late-requests.ts';

/**
 * What happens to the next mutation. `cut_before`: the connection ends before it runs. `cut_after`: it runs, and the
 * answer is lost. `late`: the answer is lost, and it runs before the first request after its time. `stuck`: the same, and
 * it has no time. `failed_after` and `rejected_after`: it runs, and the answer is a 502 or a 400. `throttled`: it does
 * not run.
 */
export type WriteFault =
  | 'cut_before'
  | 'cut_after'
  | 'late'
  | 'stuck'
  | 'failed_after'
  | 'rejected_after'
  | 'throttled';

const throttled = {
  errors: [{ extensions: { code: 'THROTTLED' } }],
  extensions: { cost: { requestedQueryCost: 10, throttleStatus: { currentlyAvailable: 10, restoreRate: 100 } } },
};

/**
 * Runs a mutation with a fault, and returns the answer; undefined if it is lost.
 *
 * @param now epoch milliseconds
 */
export const interrupt = async (
  fault: WriteFault,
  run: () => Promise<unknown>,
  late: LateRequests,
  now: number,
): Promise<readonly [status: number, body: string] | undefined> => {
  switch (fault) {
    case 'throttled':
      return [200, JSON.stringify(throttled)];
    case 'cut_before':
      return undefined;
    case 'late':
    case 'stuck':
      late.add(fault === 'late' ? now + lateMs : Number.POSITIVE_INFINITY, run);
      return undefined;
    case 'cut_after':
      await run();
      return undefined;
    case 'failed_after':
    case 'rejected_after':
      await run();
      return [fault === 'failed_after' ? 502 : 400, '{"errors":"Fault"}'];
  }
};
