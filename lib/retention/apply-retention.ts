import { retentionConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { errorName, log } from '../runtime/log.ts';
import { refundStatus } from '../returns/money/refund-status.ts';
import type { Return } from '../returns/model/return.ts';
import { openRun, ScheduleFailed, type Remaining } from '../schedules/run.ts';
import { setDueIfAbsent, postpone, walkDueItems, type DueItem, type DueKind } from '../store/engine/due.ts';
import { eraseDuePerson, eraseTexts } from '../store/personal/erasure.ts';
import { eraseEvidence } from '../store/personal/evidence.ts';
import { orderKey, orderOfPartition, personKey, subjectOfPartition } from '../store/engine/keys.ts';
import { readOrder, removeOrderFacts } from '../store/orders/orders.ts';
import { readReturnsOfOrder, readReturnsOfSubject } from '../store/returns/retention.ts';
import { transact } from '../store/engine/transact.ts';
import { dayMs, processAll, isLate, daysBefore, type RetentionResult, type Task } from './task.ts';
import { isEndedBefore, forEachEndedReturn } from './for-each-ended-return.ts';

/*
 * What is kept of persons and of orders ends so many days after it is over. What was written about a return, and its files,
 * are found by its last change. Who a person is and the facts of an order have the time in their rows, since many of them
 * have no return; they are looked at again as long as a return needs them.
 */

const name = 'apply-retention';
const pageSize = 48;

const config = configured(retentionConfig);

/** Money that is under way, or that somebody has to see to. */
const openRefundStatuses: ReadonlySet<string> = new Set(['pending', 'unknown', 'failed', 'recovery_due']);
const isSettled = (state: Return): boolean => !openRefundStatuses.has(refundStatus(state));

/** Erases what was written about a return, and its files. Who its customer is may be from before there were due rows. */
const eraseReturn = async ({ run: { session }, at, applied }: Task, state: Return): Promise<void> => {
  applied.texts += await eraseTexts(session, state);
  let files: number;
  do {
    files = (await eraseEvidence(session, state.id, { after: undefined, countOnly: false })).count;
    applied.files += files;
  } while (files > 0);
  await setDueIfAbsent(session, 'persons', personKey(state.subject), at);
};

/** When something that returns need is looked at again: once the last change of them is so long ago, not before tomorrow. */
const nextCheckAt = (at: number, days: number, returns: readonly Return[] = []): number =>
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
  // The index is behind where it is gone, or has changed meanwhile.
  if (record === undefined || record.order.updatedAt >= since) return;
  const returns = await readReturnsOfOrder(session, record.order, record.ledger.returns);
  if (returns?.every((state) => isEndedBefore(state, since) && isSettled(state)) !== true)
    return postpone(session, due, nextCheckAt(at, days, returns));
  const { written } = await transact(session, removeOrderFacts(record));
  if (written) applied.orders += 1;
};

const applyToDue = async (task: Task, kind: DueKind, deal: (due: DueItem) => Promise<void>): Promise<void> => {
  for await (const page of walkDueItems(task.run.session, kind, task.run.now, pageSize)) {
    if (isLate(task)) {
      task.applied.through = false;
      return;
    }
    await processAll(task, page, deal);
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
};

/**
 * Erases what was written about a return, and its files, PERSONAL_RETENTION_DAYS after the last change of one that has
 * ended. Erases who a person is as long after they were last told of, unless a return of theirs is not over for as long.
 * Removes the facts of an order ORDER_RETENTION_DAYS after they last changed, unless a return of it is not over for as
 * long, or money of one is under way. What a run has no time for, or fails at, is left to the next one.
 *
 * @param at epoch milliseconds by which times are over
 * @throws {ScheduleFailed} once the others are dealt with, when some were not
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
  ]);
  log(applied.failed > 0 ? 'error' : 'info', `${name} ran`, applied);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken !== undefined) throw new ScheduleFailed(errorName(broken.reason), { cause: broken.reason });
  if (applied.failed > 0) throw new ScheduleFailed(`retention was not applied ${applied.failed} times`);
  return applied;
};
