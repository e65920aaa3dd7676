import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { FunctionError, type Invoke } from '../../lib/local/emulators/functions.ts';
import { nextTime, openDueTimes, schedulesOf, startSchedule, timingOf } from '../../lib/local/schedules/schedules.ts';
import { temporaryDirectory } from './support.ts';

const Role = (resource: string) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    Policies: [
      { PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: resource }] } },
    ],
  },
});

const deployed = (Type: string, Properties: Readonly<Record<string, unknown>>, permitted = 'arn:function*') =>
  schedulesOf(
    deploy(
      { Resources: { Role: Role(permitted), Schedule: { Type, Properties } } },
      { mode: 'connected', parameters: {}, sqs: '' },
    ),
  );

const Target = {
  Arn: 'arn:function',
  RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
  Input: '{"time":"<aws.scheduler.scheduled-time>"}',
  RetryPolicy: { MaximumRetryAttempts: 2 },
};
const usual = {
  ScheduleExpression: 'rate(1 minutes)',
  ScheduleExpressionTimezone: 'UTC',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target,
};
const arn = 'arn:aws:scheduler:eu-central-1:000000000000:schedule/default/returns-connected-Schedule';

describe('local schedules', () => {
  test.each([
    ['rate(1 minute)', { kind: 'rate', periodMs: 60_000 }],
    ['rate(5 minutes)', { kind: 'rate', periodMs: 300_000 }],
    ['rate(2 hours)', { kind: 'rate', periodMs: 7_200_000 }],
    ['cron(15 0 * * ? *)', { kind: 'cron', minute: 15, hour: 0 }],
    ['cron(7 * ? * * *)', { kind: 'cron', minute: 7 }],
    ['cron(2/15 * * * ? *)', { kind: 'cron', minute: 2, everyMinutes: 15 }],
  ])('read %s', (ScheduleExpression, timing) => {
    expect(deployed('AWS::Scheduler::Schedule', { ...usual, ScheduleExpression })).toEqual([
      { arn, functionArn: 'arn:function', timing, input: Target.Input },
    ]);
  });

  test.each([
    ['cron(15 3 * * ? *)', '2026-11-22T03:14:59.999Z', '2026-11-22T03:15:00.000Z'],
    ['cron(15 3 * * ? *)', '2026-11-22T03:15:00.000Z', '2026-11-23T03:15:00.000Z'],
    ['cron(15 3 * * ? *)', '2026-12-31T23:00:00.000Z', '2027-01-01T03:15:00.000Z'],
    ['cron(15 * * * ? *)', '2026-11-22T03:15:00.000Z', '2026-11-22T04:15:00.000Z'],
    ['cron(2/15 * * * ? *)', '2026-11-22T03:17:00.000Z', '2026-11-22T03:32:00.000Z'],
    ['cron(2/15 * * * ? *)', '2026-11-22T23:59:00.000Z', '2026-11-23T00:02:00.000Z'],
    ['rate(5 minutes)', '2026-11-22T03:15:00.000Z', '2026-11-22T03:20:00.000Z'],
  ])('run %s after %s at %s', (expression, after, next) => {
    const timing = timingOf(expression);
    expect(timing && new Date(nextTime(timing, Date.parse(after))).toISOString()).toBe(next);
  });

  test('skip a rule for events', () => {
    const properties = { EventBusName: 'aws.partner/a', EventPattern: { source: ['aws.partner/a'] }, Targets: [] };
    expect(deployed('AWS::Events::Rule', properties)).toEqual([]);
  });

  test('refuse a rule with a schedule', () => {
    expect(() => deployed('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' })).toThrow(
      '/Resources/Schedule: a schedule must be an AWS::Scheduler::Schedule',
    );
  });

  const onlyKnown = '/ScheduleExpression: the local stack knows rates and times of each day or hour only';

  test.each([
    [{ ...usual, ScheduleExpression: 'cron(0 8 ? * MON *)' }, onlyKnown],
    [{ ...usual, ScheduleExpression: 'cron(0 24 * * ? *)' }, onlyKnown],
    [{ ...usual, ScheduleExpression: 'rate(0 minutes)' }, onlyKnown],
    [
      { ...usual, ScheduleExpressionTimezone: 'Europe/Berlin' },
      '/ScheduleExpressionTimezone: the local stack knows UTC',
    ],
    [{ ...usual, FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, '/FlexibleTimeWindow: the local stack knows OFF only'],
    [{ ...usual, Target: { Arn: 'arn:function' } }, '/Target: the local stack knows functions with an Input only'],
    [{ ...usual, Target: { ...Target, SqsParameters: {} } }, '/Target/SqsParameters: unknown to the local stack'],
    [{ ...usual, Target: { ...Target, Arn: 'arn:other' } }, '/Target/RoleArn: its role does not permit to invoke'],
    [{ ...usual, State: 'DISABLED' }, '/State: unknown to the local stack'],
  ])('refuse unknown properties', (properties, message) => {
    expect(() => deployed('AWS::Scheduler::Schedule', properties)).toThrow(`/Resources/Schedule/Properties${message}`);
  });

  const minute = 60_000;
  const day = 86_400_000;

  /** Starts a schedule with its own time, and its function. */
  const start = async (ScheduleExpression: string) => {
    // The real file system writes the state, in real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.parse('2026-11-22T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const events: unknown[] = [];
    const invoke: Invoke = async (functionArn, event, trigger) => {
      events.push({ functionArn, event, trigger });
      throw new FunctionError('it failed');
    };
    const path = join(await temporaryDirectory(), 'schedules.json');
    const [schedule] = deployed('AWS::Scheduler::Schedule', { ...usual, ScheduleExpression });
    if (schedule === undefined) throw new Error('no schedule');
    const open = async () => startSchedule(schedule, invoke, await openDueTimes(path));
    return { events, open };
  };

  const invoked = (time: string) => ({ functionArn: 'arn:function', trigger: 'schedule', event: { time } });

  test('invoke a rate at once and then by its period, also after failures, until the close', async () => {
    const { events, open } = await start('rate(1 minute)');
    const schedule = await open();
    await vi.advanceTimersByTimeAsync(2 * minute);
    await schedule.close();
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(events).toEqual(['12:00', '12:01', '12:02'].map((time) => invoked(`2026-11-22T${time}:00Z`)));
  });

  test('wait for a time of the day, and invoke at once where it was missed', async () => {
    const { events, open } = await start('cron(30 12 * * ? *)');
    const first = await open();
    await vi.advanceTimersByTimeAsync(29 * minute);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(minute);
    await first.close();
    expect(events.splice(0)).toEqual([invoked('2026-11-22T12:30:00Z')]);
    const second = await open();
    await vi.advanceTimersByTimeAsync(minute);
    await second.close();
    expect(events).toEqual([]);
    // Two runs were missed. One invocation replaces both.
    vi.setSystemTime(Date.now() + 2 * day);
    const third = await open();
    await vi.advanceTimersByTimeAsync(minute);
    await third.close();
    expect(events).toEqual([invoked('2026-11-24T12:30:00Z')]);
  });
});
