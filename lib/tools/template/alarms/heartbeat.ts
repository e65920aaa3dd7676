import type { ScheduleTrigger } from '../functions/function-row.ts';

/** The time without a run after which a heartbeat rings, as periods of an alarm. */
export type Heartbeat = {
  /** Seconds. */
  readonly period: number;
  readonly evaluationPeriods: number | object;
};

const units: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/**
 * Returns the seconds between two runs of a schedule: a rate, or a time of each day, hour or part of an hour.
 *
 * @throws {Error} for another expression
 */
export const intervalOf = (expression: string): number => {
  const [, count, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count !== undefined) return Number(count) * (units[unit] ?? 0);
  const [, minutes] = /^cron\(\d{1,2}\/([1-9]\d?) \* \* \* \? \*\)$/.exec(expression) ?? [];
  if (minutes !== undefined) return Number(minutes) * 60;
  if (/^cron\(\d{1,2} \* \* \* \? \*\)$/.test(expression)) return 3_600;
  if (/^cron\(\d{1,2} \d{1,2} \* \* \? \*\)$/.test(expression)) return 86_400;
  throw new Error(`the interval of the schedule ${expression} is unknown: give its row a heartbeat`);
};

/** A run may begin late by the retries of the scheduler. Metrics of Lambda arrive within three minutes. */
const minDelay = 240;
const maxDelay = 7_200;

/**
 * Returns the window of an alarm that rings when a run is missing: the interval of the schedule and a quarter of it.
 *
 * CloudWatch retrieves more periods than it compares, and uses the older values when the newest are missing. Many short
 * periods that count as 0 without data ring on time; one period as long as the interval would ring days late.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 *
 * All periods together may have a day, and from periods of an hour on seven days.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
export const heartbeatOf = ({ expression, heartbeat }: ScheduleTrigger): Heartbeat => {
  if (heartbeat !== undefined) return heartbeat;
  if (typeof expression !== 'string') throw new Error('a schedule whose expression is an intrinsic needs a heartbeat');
  const interval = intervalOf(expression);
  const silence = interval + Math.min(Math.max(interval / 4, minDelay), maxDelay);
  const period = interval < 3_600 ? 60 : interval < 86_400 ? 300 : 3_600;
  return { period, evaluationPeriods: Math.ceil(silence / period) };
};

/** Returns how long no run began when a heartbeat rings, as text. */
export const silenceOf = ({ period, evaluationPeriods }: Heartbeat): string => {
  if (typeof evaluationPeriods !== 'number') return `${period / 60} intervals`;
  const seconds = period * evaluationPeriods;
  return seconds < 7_200 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
};
