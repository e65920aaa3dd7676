import { mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Deployment } from '../../../template/cloudformation/deployment.ts';

/**
 * The variables of an access log, without `$context.`. A missing one is `-`, as in API Gateway's logs.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
export type AccessVariables = Record<string, string>;

/** Writes a line of an access log. */
export type LogAccess = (variables: Readonly<AccessVariables>) => void;

/** Escapes a value as JSON, without the quotes, which the format has. */
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Returns a line in the format of a stage, whose variables end before a quote. */
export const accessLine = (format: string, variables: Readonly<AccessVariables>): string =>
  format.replaceAll(/\$context\.([^"]+)/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? escaped(variables[name] ?? '-') : '-',
  );

const formatOf = (deployment: Deployment, apiId: string | undefined): string | undefined => {
  const stage = deployment.ofType('AWS::ApiGatewayV2::Stage').find(({ properties }) => properties['ApiId'] === apiId);
  const settings = stage?.properties['AccessLogSettings'] as { readonly Format?: string } | undefined;
  return settings?.Format;
};

/**
 * Returns the writer of an API's access log, which all APIs of a deployment share.
 *
 * @throws Error when no stage of the API has an access log
 */
export const openAccessLog = (deployment: Deployment, logicalId: string, file: string): LogAccess => {
  const api = deployment.ofType('AWS::ApiGatewayV2::Api').find((resource) => resource.logicalId === logicalId);
  const apiId = api?.local.ref;
  const format = formatOf(deployment, apiId);
  if (apiId === undefined || format === undefined)
    throw new Error(`/Resources/${logicalId}: no stage of the API has an access log`);
  // A test may start a mode alone, without the log of a stack.
  mkdirSync(dirname(file), { recursive: true });
  // Only the user may read it, as with the other logs.
  const log = openSync(file, 'a', 0o600);
  return (variables) => void writeSync(log, `${accessLine(format, { apiId, ...variables })}\n`);
};
