import { rowsOf } from '../functions.ts';
import type { FunctionRow, QueueTrigger, ScheduleTrigger, StreamTrigger } from '../functions/function-row.ts';
import { tracingConfig } from '../observability.ts';
import { tableStreamArn } from '../permissions/table.ts';
import { customerKey, functionProperties } from './account-template.ts';
import {
  aliasId,
  capitalised,
  functionId,
  liveAlias,
  liveArn,
  underCondition,
  type Resource,
  versionId,
} from './cloudformation.ts';
import type { Offer } from '../offer.ts';

type Resources = Readonly<Record<string, Resource>>;

/** Lambda's retries of a failed run. Without retries, the next run replaces an event that waits for over a minute. */
const invocationLimits = {
  none: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
  twice: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
} as const;

const scheduleResources = (name: string, { expression, retries }: ScheduleTrigger, condition?: string): Resources => ({
  [`${capitalised(name)}Schedule`]: {
    Type: 'AWS::Scheduler::Schedule',
    ...underCondition(condition),
    Properties: {
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ScheduleExpression: expression,
      Target: {
        Arn: liveArn(name),
        RoleArn: { 'Fn::GetAtt': ['ScheduleRole', 'Arn'] },
        Input: '{"time":"<aws.scheduler.scheduled-time>"}',
        // The scheduler retries for an hour while Lambda does not accept an invocation.
        RetryPolicy: { MaximumRetryAttempts: 10, MaximumEventAgeInSeconds: 3600 },
      },
    },
  },
  [`${capitalised(name)}Invocations`]: {
    Type: 'AWS::Lambda::EventInvokeConfig',
    ...underCondition(condition),
    DependsOn: [aliasId(name)],
    Properties: { FunctionName: { Ref: functionId(name) }, Qualifier: liveAlias, ...invocationLimits[retries] },
  },
});

const queueSource = ({ queue, batchSize, maxConcurrency }: QueueTrigger) => ({
  EventSourceArn: { 'Fn::GetAtt': [`${queue}Queue`, 'Arn'] },
  BatchSize: batchSize,
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  ScalingConfig: { MaximumConcurrency: maxConcurrency },
});

const streamSource = ({ mapping, filterPatterns }: StreamTrigger) => ({
  EventSourceArn: tableStreamArn,
  StartingPosition: 'TRIM_HORIZON',
  BisectBatchOnFunctionError: true,
  ...mapping,
  FilterCriteria: { Filters: filterPatterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) },
  DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['StreamDeadLetters', 'Arn'] } } },
});

/** Returns the mapping from a queue, or from the stream of the table, to the live alias. */
const sourceResource = (name: string, trigger: QueueTrigger | StreamTrigger, condition?: string): Resources => ({
  [`${capitalised(name)}Source`]: {
    Type: 'AWS::Lambda::EventSourceMapping',
    ...underCondition(condition),
    Properties: {
      FunctionName: liveArn(name),
      ...(trigger.kind === 'queue' ? queueSource(trigger) : streamSource(trigger)),
    },
  },
});

const triggerResources = (name: string, { trigger, condition }: FunctionRow): Resources => {
  if (trigger.kind === 'schedule') return scheduleResources(name, trigger, condition);
  return trigger.kind === 'queue' || trigger.kind === 'stream' ? sourceResource(name, trigger, condition) : {};
};

/** Returns the schedules and event sources of a mode's functions. */
export const functionResources = (offer: Offer): Resources =>
  Object.fromEntries(rowsOf(offer).flatMap(([name, row]) => Object.entries(triggerResources(name, row))));

const extensionsOf = (name: string, row: FunctionRow): readonly (readonly [string, Resource])[] => {
  const properties = {
    // Lambda publishes no version of an unchanged function. The id of the version, with its hash, is a change.
    Description: versionId(name),
    ...functionProperties,
    TracingConfig: tracingConfig,
    ...(row.recursiveLoop === true && { RecursiveLoop: 'Allow' }),
    ...(row.reservedConcurrency !== undefined && { ReservedConcurrentExecutions: row.reservedConcurrency }),
  };
  return [
    [functionId(name), { Properties: properties }],
    [`${capitalised(name)}LogGroup`, { ...underCondition(row.condition), Properties: { KmsKeyId: customerKey } }],
  ];
};

/** Returns properties that osls does not know, for the resources that it makes of functions. */
export const functionExtensions = (offer: Offer): Resources =>
  Object.fromEntries(rowsOf(offer).flatMap(([name, row]) => extensionsOf(name, row)));
