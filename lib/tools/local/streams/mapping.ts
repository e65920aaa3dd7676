import { tablesOf, type Deployed, type Deployment } from '../../template/cloudformation/deployment.ts';
import type { FunctionSpec } from '../emulators/function-spec.ts';
import { covers, permissionsOf } from '../emulators/policy.ts';
import { assertKnownProperties } from '../known-properties.ts';
import { isObject } from '../../../runtime/json.ts';

/*
 * The part of Lambda's event filters that the functions use: the value of a field, and its prefix.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */

/** Whether a record passes. */
type Filter = (record: object) => boolean;

type Test = (value: unknown) => boolean;

const ruleOf = (rule: unknown, path: string): Test => {
  if (!isObject(rule)) {
    if (Array.isArray(rule)) throw new Error(`${path}: is no rule`);
    return (value) => value === rule;
  }
  const [name, ...others] = Object.keys(rule);
  const prefix = rule['prefix'];
  if (name !== 'prefix' || others.length > 0 || typeof prefix !== 'string')
    throw new Error(`${path}: the local stack knows values and a prefix only`);
  return (value) => typeof value === 'string' && value.startsWith(prefix);
};

const patternOf = (pattern: unknown, path: string): Test => {
  if (Array.isArray(pattern)) {
    const rules = pattern.map((rule, index) => ruleOf(rule, `${path}/${index}`));
    return (value) => rules.some((fits) => fits(value));
  }
  if (!isObject(pattern)) throw new Error(`${path}: must be an object, or a list of rules`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, patternOf(inner, `${path}/${name}`)] as const);
  return (value) => isObject(value) && fields.every(([name, fits]) => fits(value[name]));
};

/**
 * Returns the filter of an event source mapping. A record passes if it matches one of the patterns, or if there are
 * none.
 *
 * @param path its path in the template, for errors
 * @throws for a pattern that the local stack does not support
 */
const filterOf = (patterns: readonly string[], path: string): Filter => {
  const tests = patterns.map((text, index) => patternOf(JSON.parse(text), `${path}/Filters/${index}/Pattern`));
  return (record) => tests.length === 0 || tests.some((fits) => fits(record));
};

/** A table's stream that feeds a function. https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html */
export type StreamMapping = {
  /** Its logical id in the template. */
  readonly id: string;
  readonly tableName: string;
  /** The ARN in the template and in records. */
  readonly streamArn: string;
  readonly function: FunctionSpec;
  /** The maximum of records in one invocation. */
  readonly batchSize: number;
  /** The time to wait for further records. */
  readonly windowMs: number;
  /** Whether the function returns the record that failed. */
  readonly reportsFailures: boolean;
  /** Whether a failed batch is split in two. */
  readonly bisects: boolean;
  /** The maximum of retries of a batch; absent for no limit. */
  readonly maxRetries?: number;
  /** The maximum age of a record; absent for no limit. */
  readonly maxAgeMs?: number;
  /** The URL of the queue that receives records without further retries. */
  readonly destination?: string;
  readonly wants: Filter;
};

type Properties = {
  readonly BatchSize?: number;
  readonly BisectBatchOnFunctionError?: boolean;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination: string } };
  readonly EventSourceArn: string;
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern: string }[] };
  readonly FunctionName: string;
  readonly FunctionResponseTypes?: readonly string[];
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly MaximumRecordAgeInSeconds?: number;
  readonly MaximumRetryAttempts?: number;
  readonly ParallelizationFactor?: number;
  readonly StartingPosition?: string;
};

const known = new Set([
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'ParallelizationFactor',
  'StartingPosition',
]);

const assertSupported = ({ StartingPosition, ParallelizationFactor = 1 }: Properties, path: string): void => {
  if (StartingPosition !== 'TRIM_HORIZON')
    throw new Error(`${path}/StartingPosition: the local stack knows TRIM_HORIZON only`);
  if (ParallelizationFactor !== 1) throw new Error(`${path}/ParallelizationFactor: the local stack knows 1 only`);
};

/** Returns the queue of a destination. The function's role must permit to send to it. */
const destinationIn = (
  { DestinationConfig }: Properties,
  { role, name }: FunctionSpec,
  deployment: Deployment,
  path: string,
): string | undefined => {
  const arn = DestinationConfig?.OnFailure?.Destination;
  if (arn === undefined) return undefined;
  const at = `${path}/DestinationConfig/OnFailure/Destination`;
  const queue = deployment.ofType('AWS::SQS::Queue').find(({ local }) => local.attributes['Arn'] === arn);
  if (queue === undefined) throw new Error(`${at}: the local stack knows its queues only`);
  const roleResource = deployment.ofType('AWS::IAM::Role').find(({ local }) => local.attributes['Arn'] === role);
  const access = { action: 'sqs:SendMessage', resource: arn };
  if (roleResource === undefined || !permissionsOf(roleResource).some((permission) => covers(permission, access)))
    throw new Error(`${at}: the role of ${name} does not permit sqs:SendMessage on ${arn}`);
  return queue.local.ref;
};

const mappingOf = (
  { logicalId, properties }: Deployed,
  table: Deployed,
  specs: readonly FunctionSpec[],
  deployment: Deployment,
): StreamMapping => {
  const path = `/Resources/${logicalId}/Properties`;
  assertKnownProperties(properties, known, path);
  if (!('StreamSpecification' in table.properties))
    throw new Error(`${path}/EventSourceArn: the table ${table.logicalId} has no stream`);
  const settings = properties as Properties;
  assertSupported(settings, path);
  const spec = specs.find(({ arn }) => arn === settings.FunctionName);
  if (spec === undefined) throw new Error(`${path}/FunctionName: there is no function ${settings.FunctionName}`);
  const { MaximumRetryAttempts: maxRetries, MaximumRecordAgeInSeconds: maxAge } = settings;
  const destination = destinationIn(settings, spec, deployment, path);
  return {
    id: logicalId,
    tableName: table.local.ref,
    streamArn: settings.EventSourceArn,
    function: spec,
    batchSize: settings.BatchSize ?? 100,
    windowMs: (settings.MaximumBatchingWindowInSeconds ?? 0) * 1000,
    reportsFailures: settings.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    bisects: settings.BisectBatchOnFunctionError ?? false,
    ...(maxRetries !== undefined && { maxRetries }),
    ...(maxAge !== undefined && { maxAgeMs: maxAge * 1000 }),
    ...(destination !== undefined && { destination }),
    wants: filterOf(
      (settings.FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern),
      `${path}/FilterCriteria`,
    ),
  };
};

/**
 * Returns the event source mappings of a deployment that read a table's stream.
 *
 * @throws for a property that the local stack does not support, with its path
 */
export const streamMappingsOf = (deployment: Deployment, specs: readonly FunctionSpec[]): readonly StreamMapping[] => {
  const tables = tablesOf(deployment);
  return deployment.ofType('AWS::Lambda::EventSourceMapping').flatMap((mapping) => {
    const { EventSourceArn } = mapping.properties as Properties;
    const table = tables.find(({ local }) => local.attributes['StreamArn'] === EventSourceArn);
    return table === undefined ? [] : [mappingOf(mapping, table, specs, deployment)];
  });
};
