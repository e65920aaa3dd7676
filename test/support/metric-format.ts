import { Ajv } from 'ajv';

/** The schema that AWS publishes with the specification of its Embedded Metric Format. */
const schema = {
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      properties: {
        Timestamp: { type: 'number' },
        CloudWatchMetrics: {
          type: 'array',
          items: {
            type: 'object',
            required: ['Namespace', 'Dimensions', 'Metrics'],
            properties: {
              Namespace: { type: 'string', minLength: 1, maxLength: 1024 },
              Dimensions: {
                type: 'array',
                minItems: 1,
                items: { type: 'array', maxItems: 30, items: { type: 'string', minLength: 1, maxLength: 250 } },
              },
              Metrics: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['Name'],
                  properties: {
                    Name: { type: 'string', minLength: 1, maxLength: 1024 },
                    Unit: { type: 'string', enum: ['Count', 'Milliseconds', 'Seconds', 'Bytes', 'Percent', 'None'] },
                    StorageResolution: { type: 'integer', enum: [1, 60] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

type Root = Readonly<Record<string, unknown>> & {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
};

const fitsSchema = new Ajv({ strict: false }).compile(schema);

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
/** "Metric target" and "Dimension target" of the specification, which a schema cannot express. */
const isMetricTarget = (value: unknown): boolean =>
  isNumber(value) || (Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isNumber));
const isDimensionTarget = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 1024;

/** Returns the faults of a line by the specification. A line that CloudWatch reads has none. */
export const metricFaults = (line: string): readonly string[] => {
  const root = JSON.parse(line) as Root;
  if (!fitsSchema(root))
    return (fitsSchema.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const targetFaults = root._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) => [
    ...(Metrics.length > 100 ? ['more than 100 metrics'] : []),
    ...Metrics.filter(({ Name }) => !isMetricTarget(root[Name])).map(({ Name }) => `no values of ${Name}`),
    ...Dimensions.flat()
      .filter((name) => !isDimensionTarget(root[name]))
      .map((name) => `no value of ${name}`),
  ]);
  return Buffer.byteLength(line) > 256 * 1024 ? [...targetFaults, 'more than 256 KB'] : targetFaults;
};

/** A line as CloudWatch reads it. */
export type ParsedMetrics = {
  readonly namespace: string;
  readonly dimensions: readonly Readonly<Record<string, unknown>>[];
  /** Values by name. */
  readonly metrics: Readonly<Record<string, readonly number[]>>;
  /** Units by name. */
  readonly units: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
  readonly at: number;
};

/** Returns the lines of a log that hold metrics. */
export const metricLinesOf = (log: string): readonly string[] =>
  log.split('\n').filter((line) => line.startsWith('{"_aws":'));

/** @throws {Error} for a line that CloudWatch would not read */
export const metricsIn = (line: string): ParsedMetrics => {
  const faults = metricFaults(line);
  if (faults.length > 0) throw new Error(`${faults.join(', ')}: ${line}`);
  const root = JSON.parse(line) as Root;
  const [directive] = root._aws.CloudWatchMetrics;
  const valuesOf = (name: string) => [root[name]].flat() as number[];
  return {
    namespace: directive?.Namespace ?? '',
    dimensions: (directive?.Dimensions ?? []).map((names) =>
      Object.fromEntries(names.map((name) => [name, root[name]])),
    ),
    metrics: Object.fromEntries((directive?.Metrics ?? []).map(({ Name }) => [Name, valuesOf(Name)])),
    units: Object.fromEntries((directive?.Metrics ?? []).map(({ Name, Unit }) => [Name, Unit])),
    reasons: (root['reasons'] as string[] | undefined) ?? [],
    at: root._aws.Timestamp,
  };
};
