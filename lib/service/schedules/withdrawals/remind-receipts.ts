import { currentKey } from '../../execution/key-ring.ts';
import { addMacs, type HistoryKey } from '../../../domain/returns/history/mac.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { count } from '../../../runtime/metrics.ts';
import { transact } from '../../../store/engine/transact.ts';
import { readErasedSequence } from '../../../store/personal/personal.ts';
import { endReminders, readWithdrawal, writeWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { readDueReminders, readOverdue } from '../../../store/withdrawals/withdrawal-list.ts';
import { isRefundOverdue, remindOfReceipt, reportOverdueRefund } from '../../../domain/withdrawals/commands/remind.ts';
import { appendWithdrawalEntry } from '../../../domain/withdrawals/history/append.ts';
import type { WithdrawalEntry, WithdrawalEvent } from '../../../domain/withdrawals/history/entry.ts';
import { isSigned } from '../../../domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal, Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { openRun, processPages, type Remaining, type Run, ScheduleFailed } from '../run.ts';

const name = 'remind-receipts';
const pageSize = 50;
/** Withdrawals that are processed concurrently, and the time below which no page begins. */
const pace = { atOnce: 8, pageMs: 10_000 };

type Outcome = 'reminded' | 'passed' | 'failed';
/** The counts of a run, its unpaid refunds after their date, and whether it has read the last page. */
type Reminded = Record<Outcome, number> & { readonly overdue: number; readonly through: boolean };

type Due = { readonly events: readonly WithdrawalEvent[]; readonly isErased: boolean };

/** Returns the events that are due. An erased receipt can no longer be sent, but its consumer must still be paid. */
const dueEvents = async ({ session, now }: Run, state: Withdrawal): Promise<Due> => {
  const receipt = remindOfReceipt(state, now);
  const isErased = receipt !== undefined && (await readErasedSequence(session, state.id)) > 0;
  const due = [isErased ? undefined : receipt, reportOverdueRefund(state, now)];
  return { events: due.filter((event) => event !== undefined), isErased };
};

/** Writes the events that are due. Of two concurrent runs, the version lets one write. */
const remindOne = async (run: Run, state: Withdrawal, key: HistoryKey): Promise<'reminded' | 'passed'> => {
  const { session, now } = run;
  const { caller, causationId, traceId } = run.call('returns:write');
  const metadata = { at: now, actor: { clientId: caller.clientId }, causationId, correlationId: traceId };
  const entries: WithdrawalEntry[] = [];
  let next: UnsignedWithdrawal = state;
  const { events, isErased } = await dueEvents(run, state);
  for (const event of events) {
    const appended = appendWithdrawalEntry(next, event, metadata);
    entries.push(appended.entry);
    next = appended.state;
  }
  if (!isSigned(next)) return 'passed';
  // The index lags behind a change: then there is nothing to write.
  const writes = entries.length === 0 ? [] : writeWithdrawal(next, addMacs(entries, key), state);
  const written = writes.length > 0 && (await transact(session, writes)).written;
  if (isErased) await endReminders(session, next);
  return written ? 'reminded' : 'passed';
};

const remindSafely = async (run: Run, id: string, key: HistoryKey, overdue: Set<string>): Promise<Outcome> => {
  try {
    const state = await readWithdrawal(run.session, id);
    if (state === undefined) return 'passed';
    if (isRefundOverdue(state, run.now)) overdue.add(id);
    return await remindOne(run, state, key);
  } catch (error) {
    log('error', 'receipt not reminded', { withdrawalId: id, error: errorName(error) });
    return 'failed';
  }
};

/**
 * Emits `withdrawal.receipt_due` again for receipts that are not reported as sent: daily for a week, then weekly. Emits
 * `withdrawal.refund_overdue` once for held units that are not paid in time. `RefundsOverdue` counts them in each run,
 * by the index alone. A withdrawal leaves the range of due ones until its next reminder, so the next run continues an
 * incomplete run.
 * A reminder of an erased declaration is not sent, because its receipt cannot be made again.
 *
 * @param at the time of the run, in epoch milliseconds
 * @throws {ScheduleFailed} after the other withdrawals, when some failed
 */
export const remindReceipts = async (_event: unknown, context: Remaining, at = Date.now()): Promise<Reminded> => {
  using run = openRun(name, context, at);
  const counts: Record<Outcome, number> = { reminded: 0, passed: 0, failed: 0 };
  const key = await currentKey(run.session);
  const overdue = new Set<string>();
  const due = readDueReminders(run.session, run.now, pageSize);
  const through = await processPages(run, due, pace, counts, async (id) => remindSafely(run, id, key, overdue));
  for await (const ids of readOverdue(run.session)) for (const id of ids) overdue.add(id);
  // remindRefunds writes the zero.
  if (overdue.size > 0) count({ RefundsOverdue: overdue.size });
  const done = { ...counts, overdue: overdue.size, through };
  log(done.failed > 0 ? 'error' : 'info', `${name} completed`, done);
  if (done.failed > 0) throw new ScheduleFailed(`${done.failed} receipts were not reminded`);
  return done;
};
