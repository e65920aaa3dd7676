import { currentKey } from '../../execution/key-ring.ts';
import { addMacs, type HistoryKey } from '../../../domain/returns/history/mac.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { transact } from '../../../store/engine/transact.ts';
import { readErasedSequence } from '../../../store/personal/personal.ts';
import { endReminders, readWithdrawal, writeWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { readDueReminders } from '../../../store/withdrawals/withdrawal-list.ts';
import { remind } from '../../../domain/withdrawals/commands/remind.ts';
import { appendWithdrawalEntry } from '../../../domain/withdrawals/history/append.ts';
import { isSigned } from '../../../domain/withdrawals/history/fold.ts';
import { openRun, processPages, type Remaining, type Run, ScheduleFailed } from '../run.ts';

const name = 'remind-receipts';
const pageSize = 50;
/** Withdrawals that are processed concurrently, and the time below which no page begins. */
const pace = { atOnce: 8, pageMs: 10_000 };

type Outcome = 'reminded' | 'passed' | 'failed';
/** The counts of a run, and whether it has read the last page. */
type Reminded = Record<Outcome, number> & { readonly through: boolean };

/** Reminds of one receipt. Of two concurrent runs, the version lets one write. */
const remindOne = async (run: Run, id: string, key: HistoryKey): Promise<'reminded' | 'passed'> => {
  const { session, now } = run;
  const state = await readWithdrawal(session, id);
  const event = state === undefined ? undefined : remind(state, now);
  // The index lags behind a change.
  if (state === undefined || event === undefined) return 'passed';
  if ((await readErasedSequence(session, id)) > 0) {
    await endReminders(session, state);
    return 'passed';
  }
  const { caller, causationId, traceId } = run.call('returns:write');
  const metadata = { at: now, actor: { clientId: caller.clientId }, causationId, correlationId: traceId };
  const next = appendWithdrawalEntry(state, event, metadata);
  if (!isSigned(next.state)) return 'passed';
  const { written } = await transact(session, writeWithdrawal(next.state, addMacs([next.entry], key), state));
  return written ? 'reminded' : 'passed';
};

const remindSafely = async (run: Run, id: string, key: HistoryKey): Promise<Outcome> => {
  try {
    return await remindOne(run, id, key);
  } catch (error) {
    log('error', 'receipt not reminded', { withdrawalId: id, error: errorName(error) });
    return 'failed';
  }
};

/**
 * Emits `withdrawal.receipt_due` again for receipts that are not reported as sent: daily for a week, then weekly.
 * A reminded withdrawal leaves the range of due ones, so the next run continues an incomplete run. A reminder of an
 * erased declaration is not sent, because its receipt cannot be made again.
 *
 * @param at the time of the run, in epoch milliseconds
 * @throws {ScheduleFailed} after the other withdrawals, when some failed
 */
export const remindReceipts = async (_event: unknown, context: Remaining, at = Date.now()): Promise<Reminded> => {
  using run = openRun(name, context, at);
  const counts: Record<Outcome, number> = { reminded: 0, passed: 0, failed: 0 };
  const key = await currentKey(run.session);
  const due = readDueReminders(run.session, run.now, pageSize);
  const through = await processPages(run, due, pace, counts, async (id) => remindSafely(run, id, key));
  const done = { ...counts, through };
  log(done.failed > 0 ? 'error' : 'info', `${name} completed`, done);
  if (done.failed > 0) throw new ScheduleFailed(`${done.failed} receipts were not reminded`);
  return done;
};
