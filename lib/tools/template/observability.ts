import type { Environment, FunctionRow } from './functions/function-row.ts';
import type { Permission } from './permissions/permission.ts';
import type { Offer } from './offer.ts';

/* Metrics and traces: parameters of every function. Both are off by default, because each costs money. */

const onOrOff = (description: string, values: readonly [string, string]) => ({
  Type: 'String',
  Default: values[0],
  AllowedValues: values,
  Description: description,
});

/** The parameters, as CloudFormation writes them. */
export const observabilityParameters = {
  OperationMetrics: onOrOff(
    'Whether metrics are also stored for each function and operation; each metric has a price',
    ['off', 'on'],
  ),
  Tracing: onOrOff('Whether Lambda sends traces of the functions to X-Ray', ['off', 'xray']),
};

const traces = 'TracesFunctions';

export const observabilityConditions = { [traces]: { 'Fn::Equals': [{ Ref: 'Tracing' }, 'xray'] } };

/**
 * The permission to send traces. X-Ray has no resources for them.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
 */
export const sendTraces: Permission = {
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  resource: '*',
  condition: traces,
};

/** The property `TracingConfig` of a function. Lambda itself makes the traces, so no bundle imports a library. */
export const tracingConfig = { Mode: { 'Fn::If': [traces, 'Active', 'PassThrough'] } };

/**
 * Returns the variables by which a function knows what to measure. Only operations of the standalone mode count their
 * requests: the connected mode measures its access to the service instead.
 */
export const observabilityEnvironment = ({ trigger }: FunctionRow, offer: Offer): Environment => ({
  OPERATION_METRICS: { Ref: 'OperationMetrics' },
  ...(offer.mode === 'standalone' && trigger.kind === 'operation' && { REQUEST_METRICS: 'on' }),
});
