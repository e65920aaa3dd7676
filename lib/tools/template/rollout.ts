import type { Gateway } from './alarms/alarm.ts';
import type { Trigger } from './functions/function-row.ts';
import { hasInbox } from './functions.ts';
import type { Offer } from './offer.ts';

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

/** The HTTP APIs with an alarm that rolls back the functions behind them. */
export const rolloutApis = (offer: Offer): readonly Gateway[] => (hasInbox(offer) ? ['Api', 'Hooks'] : ['Api']);

/**
 * What rolls a deployment back: `own` is an alarm on errors of the new version. A function behind a gateway responds to
 * its own errors, so an alarm of its API watches it. No alarm watches what only an operator invokes.
 */
export const rollbackBy = {
  operation: 'Api',
  authorizer: 'Api',
  web: undefined,
  webhook: 'Hooks',
  queue: 'own',
  stream: 'own',
  schedule: 'own',
  rotation: 'own',
  operator: undefined,
} as const satisfies Readonly<Record<Trigger['kind'], Gateway | 'own' | undefined>>;

/** Returns the name of the alarm that rolls functions back, by its API or its function, as text of `Fn::Sub`. */
export const rolloutAlarmName = (watched: string): string => `returns-\${Stage}-rollout-${watched}`;
