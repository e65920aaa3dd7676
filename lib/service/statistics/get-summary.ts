import type { Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { ok, type Result } from '../../contract/result.ts';
import { withStore } from '../../execution/execute.ts';
import { type Status, statuses } from '../../returns/model/status.ts';
import type { RefundStatus } from '../../returns/money/refund-status.ts';
import { endedStatuses } from '../../returns/rules/states.ts';
import { moneyIn, type Sum, sumsBy, total } from '../../statistics/report.ts';
import { dayAfter } from '../../statistics/steps.ts';
import type { Session } from '../../store/engine/session.ts';
import { readNewestChange } from '../../store/returns/changed-returns.ts';
import { countOverdue } from '../../store/returns/summaries.ts';
import {
  type Dimension,
  readCounters,
  readNewestCountedChange,
  type PeriodRange,
} from '../../store/statistics/counters.ts';

/** Reads the freshness of the counters. It has the times of the newest counted change and of the newest change. */
export const readFreshness = async (session: Session): Promise<Output<'getSummary'>['freshness']> => {
  const [counted, changed] = await Promise.all([readNewestCountedChange(session), readNewestChange(session)]);
  return {
    ...(counted === undefined ? {} : { counted }),
    ...(changed === undefined ? {} : { changed }),
  };
};

const allTime: PeriodRange = { grain: 'ALL', first: '', last: '' };
/** The maximum count of overdue returns. */
const maxOverdue = 1_000;

/** Reads sums. There are few statuses, so one read covers all of them, for all time or for a month of days. */
const readSums = async (session: Session, dimension: Dimension, span: PeriodRange, by: 'value' | 'of' = 'value') =>
  sumsBy((await readCounters(session, dimension, span)) ?? [], (row) => row[by]);

const returnsIn = (sums: readonly Sum[]): number => total(sums)['returns'] ?? 0;

/** Counts returns as they are now, from the counters. */
export const getSummary = async (_: object, call: Call): Promise<Result<Reply<Output<'getSummary'>>>> =>
  withStore(call, async (session) => {
    const now = new Date().toISOString();
    const today = now.slice(0, 10);
    const since = dayAfter(today, -29);
    const [byStatus, byRefundStatus, byDay, overdue, freshness] = await Promise.all([
      readSums(session, 'status', allTime),
      readSums(session, 'refundStatus', allTime),
      readSums(session, 'status', { grain: 'DAY', first: since, last: today }, 'of'),
      countOverdue(session, now, maxOverdue),
      readFreshness(session),
    ]);
    const requestedSince = (day: string) => returnsIn(byDay.filter(({ value }) => value >= day));
    const inOrder = byStatus.toSorted(
      (a, b) => statuses.indexOf(a.value as Status) - statuses.indexOf(b.value as Status),
    );
    const all = total(byStatus);
    const body: Output<'getSummary'> = {
      returns: returnsIn(byStatus),
      open: returnsIn(byStatus.filter(({ value }) => !endedStatuses.has(value as Status))),
      statuses: inOrder.map(({ value, figures }) => ({ status: value as Status, returns: figures['returns'] ?? 0 })),
      refundStatuses: byRefundStatus.map(({ value, figures }) => ({
        refundStatus: value as RefundStatus,
        returns: figures['returns'] ?? 0,
      })),
      overdue,
      requested: {
        today: requestedSince(today),
        last7Days: requestedSince(dayAfter(today, -6)),
        last30Days: requestedSince(since),
      },
      refunded: moneyIn(all, 'refunded'),
      due: moneyIn(all, 'due'),
      freshness,
    };
    return ok({ status: 200, body });
  });
