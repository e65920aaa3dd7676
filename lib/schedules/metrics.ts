import { metricLine } from '../client/metric-line.ts';
import { functionConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { writeLine } from '../runtime/standard-output.ts';

const config = configured(functionConfig);

/** Writes counts as metrics, for the deployment and for this function. */
export const count = (counts: Readonly<Record<string, number>>, at = Date.now()): void => {
  const { functionName } = config();
  const line = metricLine({
    namespace: 'Returns',
    dimensions: { Deployment: functionName.replace(/-[^-]*$/, ''), FunctionName: functionName },
    metrics: Object.entries(counts).map(([name, value]) => ({ name, unit: 'Count', values: [value] })),
    properties: {},
    at,
  });
  writeLine(line);
};
