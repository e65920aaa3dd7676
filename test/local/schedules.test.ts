import { expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/deployment.ts';
import { FunctionError, type Invoke } from '../../lib/local/functions.ts';
import { schedulesOf, startSchedule } from '../../lib/local/schedules.ts';

const rule = (Properties: Readonly<Record<string, unknown>>) =>
  schedulesOf(
    deploy(
      { Resources: { Rule: { Type: 'AWS::Events::Rule', Properties } } },
      { way: 'connected', parameters: {}, sqs: '' },
    ),
  );

const Targets = [{ Id: 'one', Arn: 'arn:function' }];
const ruleArn = 'arn:aws:events:eu-central-1:000000000000:rule/returns-connected-Rule';

test.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(2 hours)', 7_200_000],
])('reads %s', (ScheduleExpression, periodMs) => {
  expect(rule({ ScheduleExpression, Targets })).toEqual([{ ruleArn, functionArn: 'arn:function', periodMs }]);
});

test('passes over a rule for events', () => {
  expect(rule({ EventBusName: 'aws.partner/a', EventPattern: { source: ['aws.partner/a'] }, Targets })).toEqual([]);
});

test.each([
  [{ ScheduleExpression: 'cron(0 8 * * ? *)', Targets }, '/ScheduleExpression: the local stack knows rates only'],
  [{ ScheduleExpression: 'rate(0 minutes)', Targets }, '/ScheduleExpression: the local stack knows rates only'],
  [{ ScheduleExpression: 'rate(1 minute)' }, '/Targets: the local stack knows one target'],
  [{ ScheduleExpression: 'rate(1 minute)', Targets, State: 'DISABLED' }, '/State: unknown to the local stack'],
])('refuses what it does not know', (properties, message) => {
  expect(() => rule(properties)).toThrow(`/Resources/Rule/Properties${message}`);
});

test('invokes the function at once and then by its rate, though it fails, until it is closed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: unknown[] = [];
  const invoke: Invoke = async (arn, event, trigger) => {
    events.push({ arn, event, trigger });
    throw new FunctionError('it failed');
  };
  const schedule = startSchedule({ ruleArn, functionArn: 'arn:function', periodMs: 60_000 }, invoke);
  await vi.advanceTimersByTimeAsync(120_000);
  await schedule.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(events).toHaveLength(3);
  expect(events[0]).toEqual({
    arn: 'arn:function',
    trigger: 'schedule',
    event: expect.objectContaining({ 'detail-type': 'Scheduled Event', source: 'aws.events', resources: [ruleArn] }),
  });
});
