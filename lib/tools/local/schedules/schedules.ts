import { randomUUID } from 'node:crypto';
import type { Deployed, Deployment } from '../../template/cloudformation/deployment.ts';
import type { Invoke } from '../emulators/functions.ts';
import { covers, permissionsOf } from '../emulators/policy.ts';
import { readJson, writePrivateJson } from '../json-file.ts';
import { assertKnownProperties } from '../known-properties.ts';

/*
 * The part of EventBridge Scheduler's expressions that the schedules use: rates, and times of every day or hour.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */

/** The times of a schedule, in UTC. */
type Timing =
  | { readonly kind: 'rate'; readonly periodMs: number }
  /**
   * Daily at this hour and minute, or hourly without an hour. With `everyMinutes`, at this interval from that minute of
   * the hour on.
   */
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
  // Only a divisor of an hour gives equal intervals across the full hour.
  const isEven = Number(every) > Number(minute) && 60 % Number(every) === 0;
  return every !== '' && isEven ? { kind: 'cron', minute: Number(minute), everyMinutes: Number(every) } : undefined;
};

const cronIn = (expression: string): Timing | undefined => {
  const [, minute = '', hour = ''] = /^cron\((\d{1,2}) (\d{1,2}|\*) (?:\* \* \?|\? \* \*) \*\)$/.exec(expression) ?? [];
  if (minute === '' || Number(minute) > 59 || (hour !== '*' && Number(hour) > 23)) return undefined;
  return { kind: 'cron', minute: Number(minute), ...(hour !== '*' && { hour: Number(hour) }) };
};

/** Parses an expression; undefined for one that the local stack does not support. */
export const timingOf = (expression: string): Timing | undefined =>
  rateIn(expression) ?? repeatedIn(expression) ?? cronIn(expression);

/** Returns the first time after `after`, as epoch milliseconds. A rate counts from `after`. */
export const nextTime = (timing: Timing, after: number): number => {
  if (timing.kind === 'rate') return after + timing.periodMs;
  const { everyMinutes } = timing;
  const [length, offset] =
    everyMinutes !== undefined
      ? [everyMinutes * 60_000, timing.minute * 60_000]
      : timing.hour === undefined
        ? [hourMs, timing.minute * 60_000]
        : [dayMs, timing.hour * hourMs + timing.minute * 60_000];
  // All days in UTC have the same length.
  return (Math.floor((after - offset) / length) + 1) * length + offset;
};

/** A schedule of EventBridge Scheduler that invokes a function. */
export type Schedule = {
  readonly arn: string;
  readonly functionArn: string;
  readonly timing: Timing;
  /** The input of the function, as JSON with placeholders for values of the invocation. */
  readonly input: string;
};

type Properties = {
  readonly ScheduleExpression?: string;
  readonly ScheduleExpressionTimezone?: string;
  readonly FlexibleTimeWindow?: { readonly Mode?: string };
  readonly Target?: { readonly Arn?: string; readonly RoleArn?: string; readonly Input?: string };
};

const scheduleKeys = new Set([
  'Name',
  'Description',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'FlexibleTimeWindow',
  'Target',
]);
const targetKeys = new Set(['Arn', 'RoleArn', 'Input', 'RetryPolicy']);

/** The schedule invokes with its own role, which must permit that. */
const rejectForbidden = (
  roles: readonly Deployed[],
  roleArn: string | undefined,
  functionArn: string,
  path: string,
) => {
  const role = roles.find(({ local }) => local.attributes['Arn'] === roleArn);
  const access = { action: 'lambda:InvokeFunction', resource: functionArn };
  if (role === undefined || !permissionsOf(role).some((permission) => covers(permission, access)))
    throw new Error(`${path}/RoleArn: its role does not permit to invoke ${functionArn}`);
};

const scheduleOf = ({ logicalId, local, properties }: Deployed, roles: readonly Deployed[]): Schedule => {
  const path = `/Resources/${logicalId}/Properties`;
  assertKnownProperties(properties, scheduleKeys, path);
  const { ScheduleExpression = '', ScheduleExpressionTimezone, FlexibleTimeWindow, Target } = properties as Properties;
  assertKnownProperties(Target ?? {}, targetKeys, `${path}/Target`);
  const timing = timingOf(ScheduleExpression);
  if (timing === undefined)
    throw new Error(`${path}/ScheduleExpression: the local stack knows rates and times of each day or hour only`);
  if (ScheduleExpressionTimezone !== 'UTC')
    throw new Error(`${path}/ScheduleExpressionTimezone: the local stack knows UTC only`);
  if (FlexibleTimeWindow?.Mode !== 'OFF') throw new Error(`${path}/FlexibleTimeWindow: the local stack knows OFF only`);
  const { Arn, RoleArn, Input } = Target ?? {};
  if (Arn === undefined || Input === undefined)
    throw new Error(`${path}/Target: the local stack knows functions with an Input only`);
  rejectForbidden(roles, RoleArn, Arn, `${path}/Target`);
  return { arn: local.attributes['Arn'] ?? '', functionArn: Arn, timing, input: Input };
};

/**
 * Returns the schedules of a deployment.
 *
 * @throws for a property that the local stack does not support, and for a rule with a schedule instead of a Scheduler
 *   schedule
 */
export const schedulesOf = (deployment: Deployment): readonly Schedule[] => {
  for (const { logicalId, properties } of deployment.ofType('AWS::Events::Rule')) {
    if (properties['ScheduleExpression'] !== undefined)
      throw new Error(`/Resources/${logicalId}: a schedule must be an AWS::Scheduler::Schedule`);
  }
  const roles = deployment.ofType('AWS::IAM::Role');
  return deployment.ofType('AWS::Scheduler::Schedule').map((schedule) => scheduleOf(schedule, roles));
};

/**
 * Fills the placeholders:
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
 */
const eventOf = ({ arn, input }: Schedule, due: number): unknown => {
  const words: Readonly<Record<string, string>> = {
    '<aws.scheduler.schedule-arn>': arn,
    '<aws.scheduler.scheduled-time>': `${new Date(due).toISOString().slice(0, 19)}Z`,
    '<aws.scheduler.execution-id>': randomUUID(),
    '<aws.scheduler.attempt-number>': '1',
  };
  return JSON.parse(input.replaceAll(/<aws\.scheduler\.[a-z-]+>/g, (word) => words[word] ?? word)) as unknown;
};

/** Opens the last due times of schedules with a cron time, by ARN. They outlive a restart of the stack. */
export const openDueTimes = async (file: string) => {
  const times = new Map(Object.entries((await readJson<Record<string, number>>(file)) ?? {}));
  let saved = Promise.resolve();
  return {
    get: (arn: string): number | undefined => times.get(arn),
    set: (arn: string, due: number): Promise<void> => {
      times.set(arn, due);
      return (saved = saved.catch(() => undefined).then(() => writePrivateJson(file, Object.fromEntries(times))));
    },
  };
};

export type DueTimes = Awaited<ReturnType<typeof openDueTimes>>;

/** Returns the last missed time, or else the next one. */
const firstDue = (timing: Timing, last: number, now: number): number => {
  let due = nextTime(timing, last);
  for (let next = nextTime(timing, due); next <= now; next = nextTime(timing, due)) due = next;
  return due;
};

/**
 * Runs a schedule until it is closed. Closing waits for running invocations. A rate begins at once, because its time
 * passed while the stack was down. A cron time runs when it is due, and at once when it was missed.
 */
export const startSchedule = (schedule: Schedule, invoke: Invoke, dueTimes: DueTimes) => {
  const { arn, functionArn, timing } = schedule;
  const running = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  const track = (work: Promise<unknown>): void => {
    // The log of the mode has the failure.
    const run: Promise<unknown> = work.catch(() => undefined).finally(() => running.delete(run));
    running.add(run);
  };
  const fire = async (due: number): Promise<void> => {
    // Stored before the invocation, so that a function that ends the process is not invoked repeatedly.
    if (timing.kind === 'cron') await dueTimes.set(arn, due);
    await invoke(functionArn, eventOf(schedule, due), 'schedule');
  };
  const waitFor = (due: number): void => {
    const comeDue = () => {
      track(fire(due));
      waitFor(nextTime(timing, Math.max(due, Date.now())));
    };
    timer = setTimeout(comeDue, due - Date.now());
  };
  const now = Date.now();
  const last = dueTimes.get(arn);
  if (timing.kind === 'cron' && last === undefined) track(dueTimes.set(arn, now));
  waitFor(timing.kind === 'rate' ? now : firstDue(timing, last ?? now, now));
  return {
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
};
