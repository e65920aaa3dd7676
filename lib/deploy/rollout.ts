import type { Alarm } from './alarms/alarm.ts';
import { rowsOf } from './functions.ts';
import type { Mode, Trigger } from './functions/function-row.ts';

/**
 * The values of TrafficShift: off, and CodeDeploy's predefined configurations for Lambda.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/deployment-configurations.html
 */
export const shifts = [
  'off',
  'Canary10Percent5Minutes',
  'Canary10Percent10Minutes',
  'Canary10Percent15Minutes',
  'Canary10Percent30Minutes',
  'Linear10PercentEvery1Minute',
  'Linear10PercentEvery2Minutes',
  'Linear10PercentEvery3Minutes',
  'Linear10PercentEvery10Minutes',
];

/** The parts of a deployment that roll back for the same reasons. Each has one composite alarm. */
export const rolloutParts = ['api', 'hooks', 'work'] as const;
export type RolloutPart = (typeof rolloutParts)[number];

const parts: Readonly<Record<Trigger['kind'], RolloutPart>> = {
  operation: 'api',
  web: 'api',
  webhook: 'hooks',
  queue: 'work',
  stream: 'work',
  schedule: 'work',
  rotation: 'work',
  authorizer: 'api',
  operator: 'work',
};

/** Returns the name of a part's composite alarm, as text of `Fn::Sub`. */
export const rolloutAlarmName = (part: RolloutPart): string => `returns-\${Stage}-rollout-${part}`;

/** Returns the part of an alarm that a bad version raises. Ages and heartbeats ring too late for that. */
const partOf = (mode: Mode, name: string): RolloutPart | undefined => {
  if (name === 'ApiErrors' || name === 'ApiLatency') return 'api';
  if (name === 'HooksErrors' || name === 'HooksLatency') return 'hooks';
  const isOfFunction = rowsOf(mode).some(([row]) => name === row || name === `${row}Errors`);
  return isOfFunction || name.endsWith('DeadLetters') ? 'work' : undefined;
};

/** Returns the alarms of a part. An alarm under a condition may be missing, so it rolls nothing back. */
export const alarmsOfPart = (mode: Mode, part: RolloutPart, alarms: readonly Alarm[]): readonly Alarm[] =>
  alarms.filter(({ name, condition }) => condition === undefined && partOf(mode, name) === part);

/** Returns the name of the alarm that rolls a function back, as text of `Fn::Sub`. */
export const rolloutAlarmOf = (kind: Trigger['kind']): string => rolloutAlarmName(parts[kind]);
