import { holds, resolve, type Template } from '../../lib/tools/template/cloudformation/template.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from './bundles.ts';

/*
 * The part of CloudWatch that the alarms of the template use: it evaluates an alarm over the values of its metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */

export type Metric = {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
};

type Query = {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData: boolean;
  readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string };
};

export type AlarmProperties = Partial<Metric> & {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Statistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly Query[];
  readonly EvaluationPeriods: number | string;
  readonly DatapointsToAlarm?: number;
  readonly Threshold: number;
  readonly ComparisonOperator: 'GreaterThanThreshold' | 'LessThanThreshold';
  readonly TreatMissingData: 'breaching' | 'notBreaching';
  readonly AlarmActions?: readonly string[];
  readonly OKActions?: readonly string[];
};

/** Returns the value of a metric in a period; `age` 0 is the newest. Undefined is no data. */
export type Values = (metric: Metric, age: number) => number | undefined;

/** Returns the metrics that an alarm reads. */
export const metricsOf = ({ Namespace = '', MetricName = '', Dimensions = [], Metrics }: AlarmProperties) =>
  Metrics === undefined
    ? [{ Namespace, MetricName, Dimensions }]
    : Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]));

/** Returns the length of a period of an alarm, in seconds. */
export const periodOf = ({ Period, Metrics = [] }: AlarmProperties): number =>
  Period ?? Metrics.find(({ MetricStat }) => MetricStat !== undefined)?.MetricStat?.Period ?? Number.NaN;

type Operands = ReadonlyMap<string, number | undefined>;

/** Evaluates the expressions that the template uses. An operand without data gives none, except in FILL. */
const evaluate = (expression: string, operands: Operands): number | undefined => {
  const valueOf = (id: string): number | undefined => {
    if (!operands.has(id)) throw new Error(`${expression}: there is no ${id}`);
    return operands.get(id);
  };
  const [, filled] = /^FILL\((\w+), 0\)$/.exec(expression) ?? [];
  if (filled !== undefined) return valueOf(filled) ?? 0;
  const [, list] = /^FILL\(SUM\(\[([\w, ]+)\]\), 0\)$/.exec(expression) ?? [];
  if (list !== undefined) return list.split(', ').reduce((total, id) => total + (valueOf(id) ?? 0), 0);
  const [, tested = '', least, part = '', whole] =
    /^IF\((\w+) >= (\d+), (?:100 \* )?(\w+)(?: \/ (\w+))?, 0\)$/.exec(expression) ?? [];
  if (least === undefined) throw new Error(`${expression}: this test evaluates no such expression`);
  const [condition, value, all] = [valueOf(tested), valueOf(part), whole === undefined ? 1 : valueOf(whole)];
  if (condition === undefined || value === undefined || all === undefined) return undefined;
  if (condition < Number(least)) return 0;
  return whole === undefined ? value : (100 * value) / all;
};

const valueAt = (alarm: AlarmProperties, values: Values, age: number): number | undefined => {
  const { Metrics } = alarm;
  if (Metrics === undefined) {
    const [metric] = metricsOf(alarm);
    return metric === undefined ? undefined : values(metric, age);
  }
  const operands = new Map(
    Metrics.flatMap(({ Id, MetricStat }) =>
      MetricStat === undefined ? [] : [[Id, values(MetricStat.Metric, age)] as const],
    ),
  );
  const result = Metrics.find(({ ReturnData }) => ReturnData);
  return evaluate(result?.Expression ?? '', operands);
};

const breaches = (alarm: AlarmProperties, value: number | undefined): boolean => {
  if (value === undefined) return alarm.TreatMissingData === 'breaching';
  return alarm.ComparisonOperator === 'GreaterThanThreshold' ? value > alarm.Threshold : value < alarm.Threshold;
};

/** Whether an alarm rings over these values. */
export const rings = (alarm: AlarmProperties, values: Values): boolean => {
  const periods = Number(alarm.EvaluationPeriods);
  const breaching = Array.from({ length: periods }, (_, age) => breaches(alarm, valueAt(alarm, values, age)));
  return breaching.filter(Boolean).length >= (alarm.DatapointsToAlarm ?? periods);
};

const unset = 'https://unset.invalid';

/** Parameters under which every resource of the template exists. */
const everything = {
  Stage: 'prod',
  TokenIssuer: unset,
  TokenAudience: 'unset',
  ServiceUrl: unset,
  AuthUrl: unset,
  SharedToken: 'on',
  HistoryAnchors: 'on',
  WebApi: 'on',
  WriteBack: 'shopify',
  MailSender: 'returns@shop.example',
  Mcp: 'on',
};

export const templateOf = async (mode: Mode): Promise<Template> => packagedTemplate(mode);

/**
 * Returns the resources of a type by logical id, with their properties for some parameters. Another resource resolves
 * to its logical id, and an attribute of it to `<logical id>.<attribute>`.
 */
export const resourcesOf = async <Properties>(
  mode: Mode,
  type: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Properties>> => {
  const template = await templateOf(mode);
  const parameters = { ...everything, ...changes };
  const resources = Object.fromEntries(
    Object.keys(template.Resources).map((id) => [
      id,
      { ref: id, attributes: new Proxy({}, { get: (_, name) => `${id}.${String(name)}` }) },
    ]),
  );
  const exists = (condition: string | undefined) =>
    condition === undefined || holds(condition, '/Conditions', { template, parameters });
  return new Map(
    Object.entries(template.Resources)
      .filter(([, { Type, Condition }]) => Type === type && exists(Condition))
      .map(([id, { Properties = {} }]) => [
        id,
        resolve(Properties, `/Resources/${id}`, { template, parameters, resources }) as Properties,
      ]),
  );
};

export const alarmsIn = async (mode: Mode, changes: Readonly<Record<string, string>> = {}) => {
  const all = await resourcesOf<AlarmProperties>(mode, 'AWS::CloudWatch::Alarm', changes);
  // They roll a deployment back, and send no notification (test/tools/deploy/rollout.test.ts).
  return new Map([...all].filter(([id]) => !id.endsWith('RolloutAlarm')));
};

/** Returns the names of a mode's functions. */
export const functionNames = async (mode: Mode): Promise<ReadonlySet<string>> => {
  const functions = await resourcesOf<{ readonly FunctionName: string }>(mode, 'AWS::Lambda::Function');
  return new Set(Array.from(functions.values(), ({ FunctionName }) => FunctionName));
};
