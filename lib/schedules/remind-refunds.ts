import * as getReturn from '#validators/getReturn';
import * as listReturns from '#validators/listReturns';
import * as remindRefund from '#validators/remindRefund';
import type { Output } from '../contract/contract.ts';
import * as operations from '../contract/operations.ts';
import type { Backend } from '../contract/port.ts';
import { withValidation } from '../http/with-validation.ts';
import { addDays, refundDueSoonDays } from '../returns/rules/deadlines.ts';
import { isSettled, openRun, type Remaining } from './run.ts';
import { type ReturnOutcome, type WalkResult, walkReturns } from './walk-returns.ts';

const name = 'remind-refunds';

/** Where nobody waits for money. */
const endedStatuses: ReadonlySet<string> = new Set(['completed', 'rejected', 'cancelled', 'expired']);

type ReminderState = Pick<Output<'getReturn'>, 'deadlines' | 'refundReminders'>;

/** Whether something is to be told that was not; what it is the command finds out by its own clock. */
const isReminderDue = ({ deadlines: { refundDueBy }, refundReminders = {} }: ReminderState, now: string): boolean => {
  if (refundDueBy === undefined || now < addDays(refundDueBy, -refundDueSoonDays)) return false;
  return (refundDueBy < now ? refundReminders.overdue : refundReminders.dueSoon) !== refundDueBy;
};

/**
 * Has it told of refunds that are due within days, or overdue. All returns are looked at whose first open deadline is
 * as near: the refund's is among them or comes later, and is found by then. Each is read before it is written to, so
 * that one that waits for its money for weeks is told of twice and no more, and costs a read at a time.
 *
 * @throws {ScheduleFailed} once the others are done, when some failed
 */
export const remindRefunds = (backend: Pick<Backend, 'listReturns' | 'getReturn' | 'remindRefund'>) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const read = withValidation<'getReturn'>(operations.getReturn, getReturn, backend.getReturn);
  const remind = withValidation<'remindRefund'>(operations.remindRefund, remindRefund, backend.remindRefund);
  return async function handler(_event: unknown, context: Remaining): Promise<WalkResult> {
    using opened = openRun(name, context);
    const deal = async (returnId: string): Promise<ReturnOutcome> => {
      const found = await read({ returnId }, opened.call('returns:read'));
      if (!found.ok) return isSettled(found.failure.code) ? 'passed' : 'failed';
      const { version } = found.value.body;
      if (!isReminderDue(found.value.body, opened.now)) return 'passed';
      // Of two runs at once the second one is given the first one's answer. That it was too early by the service's
      // clock is
      // an answer too, which must not stay for a day.
      const hour = opened.now.slice(0, 13);
      const told = {
        ...opened.call('returns:write'),
        ifMatch: version,
        idempotencyKey: `remind-${returnId}-${version}-${hour}`,
      };
      const reminded = await remind({ returnId }, told);
      if (reminded.ok) return 'done';
      return isSettled(reminded.failure.code) ? 'passed' : 'failed';
    };
    return await walkReturns(opened, {
      list,
      query: () => ({ dueBefore: addDays(opened.now, refundDueSoonDays), sort: 'dueAt' }),
      wants: ({ status }) => !endedStatuses.has(status),
      deal: async ({ returnId }) => deal(returnId),
    });
  };
};
