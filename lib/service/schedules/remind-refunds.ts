import * as getReturn from '#validators/getReturn';
import * as listReturns from '#validators/listReturns';
import * as remindRefund from '#validators/remindRefund';
import type { Output } from '../../contract/contract.ts';
import * as operations from '../../contract/operations.ts';
import type { Backend } from '../../contract/port.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { addDays, refundDueSoonDays } from '../../domain/returns/rules/deadlines.ts';
import { count } from '../../runtime/metrics.ts';
import { isPermanent, openRun, type Remaining } from './run.ts';
import { type ItemOutcome, type RoundResult, processReturns } from './process-returns.ts';

const name = 'remind-refunds';

/** Statuses in which no refund is due. */
const endedStatuses: ReadonlySet<string> = new Set(['completed', 'rejected', 'cancelled', 'expired']);

type ReminderState = Pick<Output<'getReturn'>, 'deadlines' | 'refundReminders'>;

/** Whether a reminder is due that was not sent. The command decides by its own clock which one it is. */
const isReminderDue = ({ deadlines: { refundDueBy }, refundReminders = {} }: ReminderState, now: string): boolean => {
  if (refundDueBy === undefined || now < addDays(refundDueBy, -refundDueSoonDays)) return false;
  return (refundDueBy < now ? refundReminders.overdue : refundReminders.dueSoon) !== refundDueBy;
};

/** Whether money is owed after its due date. A paid refund keeps its due date, but allows no reminder. */
const isOverdue = (
  { deadlines: { refundDueBy }, allowedActions }: Pick<Output<'getReturn'>, 'deadlines' | 'allowedActions'>,
  now: string,
): boolean =>
  refundDueBy !== undefined &&
  refundDueBy < now &&
  allowedActions?.some(({ action, allowed }) => action === 'remindRefund' && allowed) === true;

/**
 * Emits reminders of refunds that are due within days, or overdue.
 * It lists all returns whose first open deadline is as near. The refund deadline is among these, or is later and found
 * then. It reads each return before it writes. So a refund that is overdue for weeks gets two reminders and costs one
 * read per run. `RefundsOverdue` is the number of returns with an overdue refund that the run has read.
 *
 * @throws {ScheduleFailed} after the other returns, when some failed
 */
export const remindRefunds = (backend: Pick<Backend, 'listReturns' | 'getReturn' | 'remindRefund'>) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const read = withValidation<'getReturn'>(operations.getReturn, getReturn, backend.getReturn);
  const remind = withValidation<'remindRefund'>(operations.remindRefund, remindRefund, backend.remindRefund);
  return async function handler(_event: unknown, context: Remaining): Promise<RoundResult> {
    using opened = openRun(name, context);
    const overdue = new Set<string>();
    const processItem = async (returnId: string): Promise<ItemOutcome> => {
      const found = await read({ returnId }, opened.call('returns:read'));
      if (!found.ok) return isPermanent(found.failure.code) ? 'passed' : 'failed';
      const { version } = found.value.body;
      if (isOverdue(found.value.body, opened.now)) overdue.add(returnId);
      if (!isReminderDue(found.value.body, opened.now)) return 'passed';
      // Of two concurrent runs, the second receives the stored response of the first. A response that the reminder is
      // too early is stored too, and must not stay for a day. So the key has the hour.
      const hour = opened.now.slice(0, 13);
      const reminderCall = {
        ...opened.call('returns:write'),
        ifMatch: version,
        idempotencyKey: `remind-${returnId}-${version}-${hour}`,
      };
      const reminded = await remind({ returnId }, reminderCall);
      if (reminded.ok) return 'done';
      return isPermanent(reminded.failure.code) ? 'passed' : 'failed';
    };
    const result = await processReturns(opened, {
      list,
      query: () => ({ dueBefore: addDays(opened.now, refundDueSoonDays), sort: 'dueAt' }),
      wants: ({ status }) => !endedStatuses.has(status),
      processItem: async ({ returnId }) => processItem(returnId),
    }).catch((error: unknown) => {
      // A zero would be a statement about returns that this run has not read.
      if (overdue.size > 0) count({ RefundsOverdue: overdue.size });
      throw error;
    });
    count({ RefundsOverdue: overdue.size });
    return result;
  };
};
