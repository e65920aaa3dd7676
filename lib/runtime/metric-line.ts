/** The values of one metric. Those of a `Count` are added up. */
export type Metric = {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'None';
  readonly values: readonly number[];
};

/** Dimensions with their values, and which of them store a metric together. */
export type Dimensions = {
  readonly values: Readonly<Record<string, string>>;
  /** Each metric is stored once for each of these sets. A dimension in no set is a field of the log line. */
  readonly sets: readonly (readonly string[])[];
};

export type MetricLine = {
  readonly namespace: string;
  readonly dimensions: Dimensions;
  readonly metrics: readonly Metric[];
  /** Further fields of the log line, which are no metrics. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** The maximum of values of a metric in one line. */
export const maxValues = 100;

/**
 * Formats metrics as one JSON line, from which CloudWatch reads them (Embedded Metric Format).
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const metricLine = ({ namespace, dimensions, metrics, properties, at }: MetricLine): string => {
  const directive = {
    Namespace: namespace,
    Dimensions: dimensions.sets,
    Metrics: metrics.map(({ name, unit }) => ({ Name: name, Unit: unit })),
  };
  const targets = metrics.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]);
  return JSON.stringify({
    _aws: { Timestamp: at, CloudWatchMetrics: [directive] },
    ...dimensions.values,
    ...properties,
    ...(Object.fromEntries(targets) as Record<string, number | number[]>),
  });
};
