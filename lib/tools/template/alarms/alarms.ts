import { hasFunction, rowsOf } from '../functions.ts';
import type { FunctionRow } from '../functions/function-row.ts';
import { queuesOf, type QueueRow } from '../queues.ts';
import { alarmTable } from './alarm-table.ts';
import { ofFunction, ofQueue, type Alarm } from './alarm.ts';
import { heartbeatOf, silenceOf } from './heartbeat.ts';
import type { Offer } from '../offer.ts';

/*
 * All alarms of a deployment. They follow from the tables of functions and queues, and from the table of the others.
 * So a new queue or schedule has its alarms without a line here.
 */

const conditionOf = ({ condition }: FunctionRow | QueueRow) => (condition === undefined ? {} : { condition });

/** The alarm on errors of a schedule, or on the age of stream records, which the row of the function describes. */
const alarmOfRow = (name: string, row: FunctionRow): readonly Alarm[] => {
  if (row.alarm === undefined) return [];
  const { metric = 'Errors', threshold = 0, severity = 'warning', ...settings } = row.alarm;
  const statistic = metric === 'Errors' ? 'Sum' : 'Maximum';
  return [
    {
      name,
      severity,
      threshold,
      ...settings,
      ...conditionOf(row),
      signal: { kind: 'metric', metric: ofFunction(name, metric, statistic) },
    },
  ];
};

const heartbeats = (name: string, row: FunctionRow): readonly Alarm[] => {
  if (row.trigger.kind !== 'schedule') return [];
  const heartbeat = heartbeatOf(row.trigger);
  return [
    {
      name: `${name}Heartbeat`,
      severity: row.alarm?.severity ?? 'warning',
      description: `${name} did not run for ${silenceOf(heartbeat)}`,
      signal: { kind: 'sum', metrics: [ofFunction(name, 'Invocations', 'Sum')] },
      rings: 'below',
      threshold: 1,
      ...heartbeat,
      ringsWithoutData: true,
      ...conditionOf(row),
    },
  ];
};

/** The worker of a queue. A batch that fails in part is no error of the function. */
const workerErrors = (name: string, row: FunctionRow): readonly Alarm[] =>
  row.trigger.kind === 'queue'
    ? [
        {
          name: `${name}Errors`,
          severity: 'warning',
          description: `More than a tenth of the invocations of ${name} fail or time out; SQS delivers the messages again`,
          signal: {
            kind: 'percent',
            failures: ofFunction(name, 'Errors', 'Sum'),
            all: ofFunction(name, 'Invocations', 'Sum'),
            minFailures: 3,
          },
          threshold: 10,
          period: 900,
          evaluationPeriods: 2,
          ...conditionOf(row),
        },
      ]
    : [];

/**
 * The age of the oldest message, which is the latency of a queue, and the depth of its dead-letter queue. SQS leaves
 * messages out of the age that were received three times, so a delivery that is retried for days does not ring.
 */
const queueAlarms = (name: string, row: QueueRow): readonly Alarm[] => {
  const { queue, alarm, severity = 'warning' } = row;
  return [
    ...(queue === undefined
      ? []
      : [
          {
            name: `${name}Age`,
            severity: queue.age.severity,
            description: queue.age.alarm,
            signal: { kind: 'metric', metric: ofQueue(`${name}Queue`, 'ApproximateAgeOfOldestMessage') },
            threshold: queue.age.max,
            period: 300,
            evaluationPeriods: 2,
            ...conditionOf(row),
          } as const,
        ]),
    {
      name: `${name}DeadLetters`,
      severity,
      description: alarm,
      signal: { kind: 'metric', metric: ofQueue(`${name}DeadLetters`, 'ApproximateNumberOfMessagesVisible') },
      threshold: 0,
      period: 60,
      evaluationPeriods: 1,
      ...conditionOf(row),
    },
  ];
};

/** Whether a deployment has the functions of an alarm. */
const isWatched = (offer: Offer, of: string | undefined, onlyAdapters: true | undefined): boolean => {
  if (onlyAdapters === true && offer.adapter === undefined) return false;
  return of === undefined || hasFunction(offer, of);
};

/** The alarms of a deployment: of the APIs, the table and the metrics; of the queues; of the functions. */
export const alarmsOf = (offer: Offer): readonly Alarm[] => [
  ...Object.entries(alarmTable).flatMap(([name, { modes, of, onlyAdapters, ...alarm }]) =>
    modes.includes(offer.mode) && isWatched(offer, of, onlyAdapters) ? [{ name, ...alarm }] : [],
  ),
  ...queuesOf(offer).flatMap(([name, row]) => queueAlarms(name, row)),
  ...rowsOf(offer).flatMap(([name, row]) => [
    ...workerErrors(name, row),
    ...alarmOfRow(name, row),
    ...heartbeats(name, row),
  ]),
];

/** Returns the anchor of an alarm in lib/tools/guides/alarms.md. */
export const anchorOf = ({ name }: Pick<Alarm, 'name'>): string => name.toLowerCase();
