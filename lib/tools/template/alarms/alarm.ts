import type { Mode, Severity } from '../functions/function-row.ts';
import { tableName } from '../permissions/table.ts';

/** A metric of AWS or of the functions. A value of a dimension is a text or an intrinsic. */
export type Metric = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string | object>>;
  readonly statistic: 'Sum' | 'Maximum' | 'Minimum' | 'p50' | 'p99';
};

/** What an alarm compares with its threshold: one number a period. */
export type Signal =
  | { readonly kind: 'metric'; readonly metric: Metric }
  /** The sum of metrics. A period without data counts as 0. */
  | { readonly kind: 'sum'; readonly metrics: readonly Metric[] }
  /** Failures in percent of all. It is 0 below a minimum, so that one error at night is no rate of 100 percent. */
  | { readonly kind: 'percent'; readonly failures: Metric; readonly all: Metric; readonly minFailures: number }
  /** A percentile. It is 0 below a minimum of samples: the p99 of ten requests is the slowest of them. */
  | { readonly kind: 'percentile'; readonly metric: Metric; readonly samples: Metric; readonly minSamples: number };

export type Alarm = {
  /** The logical id is this name and `Alarm`, the name in AWS is `returns-<stage>-<severity>-<name>`. */
  readonly name: string;
  readonly severity: Severity;
  /** The meaning, in one sentence without a full stop. */
  readonly description: string;
  readonly signal: Signal;
  /** The side of the threshold on which the alarm rings. @default 'above' */
  readonly rings?: 'above' | 'below';
  readonly threshold: number;
  /** Seconds. */
  readonly period: number;
  /** The periods that are compared: a number, or an intrinsic that gives one. */
  readonly evaluationPeriods: number | object;
  /** The periods of them that must ring. @default all */
  readonly datapoints?: number;
  /** Whether the alarm rings without data. @default false */
  readonly ringsWithoutData?: boolean;
  /** The condition of the template without which the alarm does not exist. */
  readonly condition?: string;
};

/** An alarm that belongs to no row of another table. */
export type AlarmRow = Omit<Alarm, 'name'> & {
  readonly modes: readonly Mode[];
  /** The function that writes the metric, or that the API invokes. Without it the alarm does not exist. */
  readonly of?: string;
  /** Whether only a deployment with an adapter has the alarm. */
  readonly onlyAdapters?: true;
};

/** Two of three periods of five minutes: one bad period alone rings no alarm. */
export const twoOfThree = { period: 300, evaluationPeriods: 3, datapoints: 2 } as const;

/** The name of a deployment, or of a resource of it, as functions and AWS write it in dimensions. */
const named = (rest = '') => ({ 'Fn::Sub': `returns-\${Stage}${rest}` });

type LambdaMetric = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'IteratorAge' | 'ConcurrentExecutions';

/** A metric of one function. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html */
export const ofFunction = (functionName: string, name: LambdaMetric, statistic: Metric['statistic']): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: named(`-${functionName}`) },
  statistic,
});

/** A metric of all functions in the account and region, also those of other stacks. They share one concurrency. */
export const ofAllFunctions = (name: LambdaMetric, statistic: Metric['statistic']): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: {},
  statistic,
});

type QueueMetric = 'ApproximateAgeOfOldestMessage' | 'ApproximateNumberOfMessagesVisible';

/** The maximum of a metric of a queue, by the logical id of the queue. */
export const ofQueue = (logicalId: string, name: QueueMetric): Metric => ({
  namespace: 'AWS/SQS',
  name,
  dimensions: { QueueName: { 'Fn::GetAtt': [logicalId, 'QueueName'] } },
  statistic: 'Maximum',
});

/** The HTTP APIs that every stage has, by the names of their alarms and logical ids. */
export type Gateway = 'Api' | 'Hooks';

/** The HTTP APIs with alarms. The API for browsers exists only with the parameter WebApi. */
export type WatchedApi = Gateway | 'Web';

/** A metric of an HTTP API. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html */
export const ofGateway = (
  api: WatchedApi,
  name: 'Count' | '4xx' | '5xx' | 'Latency',
  statistic: Metric['statistic'],
): Metric => ({ namespace: 'AWS/ApiGateway', name, dimensions: { ApiId: { Ref: api } }, statistic });

/** The indexes of the table. Each throttles on its own, and then delays the writes to the table. */
export const tableIndexes = [
  'byOrder',
  'byCustomer',
  'byAssignee',
  'byStatus',
  'byCreation',
  'byUpdate',
  'byDeadline',
] as const;

/** Throttled requests of the table and of its indexes. */
export const tableThrottles: readonly Metric[] = (
  [
    ['ReadThrottleEvents', {}],
    ['WriteThrottleEvents', {}],
    ...tableIndexes.map((index) => ['WriteThrottleEvents', { GlobalSecondaryIndexName: index }] as const),
  ] as const
).map(([name, index]) => ({
  namespace: 'AWS/DynamoDB',
  name,
  dimensions: { TableName: tableName, ...index },
  statistic: 'Sum',
}));

/**
 * The events that a rule of EventBridge could not give to its target, and does not try again. A rule of the default bus
 * has no dimension for its bus. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
 */
export const failuresOfRule = (name: object, bus?: object): Metric => ({
  namespace: 'AWS/Events',
  name: 'FailedInvocations',
  dimensions: { ...(bus !== undefined && { EventBusName: bus }), RuleName: name },
  statistic: 'Sum',
});

/** A metric that the functions of the deployment write to their logs. */
export const ofDeployment = (name: string, statistic: Metric['statistic']): Metric => ({
  namespace: 'Returns',
  name,
  dimensions: { Deployment: named() },
  statistic,
});

/** Requests of an HTTP API that its rate limits rejected. A filter counts them in the access log. */
export const throttledRequests = (api: WatchedApi): Metric => ({
  namespace: 'Returns',
  name: 'RequestsThrottled',
  dimensions: { ApiId: { Ref: api } },
  statistic: 'Sum',
});
