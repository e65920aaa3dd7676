import { retentionConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { count } from '../../../runtime/metrics.ts';
import { refundStatus } from '../../../domain/returns/money/refund-status.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { openRun, ScheduleFailed, type Remaining } from '../run.ts';
import { setDueIfAbsent, postpone, readDueItems, type DueItem, type DueKind } from '../../../store/engine/due.ts';
import { countStuckErasures } from '../../../store/jobs/job-list.ts';
import { eraseDuePerson, eraseTexts, eraseWithdrawal } from '../../../store/personal/erasure.ts';
import { eraseEvidence } from '../../../store/personal/evidence.ts';
import { orderKey, orderOfPartition, personKey, subjectOfPartition } from '../../../store/engine/keys.ts';
import { readOrder, removeOrderFacts } from '../../../store/orders/orders.ts';
import { readReturnsOfOrder, readReturnsOfSubject } from '../../../store/returns/order-returns.ts';
import { transact } from '../../../store/engine/transact.ts';
import { readWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { withdrawalOfSubject } from '../../../domain/withdrawals/model/withdrawal.ts';
import {
  isEndedBefore,
  forEachEndedReturn,
  dayMs,
  processAll,
  isLate,
  daysBefore,
  type RetentionResult,
  type Task,
} from './for-each-ended-return.ts';

/*
 * Personal data and orders are deleted a number of days after they are no longer needed. Notes and files of a return
 * are found by its last change. Customers and orders have a due time in their rows, since many of them have no return.
 * They are checked again as long as a return needs them.
 */

const name = 'apply-retention';
const pageSize = 48;

const config = configured(retentionConfig);

/** Whether money is in progress or needs attention. */
const openRefundStatuses: ReadonlySet<string> = new Set(['pending', 'unknown', 'failed', 'recovery_due']);
const isSettled = (state: Return): boolean => !openRefundStatuses.has(refundStatus(state));

/** Erases the notes and files of a return. Its customer may be older than the due rows. */
const eraseReturn = async ({ run: { session }, at, applied }: Task, state: Return): Promise<void> => {
  applied.texts += await eraseTexts(session, state);
  let after: string | undefined;
  do {
    const page = await eraseEvidence(session, state.id, { after, countOnly: false });
    applied.files += page.count;
    ({ after } = page);
  } while (after !== undefined);
  await setDueIfAbsent(session, 'persons', personKey(state.subject), at);
};

/**
 * Returns when data that returns need is checked again.
 * That is after the retention of their last change, at the earliest tomorrow.
 */
const nextCheckAt = (at: number, days: number, returns: readonly Pick<Return, 'updatedAt'>[] = []): number =>
  Math.max(at + dayMs, ...returns.map(({ updatedAt }) => Date.parse(updatedAt) + days * dayMs));

const erasePerson = async ({ run: { session }, at, applied }: Task, due: DueItem, days: number): Promise<void> => {
  const returns = await readReturnsOfSubject(session, subjectOfPartition(due.pk));
  if (returns?.every((state) => isEndedBefore(state, daysBefore(at, days))) !== true)
    return postpone(session, due, nextCheckAt(at, days, returns));
  if (await eraseDuePerson(session, due)) applied.persons += 1;
};

const removeOrder = async ({ run: { session }, at, applied }: Task, due: DueItem, days: number): Promise<void> => {
  const record = await readOrder(session, orderOfPartition(due.pk));
  const since = daysBefore(at, days);
  // The index lags when the item is deleted or has changed.
  if (record === undefined || record.order.updatedAt >= since) return;
  const returns = await readReturnsOfOrder(session, record.order, record.ledger.returns);
  if (returns?.every((state) => isEndedBefore(state, since) && isSettled(state)) !== true)
    return postpone(session, due, nextCheckAt(at, days, returns));
  const { written } = await transact(session, removeOrderFacts(record));
  if (written) applied.orders += 1;
};

/** Erases the texts of a declaration some days after the last change by a caller. Its history stays. */
const eraseDeclaration = async ({ run: { session }, at, applied }: Task, due: DueItem, days: number): Promise<void> => {
  const id = withdrawalOfSubject(subjectOfPartition(due.pk)) ?? '';
  const state = await readWithdrawal(session, id);
  if (state !== undefined && state.changedAt >= daysBefore(at, days))
    return postpone(session, due, nextCheckAt(at, days, [{ updatedAt: state.changedAt }]));
  applied.texts += await eraseWithdrawal(session, id, false);
};

const applyToDue = async (task: Task, kind: DueKind, processItem: (due: DueItem) => Promise<void>): Promise<void> => {
  for await (const page of readDueItems(task.run.session, kind, task.run.now, pageSize)) {
    if (isLate(task)) {
      task.applied.through = false;
      return;
    }
    await processAll(task, page, processItem);
  }
};

const applyToPersons = async (task: Task, days: number): Promise<void> => {
  await forEachEndedReturn(task, `${name}-returns`, days, async (state) => eraseReturn(task, state));
  await applyToDue(task, 'persons', async (due) => erasePerson(task, due, days));
};

const applyToOrders = async (task: Task, days: number): Promise<void> => {
  const { session } = task.run;
  await forEachEndedReturn(task, `${name}-orders`, days, async ({ order }) =>
    setDueIfAbsent(session, 'orders', orderKey(order), task.at),
  );
  await applyToDue(task, 'orders', async (due) => removeOrder(task, due, days));
  await applyToDue(task, 'declarations', async (due) => eraseDeclaration(task, due, days));
};

/** Counts erasures that a person waits for. They are jobs of their own, but no schedule watches jobs. */
const reportStuckErasures = async ({ run, at }: Task): Promise<void> =>
  count({ ErasuresStuck: await countStuckErasures(run.session, at) });

/**
 * Erases the notes and files of an ended return PERSONAL_RETENTION_DAYS after its last change.
 * Erases a customer the same time after the last update, unless a return of the customer is more recent. Deletes an
 * order ORDER_RETENTION_DAYS after its last change, unless its returns are more recent or have money in progress.
 * Erases a declaration of withdrawal the same time after its last change. The
 * next run continues an incomplete run. It also reports erasure jobs that are stuck.
 *
 * @param at the time of the run, in epoch milliseconds
 * @throws {ScheduleFailed} after all items, when some failed
 */
export const applyRetention = async (
  _event: unknown,
  context: Remaining,
  at = Date.now(),
): Promise<RetentionResult> => {
  const { personalDays, orderDays } = config();
  using run = openRun(name, context, at);
  const applied: RetentionResult = { texts: 0, files: 0, persons: 0, orders: 0, failed: 0, through: true };
  const task = { run, at, applied };
  const outcomes = await Promise.allSettled([
    personalDays === undefined ? undefined : applyToPersons(task, personalDays),
    orderDays === undefined ? undefined : applyToOrders(task, orderDays),
    reportStuckErasures(task),
  ]);
  log(applied.failed > 0 ? 'error' : 'info', `${name} completed`, applied);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken !== undefined) throw new ScheduleFailed(errorName(broken.reason), { cause: broken.reason });
  if (applied.failed > 0) throw new ScheduleFailed(`retention was not applied ${applied.failed} times`);
  return applied;
};
