import { functionConfig } from './configuration/config.ts';
import { configured } from './container.ts';
import { invocationFields } from './invocation.ts';
import { type Dimensions, type Metric, metricLine } from './metric-line.ts';
import { writeLine } from './standard-output.ts';

/** The namespace of all metrics of this service. */
export const namespace = 'Returns';

const config = configured(functionConfig);

/** A function is named `<service>-<stage>-<function>`. Without the last part, the name is that of the deployment. */
const deploymentOf = (functionName: string): string => functionName.replace(/-[^-]*$/, '');

/**
 * Returns the dimensions of a function's metrics: the deployment and, with OperationMetrics, also the function. That
 * multiplies the number of metrics, and each has a price.
 */
export const functionDimensions = ({
  functionName,
  operationMetrics,
}: ReturnType<typeof functionConfig>): Dimensions => ({
  values: { Deployment: deploymentOf(functionName), FunctionName: functionName },
  sets: operationMetrics ? [['Deployment'], ['FunctionName']] : [['Deployment']],
});

/** Returns the dimensions of an operation's metrics: the deployment and, with OperationMetrics, also the operation. */
export const operationDimensions = (operation: string): Dimensions => {
  const { functionName, operationMetrics } = config();
  return {
    values: { Deployment: deploymentOf(functionName), Operation: operation },
    sets: operationMetrics ? [['Deployment'], ['Deployment', 'Operation']] : [['Deployment']],
  };
};

/** Returns the dimensions of amounts: the currency in the deployment. Amounts of two currencies have no sum. */
export const currencyDimensions = (currency: string): Dimensions => ({
  values: { Deployment: deploymentOf(config().functionName), Currency: currency },
  sets: [['Deployment', 'Currency']],
});

/** Writes a line of metrics, with the ids of the invocation. */
export const writeMetricLine = (line: string): void => writeLine(`${line.slice(0, -1)}${invocationFields(false)}}`);

/** Writes metrics as one line. By default they belong to this function. */
export const writeMetrics = (
  metrics: readonly Metric[],
  dimensions: Dimensions = functionDimensions(config()),
  at = Date.now(),
): void => writeMetricLine(metricLine({ namespace, dimensions, metrics, at }));

/** Returns a metric with one number: a count, or the present number of something. */
export const countMetric = (name: string, value: number): Metric => ({ name, unit: 'Count', values: [value] });

/** Writes counts as metrics of this function. */
export const count = (counts: Readonly<Record<string, number>>): void =>
  writeMetrics(Object.entries(counts).map(([name, value]) => countMetric(name, value)));
