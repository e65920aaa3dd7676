import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FunctionError } from '../../../lib/tools/local/emulators/functions.ts';
import {
  nextTime,
  openDueTimes,
  schedulesOf,
  startSchedule,
  timingOf,
} from '../../../lib/tools/local/schedules/schedules.ts';
import { allow, deployed, roleWith } from './resources.ts';
import { temporaryDirectory } from './support.ts';

const Role = roleWith([allow('lambda:InvokeFunction', 'arn:function*')]);
const Target = {
  Arn: 'arn:function',
  RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
  Input: '{"time":"<aws.scheduler.scheduled-time>"}',
  RetryPolicy: { MaximumRetryAttempts: 2 },
};
const schedulesWith = (changes: Readonly<Record<string, unknown>>, Type = 'AWS::Scheduler::Schedule') => {
  const usual = { ScheduleExpressionTimezone: 'UTC', FlexibleTimeWindow: { Mode: 'OFF' }, Target };
  const Properties = Type.startsWith('AWS::Events') ? changes : { ...usual, ...changes };
  return schedulesOf(deployed({ Role, Schedule: { Type, Properties } }));
};

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html */
describe('EventBridge Scheduler', () => {
  it.each([
    ['cron(15 3 * * ? *)', '2026-11-22T03:14:59.999Z', '2026-11-22T03:15:00.000Z'],
    ['cron(15 3 * * ? *)', '2026-11-22T03:15:00.000Z', '2026-11-23T03:15:00.000Z'],
    ['cron(15 3 * * ? *)', '2026-12-31T23:00:00.000Z', '2027-01-01T03:15:00.000Z'],
    ['cron(15 * ? * * *)', '2026-11-22T03:15:00.000Z', '2026-11-22T04:15:00.000Z'],
    ['cron(2/15 * * * ? *)', '2026-11-22T03:17:00.000Z', '2026-11-22T03:32:00.000Z'],
    ['cron(2/15 * * * ? *)', '2026-11-22T23:59:00.000Z', '2026-11-23T00:02:00.000Z'],
    ['rate(1 minute)', '2026-11-22T03:15:00.000Z', '2026-11-22T03:16:00.000Z'],
    ['rate(2 hours)', '2026-11-22T03:15:00.000Z', '2026-11-22T05:15:00.000Z'],
  ])('runs %s after %s at %s', (expression, after, next) => {
    const timing = timingOf(expression);
    expect(timing && new Date(nextTime(timing, Date.parse(after))).toISOString()).toBe(next);
  });

  const onlyKnown = '/ScheduleExpression: the local stack knows rates and times of each day or hour only';
  it.each([
    [{ ScheduleExpression: 'cron(0 8 ? * MON *)' }, onlyKnown],
    [{ ScheduleExpression: 'cron(0 24 * * ? *)' }, onlyKnown],
    [{ ScheduleExpression: 'rate(0 minutes)' }, onlyKnown],
    [{ ScheduleExpressionTimezone: 'Europe/Berlin' }, '/ScheduleExpressionTimezone: the local stack knows UTC'],
    [{ FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, '/FlexibleTimeWindow: the local stack knows OFF only'],
    [{ Target: { Arn: 'arn:function' } }, '/Target: the local stack knows functions with an Input only'],
    [{ Target: { ...Target, SqsParameters: {} } }, '/Target/SqsParameters: unknown to the local stack'],
    [{ Target: { ...Target, Arn: 'arn:other' } }, '/Target/RoleArn: its role does not permit to invoke'],
    [{ State: 'DISABLED' }, '/State: unknown to the local stack'],
  ])('is rejected with %j', (changes, message) => {
    const schedules = () => schedulesWith({ ScheduleExpression: 'rate(1 minutes)', ...changes });
    expect(schedules).toThrow(`/Resources/Schedule/Properties${message}`);
  });

  it('is not a rule: rules for events are skipped, and rules with a schedule are rejected', () => {
    const pattern = { EventBusName: 'aws.partner/a', EventPattern: { source: ['aws.partner/a'] }, Targets: [] };
    expect(schedulesWith(pattern, 'AWS::Events::Rule')).toEqual([]);
    expect(() => schedulesWith({ ScheduleExpression: 'rate(1 minute)' }, 'AWS::Events::Rule')).toThrow(
      '/Resources/Schedule: a schedule must be an AWS::Scheduler::Schedule',
    );
  });

  const minute = 60_000;

  /** Starts a schedule with its own time, and a function that fails. */
  const start = async (ScheduleExpression: string) => {
    // The real file system writes the state, in real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.parse('2026-11-22T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const events: unknown[] = [];
    const path = join(await temporaryDirectory(), 'schedules.json');
    const [schedule] = schedulesWith({ ScheduleExpression });
    if (schedule === undefined) throw new Error('no schedule');
    const invoke = async (functionArn: string, event: unknown, trigger: string) => {
      events.push([functionArn, trigger, event]);
      throw new FunctionError('it failed');
    };
    return { events, open: async () => startSchedule(schedule, invoke, await openDueTimes(path)) };
  };
  const invoked = (time: string) => ['arn:function', 'schedule', { time: `2026-11-${time}:00Z` }];

  it('invokes a rate at once and then by its period, also after failures, until the close', async () => {
    const { events, open } = await start('rate(1 minute)');
    const schedule = await open();
    await vi.advanceTimersByTimeAsync(2 * minute);
    await schedule.close();
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(events).toEqual(['22T12:00', '22T12:01', '22T12:02'].map(invoked));
  });

  it('waits for a time of the day, and invokes once at the start where it was missed', async () => {
    const { events, open } = await start('cron(30 12 * * ? *)');
    const first = await open();
    await vi.advanceTimersByTimeAsync(29 * minute);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(minute);
    await first.close();
    for (const days of [0, 2]) {
      vi.setSystemTime(Date.now() + days * 86_400_000);
      const next = await open();
      await vi.advanceTimersByTimeAsync(minute);
      await next.close();
    }
    expect(events).toEqual(['22T12:30', '24T12:30'].map(invoked));
  });
});
