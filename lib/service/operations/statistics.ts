import type { Output, Input } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { withStore } from '../execution/execute.ts';
import { type Status, statuses } from '../../domain/returns/model/status.ts';
import type { RefundStatus } from '../../domain/returns/money/refund-status.ts';
import { endedStatuses } from '../../domain/returns/rules/states.ts';
import { moneyIn, type Sum, sumsBy, total, ranked, figuresView } from '../statistics/report.ts';
import { dayAfter, daysFrom, isDay, monthOf, spansOf } from '../statistics/steps.ts';
import type { Session } from '../../store/engine/session.ts';
import { readNewestChange } from '../../store/returns/changed-returns.ts';
import { countOverdue } from '../../store/returns/summaries.ts';
import {
  type Dimension,
  readCounters,
  readNewestCountedChange,
  type PeriodRange,
  type CounterRow,
} from '../../store/statistics/counters.ts';

/** Reads the freshness of the counters. It has the times of the newest counted change and of the newest change. */
const readFreshness = async (session: Session): Promise<Output<'getSummary'>['freshness']> => {
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
    const figures = total(byStatus);
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
      refunded: moneyIn(figures, 'refunded'),
      due: moneyIn(figures, 'due'),
      freshness,
    };
    return ok({ status: 200, body });
  });

type AnalyticsInput = Input<'getAnalytics'>;
type Range = { readonly first: string; readonly last: string };

/** The maximum number of days in the range. */
const maxDays = { day: 92, others: 1_827 } as const;
/** The default range in days. By month it is the last twelve months. */
const defaultDays = 30;
const defaultMonths = 12;
const defaultLimit = 100;

const invalidDays = (path: string, code: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The range of days is invalid.',
    errors: [{ path, code, message }],
  });

const monthsBefore = (day: string, months: number): string => {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const count = year * 12 + month - 1 - months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`;
};

const rangeOf = ({ groupBy, requestedFrom, requestedTo }: AnalyticsInput, today: string): Result<Range> => {
  for (const [name, day] of Object.entries({ requestedFrom, requestedTo }))
    if (day !== undefined && !isDay(day)) return invalidDays(`/${name}`, 'format', 'must be a day, such as 2026-11-21');
  const last = requestedTo ?? today;
  const usual = groupBy === 'month' ? monthsBefore(last, defaultMonths - 1) : dayAfter(last, 1 - defaultDays);
  const first = requestedFrom ?? usual;
  const days = daysFrom(first, last);
  if (days < 1) return invalidDays('/requestedFrom', 'maximum', `must not be after requestedTo, ${last}`);
  const maximum = groupBy === 'day' ? maxDays.day : maxDays.others;
  return days <= maximum
    ? ok({ first, last })
    : invalidDays('/requestedFrom', 'minimum', `must be ${dayAfter(last, 1 - maximum)} or later with this requestedTo`);
};

/** Returns the dimension to read. Days and months count returns of any status. */
const dimensionOf = (groupBy: AnalyticsInput['groupBy']): Dimension =>
  groupBy === 'day' || groupBy === 'month' ? 'status' : groupBy;

const valueIn =
  (groupBy: AnalyticsInput['groupBy']) =>
  ({ of, value }: CounterRow): string => {
    if (groupBy === 'day') return of;
    return groupBy === 'month' ? monthOf(of) : value;
  };

const readAll = async (session: Session, dimension: Dimension, spans: readonly PeriodRange[]) => {
  const found = await Promise.all(spans.map(async (span) => readCounters(session, dimension, span)));
  const rows: CounterRow[] = [];
  for (const counters of found) {
    if (counters === undefined) return undefined;
    for (const row of counters) rows.push(row);
  }
  return rows;
};

/** Aggregates returns by a dimension over the days of their requests. */
export const getAnalytics = async (
  input: AnalyticsInput,
  call: Call,
): Promise<Result<Reply<Output<'getAnalytics'>>>> => {
  const { groupBy, limit = defaultLimit } = input;
  const sort = input.sort ?? (groupBy === 'day' || groupBy === 'month' ? 'value' : 'returns');
  const range = rangeOf(input, new Date().toISOString().slice(0, 10));
  if (!range.ok) return range;
  const { first, last } = range.value;
  const spans: readonly PeriodRange[] = groupBy === 'day' ? [{ grain: 'DAY', first, last }] : spansOf(first, last);
  return withStore(call, async (session) => {
    const [rows, freshness] = await Promise.all([
      readAll(session, dimensionOf(groupBy), spans),
      readFreshness(session),
    ]);
    if (rows === undefined)
      return invalidDays('/requestedFrom', 'max_items', `must be later: the range has too many values of ${groupBy}`);
    const { first: items, others } = ranked(sumsBy(rows, valueIn(groupBy)), sort, limit);
    const body: Output<'getAnalytics'> = {
      groupBy,
      requestedFrom: first,
      requestedTo: last,
      items: items.map(({ value, figures }) => ({ value: value === '' ? null : value, ...figuresView(figures) })),
      ...(others.length === 0 ? {} : { rest: { values: others.length, ...figuresView(total(others)) } }),
      freshness,
    };
    return ok({ status: 200, body });
  });
};
