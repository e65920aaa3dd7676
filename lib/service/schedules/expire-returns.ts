import * as expire from '#validators/expire';
import * as listReturns from '#validators/listReturns';
import type { Backend } from '../../contract/port.ts';
import * as operations from '../../contract/operations.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { isPermanent, openRun, type Remaining } from './run.ts';
import { processReturns, type ItemOutcome, type RoundResult } from './process-returns.ts';

const name = 'expire-returns';

/** Statuses in which a return may expire. In other statuses the overdue deadline is another one. */
const waiting: ReadonlySet<string> = new Set(['approved', 'info_requested']);

/**
 * Expires returns whose deadline has passed without goods or a reply.
 * The idempotency key follows from the version that was read, so two concurrent runs expire a return once. A run skips
 * a return that has changed or does not expire. Its goods are on their way, or the overdue task is not the customer's
 * and needs an administrator.
 *
 * @throws {ScheduleFailed} after the other returns, when some failed
 */
export const expireReturns = (backend: Pick<Backend, 'listReturns' | 'expire'>) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const run = withValidation<'expire'>(operations.expire, expire, backend.expire);
  return async function handler(_event: unknown, context: Remaining): Promise<RoundResult> {
    using opened = openRun(name, context);
    return await processReturns(opened, {
      list,
      query: () => ({ overdue: true, sort: 'dueAt' }),
      wants: ({ status }) => waiting.has(status),
      processItem: async ({ returnId: id, version }): Promise<ItemOutcome> => {
        const call = { ...opened.call('returns:write'), ifMatch: version, idempotencyKey: `expire-${id}-${version}` };
        const expired = await run({ returnId: id }, call);
        if (expired.ok) return 'done';
        const { code } = expired.failure;
        // Its own deadline has not passed. Only an administrator can expire it earlier.
        return isPermanent(code) || code === 'insufficient_scope' ? 'passed' : 'failed';
      },
    });
  };
};
