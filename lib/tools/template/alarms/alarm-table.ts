import { modes } from '../functions/function-row.ts';
import { mailCondition, mailRuleName } from '../permissions/mails.ts';
import {
  type AlarmRow,
  failuresOfRule,
  ofAllFunctions,
  ofGateway,
  tableThrottles,
  throttledRequests,
  twoOfThree,
  type WatchedApi,
} from './alarm.ts';
import { metricAlarms } from './metric-alarms.ts';

type Watched = {
  /** What the API serves, in words. */
  readonly serves: string;
  readonly maxLatencyMs: number;
  /** @default 5 */
  readonly minFailures?: number;
} & Pick<AlarmRow, 'condition' | 'of'>;

/** Error rate, latency and throttles of an HTTP API, as callers notice them. */
const ofApi = (
  api: WatchedApi,
  { serves, maxLatencyMs, minFailures = 5, ...condition }: Watched,
): Readonly<Record<string, AlarmRow>> => ({
  [`${api}Errors`]: {
    ...condition,
    modes,
    severity: 'critical',
    description: `More than 5 % of the requests of ${serves} get a status from 500 on`,
    signal: {
      kind: 'percent',
      failures: ofGateway(api, '5xx', 'Sum'),
      all: ofGateway(api, 'Count', 'Sum'),
      minFailures,
    },
    threshold: 5,
    ...twoOfThree,
  },
  [`${api}Latency`]: {
    ...condition,
    modes,
    severity: 'warning',
    description: `One of a hundred requests of ${serves} takes more than ${maxLatencyMs / 1000} s`,
    signal: {
      kind: 'percentile',
      metric: ofGateway(api, 'Latency', 'p99'),
      samples: ofGateway(api, 'Count', 'Sum'),
      minSamples: 50,
    },
    threshold: maxLatencyMs,
    period: 300,
    evaluationPeriods: 3,
  },
  [`${api}Throttles`]: {
    ...condition,
    modes,
    severity: 'warning',
    description: `The gateway rejects requests of ${serves} with status 429, because they exceed its rate`,
    signal: { kind: 'metric', metric: throttledRequests(api) },
    threshold: 20,
    ...twoOfThree,
  },
});

/** The alarms by their names, without those that the tables of functions and queues give. */
export const alarmTable: Readonly<Record<string, AlarmRow>> = {
  // A caller of the API waits for less than ten seconds. Most shops wait for five.
  ...ofApi('Api', { serves: 'the API', maxLatencyMs: 3_000 }),
  ...ofApi('Hooks', { serves: 'the webhooks of shops', of: 'receiveWebhook', maxLatencyMs: 2_000 }),
  // Few consumers withdraw, so an outage of the page has few errors. The law obliges the trader to serve it.
  ...ofApi('Web', { serves: 'the API for browsers', maxLatencyMs: 3_000, minFailures: 1, condition: 'ServesWeb' }),
  LambdaThrottles: {
    modes,
    severity: 'critical',
    description: 'Lambda rejects invocations, because the functions of the account use up its concurrency',
    signal: { kind: 'metric', metric: ofAllFunctions('Throttles', 'Sum') },
    threshold: 10,
    ...twoOfThree,
  },
  TableThrottles: {
    modes,
    severity: 'warning',
    description: 'DynamoDB throttles the table or one of its indexes',
    signal: { kind: 'sum', metrics: tableThrottles },
    threshold: 50,
    ...twoOfThree,
  },
  MailsNotQueued: {
    modes: ['standalone'],
    condition: mailCondition,
    severity: 'warning',
    description: 'EventBridge cannot put messages for sendMails into their queue, and does not try again',
    signal: {
      kind: 'sum',
      metrics: [
        failuresOfRule(mailRuleName('MailMessages'), { Ref: 'EventBus' }),
        failuresOfRule(mailRuleName('MailBounces')),
        failuresOfRule(mailRuleName('MailComplaints')),
      ],
    },
    threshold: 0,
    period: 300,
    evaluationPeriods: 1,
  },
  ...metricAlarms,
};
