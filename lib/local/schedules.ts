import { randomUUID } from 'node:crypto';
import type { EventBridgeEvent } from 'aws-lambda';
import type { Deployed, Deployment } from './deployment.ts';
import type { Invoke } from './functions.ts';
import { accountId, region } from './template.ts';

/** A rule that invokes a function every so often. */
export type Schedule = { readonly ruleArn: string; readonly functionArn: string; readonly periodMs: number };

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const periodOf = (expression: unknown, place: string): number => {
  const [, count, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(String(expression)) ?? [];
  const length = units[unit];
  if (length === undefined) throw new Error(`${place}/ScheduleExpression: the local stack knows rates only`);
  return Number(count) * length;
};

type Target = { readonly Id: string; readonly Arn: string };

const scheduleOf = ({ logicalId, local, properties }: Deployed): Schedule => {
  const place = `/Resources/${logicalId}/Properties`;
  const { ScheduleExpression, Targets, ...others } = properties;
  const [target, ...more] = (Targets ?? []) as readonly Target[];
  const unknown = Object.keys(others).find((name) => name !== 'Name' && name !== 'Description');
  if (unknown !== undefined) throw new Error(`${place}/${unknown}: unknown to the local stack`);
  if (target === undefined || more.length > 0) throw new Error(`${place}/Targets: the local stack knows one target`);
  return {
    ruleArn: local.attributes['Arn'] ?? '',
    functionArn: target.Arn,
    periodMs: periodOf(ScheduleExpression, place),
  };
};

/** The schedules of a deployment. Rules for events of a partner are none: no partner sends any here. */
export const schedulesOf = (deployment: Deployment): readonly Schedule[] =>
  deployment
    .ofType('AWS::Events::Rule')
    .filter(({ properties }) => properties['EventPattern'] === undefined)
    .map(scheduleOf);

/** What EventBridge hands over. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
const eventOf = ({ ruleArn }: Schedule, now: Date): EventBridgeEvent<'Scheduled Event', object> => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: accountId,
  time: `${now.toISOString().slice(0, 19)}Z`,
  region,
  resources: [ruleArn],
  detail: {},
});

/** Keeps a schedule, beginning at once: while the stack was down, its time has come. Closing waits for what runs. */
export const startSchedule = (schedule: Schedule, invoke: Invoke) => {
  const running = new Set<Promise<unknown>>();
  const fire = (): void => {
    // How it failed is in the log of the way.
    const run: Promise<unknown> = invoke(schedule.functionArn, eventOf(schedule, new Date()), 'schedule')
      .catch(() => undefined)
      .finally(() => running.delete(run));
    running.add(run);
  };
  fire();
  const timer = setInterval(fire, schedule.periodMs);
  return {
    close: async (): Promise<void> => {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
};
