import {
  ofAllFunctions,
  ofDeployment,
  ofFunction,
  ofGateway,
  ofQueue,
  tableThrottles,
  throttledRequests,
  type Gateway,
  type Metric,
} from '../alarms/alarm.ts';
import { rowsOf } from '../functions.ts';
import type { FunctionRow, Mode } from '../functions/function-row.ts';
import { queuesOf } from '../queues.ts';
import type { Resource } from './cloudformation.ts';

/*
 * Makes the dashboard of a deployment from the tables of functions and queues.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */

/** A curve: a metric with its label, or a search for metrics whose further dimensions are unknown. */
type Curve = readonly [label: string, metric: Metric] | { readonly search: string; readonly statistic: string };

type Graph = {
  readonly title: string;
  readonly curves: readonly Curve[];
  /** Seconds. @default 300 */
  readonly period?: number;
};

type Section = { readonly title: string; readonly graphs: readonly Graph[] };

const gateway = (api: Gateway, title: string): Section => ({
  title,
  graphs: [
    {
      title: `${title}: requests`,
      curves: [
        ['requests', ofGateway(api, 'Count', 'Sum')],
        ['4xx', ofGateway(api, '4xx', 'Sum')],
        ['5xx', ofGateway(api, '5xx', 'Sum')],
        ['throttled', throttledRequests(api)],
      ],
    },
    {
      title: `${title}: latency in ms`,
      curves: [
        ['p50', ofGateway(api, 'Latency', 'p50')],
        ['p99', ofGateway(api, 'Latency', 'p99')],
      ],
    },
  ],
});

const capacity: Section = {
  title: 'Capacity',
  graphs: [
    {
      title: 'Lambda: concurrency of the account',
      curves: [
        ['concurrent executions', ofAllFunctions('ConcurrentExecutions', 'Maximum')],
        ['throttled invocations', ofAllFunctions('Throttles', 'Sum')],
      ],
    },
    {
      title: 'DynamoDB: throttled requests',
      curves: tableThrottles.map((metric) => {
        const { GlobalSecondaryIndexName: index } = metric.dimensions;
        return [`${metric.name} ${typeof index === 'string' ? index : 'table'}`, metric] as const;
      }),
    },
  ],
};

/** Returns the names of the functions with a kind of trigger. */
const functionsOf = (mode: Mode, kind: FunctionRow['trigger']['kind']): readonly string[] =>
  rowsOf(mode)
    .filter(([, { trigger }]) => trigger.kind === kind)
    .map(([name]) => name);

const work = (mode: Mode): Section => {
  const queues = queuesOf(mode);
  const waiting = queues.filter(([, { queue }]) => queue !== undefined).map(([name]) => `${name}Queue`);
  const dead = queues.map(([name]) => `${name}DeadLetters`);
  const consumers = functionsOf(mode, 'stream');
  return {
    title: 'Queues and stream',
    graphs: [
      {
        title: 'Queues: age of the oldest message in s',
        curves: waiting.map((id) => [id, ofQueue(id, 'ApproximateAgeOfOldestMessage')]),
      },
      {
        title: 'Dead letters',
        curves: dead.map((id) => [id, ofQueue(id, 'ApproximateNumberOfMessagesVisible')]),
      },
      {
        title: 'Workers: errors',
        curves: functionsOf(mode, 'queue').map((name) => [name, ofFunction(name, 'Errors', 'Sum')]),
      },
      {
        title: 'Workers: duration in ms, p99',
        curves: functionsOf(mode, 'queue').map((name) => [name, ofFunction(name, 'Duration', 'p99')]),
      },
      ...(consumers.length === 0
        ? []
        : [
            {
              title: 'Stream: age of the oldest record in ms',
              curves: consumers.map((name) => [name, ofFunction(name, 'IteratorAge', 'Maximum')] as const),
            },
          ]),
    ],
  };
};

const schedules = (mode: Mode): Section => ({
  title: 'Schedules',
  graphs: (
    [
      ['Schedules: runs an hour', 'Invocations'],
      ['Schedules: failed runs an hour', 'Errors'],
    ] as const
  ).map(([title, metric]) => ({
    title,
    period: 3600,
    curves: functionsOf(mode, 'schedule').map((name) => [name, ofFunction(name, metric, 'Sum')]),
  })),
});

const counts = (...names: readonly string[]): readonly Curve[] =>
  names.map((name) => [name, ofDeployment(name, 'Sum')] as const);

const access: Section = {
  title: 'Access to the Returns Service',
  graphs: [
    {
      title: 'Tokens: time of a request in ms, p99',
      curves: ['TokenFetched', 'TokenFetchFailed', 'TokenWait'].map((name) => [name, ofDeployment(name, 'p99')]),
    },
    {
      title: 'Tokens: failures',
      curves: counts('TokenDenied', 'ClientRejected', 'CertificateInvalid', 'IdpUnavailable', 'SecretUnavailable'),
    },
    {
      title: 'Client certificate: days left',
      period: 3600,
      curves: [['CertificateDaysLeft', ofDeployment('CertificateDaysLeft', 'Minimum')]],
    },
    { title: 'Rotation', curves: counts('PreviousSecretUsed', 'SecretNotAdopted', 'CertificateNotAdopted') },
  ],
};

/** Returns a search for a metric in all values of a further dimension. */
const byDimension = (name: string, dimension: string, statistic: string): Curve => ({
  search: `{Returns,Deployment,${dimension}} MetricName="${name}" Deployment="returns-\${Stage}"`,
  statistic,
});

/** The operations of the standalone mode. Those by operation are empty without the parameter OperationMetrics. */
const operations: Section = {
  title: 'Operations',
  graphs: [
    { title: 'Operations: requests', curves: counts('Requests', 'ClientErrors', 'ServerErrors') },
    {
      title: 'Operations: latency in ms, without the gateway',
      curves: [
        ['p50', ofDeployment('Latency', 'p50')],
        ['p99', ofDeployment('Latency', 'p99')],
      ],
    },
    { title: 'Server errors by operation', curves: [byDimension('ServerErrors', 'Operation', 'Sum')] },
    { title: 'Latency by operation in ms, p99', curves: [byDimension('Latency', 'Operation', 'p99')] },
  ],
};

const business = (mode: Mode): Section => ({
  title: 'Returns and refunds',
  graphs: [
    {
      title: 'Returns and refunds a day',
      period: 86_400,
      curves: counts('ReturnsRequested', ...(mode === 'standalone' ? ['ReturnsApproved', 'RefundsBooked'] : [])),
    },
    ...(mode === 'standalone'
      ? [
          {
            title: 'Refunded a day, in minor units by currency',
            period: 86_400,
            curves: [byDimension('RefundedAmount', 'Currency', 'Sum')],
          },
          {
            title: 'Hours from request to refund',
            period: 86_400,
            curves: [
              ['p50', ofDeployment('HoursToRefund', 'p50')],
              ['p99', ofDeployment('HoursToRefund', 'p99')],
            ] as const,
          },
        ]
      : []),
    {
      title: 'Overdue and broken',
      period: 3600,
      curves: [
        ['RefundsOverdue', ofDeployment('RefundsOverdue', 'Maximum')],
        ...(mode === 'standalone' ? [['ErasuresStuck', ofDeployment('ErasuresStuck', 'Maximum')] as const] : []),
        ...(mode === 'standalone' ? counts('WithdrawalsForStaff') : []),
        ...counts('ChainBroken', 'VerificationLate'),
      ],
    },
  ],
});

/** Returns the sections of a mode's dashboard. */
const sectionsOf = (mode: Mode): readonly Section[] => [
  gateway('Api', 'API'),
  gateway('Hooks', 'Webhooks of shops'),
  business(mode),
  ...(mode === 'standalone' ? [operations] : []),
  work(mode),
  schedules(mode),
  ...(mode === 'connected' ? [access] : []),
  capacity,
];

/** Collects the intrinsics of a text for Fn::Sub, and returns the variable of each. */
const variables = () => {
  const known = new Map<string, { readonly name: string; readonly value: object }>();
  return {
    of: (value: string | object): string => {
      if (typeof value === 'string') return value;
      const key = JSON.stringify(value);
      const variable = known.get(key) ?? { name: `v${known.size}`, value };
      known.set(key, variable);
      return `\${${variable.name}}`;
    },
    values: (): Readonly<Record<string, object>> =>
      Object.fromEntries(Array.from(known.values(), ({ name, value }) => [name, value])),
  };
};

type Variables = ReturnType<typeof variables>;

const widget = (type: string, [width, height]: readonly [number, number], properties: object) => ({
  type,
  width,
  height,
  properties,
});

const curveOf = (curve: Curve, period: number, { of }: Variables): readonly unknown[] => {
  if ('search' in curve) return [{ expression: `SEARCH('${curve.search}', '${curve.statistic}', ${period})` }];
  const [label, { namespace, name, dimensions, statistic }] = curve;
  const pairs = Object.entries(dimensions).flatMap(([dimension, value]) => [dimension, of(value)]);
  return [namespace, name, ...pairs, { label, stat: statistic }];
};

const graphOf = ({ title, curves, period = 300 }: Graph, context: Variables) =>
  widget('metric', [12, 6], {
    title,
    view: 'timeSeries',
    region: '${AWS::Region}',
    period,
    metrics: curves.map((curve) => curveOf(curve, period, context)),
  });

/**
 * Returns the dashboard of a mode.
 *
 * @param alarmNames the names of the alarms whose states it shows, with `${Stage}`
 */
export const dashboardResource = (mode: Mode, alarmNames: readonly string[]): Resource => {
  const context = variables();
  const arns = alarmNames.map(
    (name) => `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:${name}`,
  );
  const widgets = [
    widget('alarm', [24, 6], { title: 'Alarms', sortBy: 'stateUpdatedTimestamp', alarms: arns }),
    ...sectionsOf(mode).flatMap(({ title, graphs }) => [
      widget('text', [24, 1], { markdown: `## ${title}` }),
      ...graphs.map((graph) => graphOf(graph, context)),
    ]),
  ];
  const body = JSON.stringify({ widgets });
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: { 'Fn::Sub': 'returns-${Stage}' },
      DashboardBody: { 'Fn::Sub': [body, context.values()] },
    },
  };
};
