/** Values of one metric; those of a `Count` are added up to one. */
export type Metric = {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'None';
  readonly values: readonly number[];
};

export type MetricLine = {
  readonly namespace: string;
  /** Each metric is kept for each of these by itself, not for their combinations. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: readonly Metric[];
  /** What stands beside in the log and is no metric. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** The most values that a metric may have in one line. */
export const maxValues = 100;

/**
 * Metrics as one line of JSON, from which CloudWatch takes them when a function prints it (Embedded Metric Format).
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const metricLine = ({ namespace, dimensions, metrics, properties, at }: MetricLine): string => {
  const directive = {
    Namespace: namespace,
    Dimensions: Object.keys(dimensions).map((name) => [name]),
    Metrics: metrics.map(({ name, unit }) => ({ Name: name, Unit: unit })),
  };
  const targets = metrics.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]);
  return JSON.stringify({
    _aws: { Timestamp: at, CloudWatchMetrics: [directive] },
    ...dimensions,
    ...properties,
    ...(Object.fromEntries(targets) as Record<string, number | number[]>),
  });
};
