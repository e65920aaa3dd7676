/*
 * The part of EventBridge Scheduler's expressions that our schedules use: rates, and times of every day or hour.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */

/** When a schedule is due, in UTC. */
export type Timing =
  | { readonly kind: 'rate'; readonly periodMs: number }
  /** Each day at this hour and minute, or each hour where there is no hour; from that minute of the hour on every so often. */
  | { readonly kind: 'cron'; readonly minute: number; readonly hour?: number; readonly everyMinutes?: number };

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const dayMs = 86_400_000;
const hourMs = 3_600_000;

const rateIn = (expression: string): Timing | undefined => {
  const [, count, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const length = units[unit];
  return length === undefined ? undefined : { kind: 'rate', periodMs: Number(count) * length };
};

const repeatedIn = (expression: string): Timing | undefined => {
  const [, minute = '', every = ''] =
    /^cron\((\d{1,2})\/(\d{1,2}) \* (?:\* \* \?|\? \* \*) \*\)$/.exec(expression) ?? [];
  // Only what divides an hour comes as often after the full hour as before it.
  const isEven = Number(every) > Number(minute) && 60 % Number(every) === 0;
  return every !== '' && isEven ? { kind: 'cron', minute: Number(minute), everyMinutes: Number(every) } : undefined;
};

const cronIn = (expression: string): Timing | undefined => {
  const [, minute = '', hour = ''] = /^cron\((\d{1,2}) (\d{1,2}|\*) (?:\* \* \?|\? \* \*) \*\)$/.exec(expression) ?? [];
  if (minute === '' || Number(minute) > 59 || (hour !== '*' && Number(hour) > 23)) return undefined;
  return { kind: 'cron', minute: Number(minute), ...(hour !== '*' && { hour: Number(hour) }) };
};

/** What an expression says; undefined for what the local stack does not know. */
export const timingOf = (expression: string): Timing | undefined =>
  rateIn(expression) ?? repeatedIn(expression) ?? cronIn(expression);

/** The first time after `after` at which a timing is due, as epoch milliseconds. A rate counts from `after`. */
export const nextTime = (timing: Timing, after: number): number => {
  if (timing.kind === 'rate') return after + timing.periodMs;
  const { everyMinutes } = timing;
  const [length, offset] =
    everyMinutes !== undefined
      ? [everyMinutes * 60_000, timing.minute * 60_000]
      : timing.hour === undefined
        ? [hourMs, timing.minute * 60_000]
        : [dayMs, timing.hour * hourMs + timing.minute * 60_000];
  // Days of UTC are of one length.
  return (Math.floor((after - offset) / length) + 1) * length + offset;
};
