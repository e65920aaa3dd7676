import * as getAnalytics from '#validators/getAnalytics';
import type { Output } from '../../contract/contract.ts';
import { getAnalytics as operation } from '../../contract/operations.ts';
import type { Backend } from '../../contract/port.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { addDays } from '../../domain/returns/rules/deadlines.ts';
import { summaryConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { sum } from '../../runtime/sum.ts';
import { type Checkpoint, prepareCursor, readCursor } from '../../store/engine/checkpoint.ts';
import { scheduleKey, summaryStream } from '../../store/engine/keys.ts';
import { transact } from '../../store/engine/transact.ts';
import { writeUnlisted } from '../../store/events/outbox.ts';
import { openRun, type Remaining, type Run, ScheduleFailed } from './run.ts';

type Analytics = Output<'getAnalytics'>;
type Item = Analytics['items'][number];
type Money = Item['refunded'][number];

/** The totals of the returns that were requested on a day. */
type DaySummary = {
  readonly day: string;
  readonly returns: number;
  /** Their number by current status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly units: Item['units'];
  /** By currency. */
  readonly refunded: readonly Money[];
  readonly due: readonly Money[];
  readonly freshness: Analytics['freshness'];
};

const unitNames = ['requested', 'approved', 'received', 'accepted'] as const satisfies readonly (keyof Item['units'])[];

const sumBy = (items: readonly Item[], of: (item: Item) => number): number => sum(items.map(of));

const moneyOf = (amounts: readonly Money[]): readonly Money[] =>
  [...Map.groupBy(amounts, ({ currency }) => currency)]
    .map(([currency, same]) => ({ currency, amount: sum(same.map(({ amount }) => amount)) }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

/** Merges the figures of a day over all statuses. */
const summaryOf = (day: string, { items, freshness }: Analytics): DaySummary => ({
  day,
  returns: sumBy(items, ({ returns }) => returns),
  statuses: Object.fromEntries(items.map(({ value, returns }) => [value ?? 'none', returns])),
  units: Object.fromEntries(
    unitNames.map((name) => [name, sumBy(items, ({ units }) => units[name])]),
  ) as DaySummary['units'],
  refunded: moneyOf(items.flatMap(({ refunded }) => refunded)),
  due: moneyOf(items.flatMap(({ due }) => due)),
  freshness,
});

const name = 'daily-summary';

/** Missed days that one run summarises. The next run continues. */
const maxDays = 31;
/** No day begins with less time left. */
const dayMs = 12_000;

const config = configured(summaryConfig);

/** The payload of the schedule. */
type ScheduleEvent = { readonly time?: string };

const dayOf = (instant: string, days: number): string => addDays(instant, days).slice(0, 10);

/**
 * Returns the due time of the run: now, when the payload has none or an invalid one. A day is never summarised before
 * its end: its summary would be incomplete, and it is written only once.
 */
const dueAt = (event: ScheduleEvent | null, now: string): string => {
  const due = Date.parse(event?.time ?? '');
  return due < Date.parse(now) ? new Date(due).toISOString() : now;
};

/** The days to summarise: those after the last summary, or only yesterday for the first run. */
const daysToSummarize = (last: string | undefined, yesterday: string): readonly string[] => {
  if (last === undefined) return [yesterday];
  const days: string[] = [];
  for (let day = dayOf(last, 1); day <= yesterday && days.length < maxDays; day = dayOf(day, 1)) days.push(day);
  return days;
};

/** Moves the checkpoint and, in the standalone mode, emits the event; undefined when another run did. */
const recordSummary = async (
  run: Run,
  checkpoint: Checkpoint,
  summary: DaySummary,
): Promise<Checkpoint | undefined> => {
  const { caller, causationId, traceId } = run.call('returns:admin');
  const { next, write } = prepareCursor(scheduleKey(name), checkpoint, summary.day);
  const domainEvent = {
    sequence: 1,
    type: 'summary.daily',
    at: run.now,
    actor: { clientId: caller.clientId },
    data: summary,
    causationId,
    correlationId: traceId,
  };
  const eventWrites = config().emitsEvents ? writeUnlisted(summaryStream(summary.day), domainEvent) : [];
  const { written } = await transact(run.session, [write, ...eventWrites]);
  return written ? next : undefined;
};

const logSummary = ({ day, returns, units, freshness, statuses }: DaySummary): void => {
  log('info', 'daily summary created', {
    day,
    returns,
    units: units.requested,
    ...statuses,
    counted: freshness.counted,
  });
  // In the standalone mode the publisher counts each return.
  count({ ...(!config().emitsEvents && { ReturnsRequested: returns }), UnitsRequested: units.requested });
};

/**
 * Summarises the returns that were requested on the day before the due time.
 * It writes a log line, metrics, and in the standalone mode the event `summary.daily`. Each missed day gets its own
 * summary. The checkpoint moves first, so of two concurrent runs one writes the summary. A run that dies right after it
 * leaves out the line and the metrics.
 *
 * @param event holds the due time as an instant; a missing or future one means now
 * @throws {ScheduleFailed} when the figures cannot be read
 */
export const dailySummary = (backend: Pick<Backend, 'getAnalytics'>) => {
  const read = withValidation<'getAnalytics'>(operation, getAnalytics, backend.getAnalytics);
  return async function handler(
    event: ScheduleEvent | null,
    context: Remaining,
  ): Promise<{ readonly emitted: number }> {
    using run = openRun(name, context);
    let checkpoint: Checkpoint | undefined = await readCursor(run.session, scheduleKey(name));
    let emitted = 0;
    for (const day of daysToSummarize(checkpoint.cursor, dayOf(dueAt(event, run.now), -1))) {
      if (Date.now() + dayMs > run.end) break;
      const input = { groupBy: 'status', requestedFrom: day, requestedTo: day } as const;
      const found = await read(input, run.call('returns:admin'));
      if (!found.ok) throw new ScheduleFailed(`the daily summary of ${day} failed: ${found.failure.code}`);
      const summary = summaryOf(day, found.value.body);
      checkpoint = await recordSummary(run, checkpoint, summary);
      if (checkpoint === undefined) break;
      logSummary(summary);
      emitted += 1;
    }
    return { emitted };
  };
};
