import * as expire from '#validators/expire';
import * as listReturns from '#validators/listReturns';
import type { Backend } from '../contract/port.ts';
import * as operations from '../contract/operations.ts';
import { withValidation } from '../http/with-validation.ts';
import { isSettled, openRun, type Remaining } from './run.ts';
import { walkReturns, type ReturnOutcome, type WalkResult } from './walk-returns.ts';

const name = 'expire-returns';

/** Where a return may expire; what else is overdue there are other deadlines. */
const waiting: ReadonlySet<string> = new Set(['approved', 'info_requested']);

/**
 * Lets returns expire that nothing came of by their deadline. A return is expired as it was found, by a key that
 * follows from that: two runs at once do it once. One that has changed, or does not expire, is passed over: goods are
 * on their way, or what is overdue is not the customer's to do, for which it would take an administrator.
 *
 * @throws {ScheduleFailed} once the others are done, when some failed
 */
export const expireReturns = (backend: Pick<Backend, 'listReturns' | 'expire'>) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const run = withValidation<'expire'>(operations.expire, expire, backend.expire);
  return async function handler(_event: unknown, context: Remaining): Promise<WalkResult> {
    using opened = openRun(name, context);
    return await walkReturns(opened, {
      list,
      query: () => ({ overdue: true, sort: 'dueAt' }),
      wants: ({ status }) => waiting.has(status),
      deal: async ({ returnId: id, version }): Promise<ReturnOutcome> => {
        const call = { ...opened.call('returns:write'), ifMatch: version, idempotencyKey: `expire-${id}-${version}` };
        const expired = await run({ returnId: id }, call);
        if (expired.ok) return 'done';
        const { code } = expired.failure;
        // Its own deadline has not passed: only an administrator lets it expire before.
        return isSettled(code) || code === 'insufficient_scope' ? 'passed' : 'failed';
      },
    });
  };
};
