import { readFile } from 'node:fs/promises';
import { DynamoDBClient, paginateScan, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Signal } from '../../../lib/tools/template/alarms/alarm.ts';
import { alarmsOf } from '../../../lib/tools/template/alarms/alarms.ts';
import type { Deployment } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { nextTime, timingOf } from '../../../lib/tools/local/schedules/schedules.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { parseObject } from '../../../lib/runtime/json.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

/* What is priced by the month: stored items, and the resources of a deployment. */

const monthMs = 30 * 86_400_000;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const bytesOf = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.M !== undefined) return 3 + itemBytes(value.M);
  if (value.L !== undefined) return 3 + value.L.reduce((sum, one) => sum + 1 + bytesOf(one), 0);
  return 1;
};

const itemBytes = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

/** Returns the bytes of all items of the table. */
export const tableBytes = async ({ aws }: StackInfo): Promise<number> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb });
  let bytes = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName: aws.tables['standalone.Table'] }))
    bytes += Items.reduce((sum, item) => sum + itemBytes(item), 0);
  client.destroy();
  return bytes;
};

/** Returns the runs of a schedule in a month. */
const runsOf = (expression: string): number => {
  const timing = timingOf(expression);
  if (timing === undefined) throw new Error(`the schedule ${expression} is unknown`);
  let runs = 0;
  for (let at = nextTime(timing, 0); at <= monthMs; at = nextTime(timing, at)) runs += 1;
  return runs;
};

/** Returns the function of each schedule, and its runs in a month. */
export const schedulesIn = (deployment: Deployment): readonly (readonly [string, number])[] =>
  deployment.ofType('AWS::Scheduler::Schedule').map(({ properties }) => {
    const { ScheduleExpression, Target } = properties as {
      readonly ScheduleExpression: string;
      readonly Target: { readonly Arn: string };
    };
    return [Target.Arn, runsOf(ScheduleExpression)] as const;
  });

/** Returns the number of metrics that an alarm reads. */
const metricCount = (signal: Signal): number =>
  signal.kind === 'sum' ? signal.metrics.length : signal.kind === 'metric' ? 1 : 2;

type MetricSet = {
  readonly Metrics: readonly { readonly Name: string }[];
  readonly Dimensions: readonly (readonly string[])[];
};
type MetricLog = Readonly<Record<string, unknown>> & {
  readonly _aws?: { readonly CloudWatchMetrics: readonly MetricSet[] };
};

/** Returns the number of custom metrics in a log: each name with each value of its dimensions. */
const metricsIn = async (logFile: string): Promise<number> => {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.includes('"_aws"'));
  const metrics = lines.flatMap((line) => {
    const { _aws, ...values } = (parseObject(line.slice(line.indexOf('{'))) ?? {}) as MetricLog;
    return (_aws?.CloudWatchMetrics ?? []).flatMap(({ Metrics, Dimensions }) =>
      Metrics.flatMap(({ Name }) =>
        Dimensions.map((names) => [Name, ...names.map((name) => String(values[name]))].join(' ')),
      ),
    );
  });
  return new Set(metrics).size;
};

/** Returns what a deployment has, each of which has a price by the month. */
export const pricedByMonth = async (deployment: Deployment, logFile: string) => ({
  // Lambda's reads of a stream are free.
  queues: deployment
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => !String(properties['EventSourceArn']).startsWith('arn:aws:dynamodb:')).length,
  // An alarm costs as much as it has metrics.
  alarms: alarmsOf(offers.standalone)
    .filter(({ condition }) => condition === undefined)
    .reduce((total, { signal }) => total + metricCount(signal), 0),
  metrics: await metricsIn(logFile),
  secrets: deployment.ofType('AWS::SecretsManager::Secret').length,
});
