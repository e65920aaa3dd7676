import { deploy, type Deployment } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { functionEnvironment, type FunctionSpec } from '../../../lib/tools/local/emulators/function-spec.ts';
import type { ApiBody } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { type Container, startContainer } from './container.ts';
import { unzip } from './unzip.ts';
import { packagedTemplate } from '../bundles.ts';

/** Returns a mode's template as a stack has deployed it: the same names, addresses and variables. */
export const deploymentOf = async (mode: Mode, { parameters, aws }: StackInfo): Promise<Deployment> =>
  deploy(await packagedTemplate(mode), {
    mode,
    parameters: parameters[mode],
    sqs: aws.sqs,
  });

/** Returns the body of one of a deployment's APIs, which has its routes. */
export const apiBodyOf = (deployment: Deployment, logicalId: 'Api' | 'Hooks' | 'Web'): ApiBody => {
  const api = deployment.ofType('AWS::ApiGatewayV2::Api').find((resource) => resource.logicalId === logicalId);
  if (api === undefined) throw new Error(`the template has no ${logicalId}`);
  return api.properties['Body'] as ApiBody;
};

/** Returns the variables of a function on a stack. */
export const variablesOf = (spec: FunctionSpec, { aws }: StackInfo): Readonly<Record<string, string>> => ({
  ...functionEnvironment(aws),
  ...spec.environment,
});

/**
 * Starts a function from its zip, which logs at every level. `changes` override its variables. Undefined removes one.
 */
export const startPackaged = async (
  mode: Mode,
  spec: FunctionSpec,
  stack: StackInfo,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Container> => {
  const own = { AWS_ENDPOINT_URL_LAMBDA: stack[mode].lambdaUrl, LOG_LEVEL: 'debug' };
  const variables = Object.entries({ ...variablesOf(spec, stack), ...own, ...changes });
  return startContainer({
    spec,
    code: (taskRoot) => unzip(`dist/${mode}/${spec.key}.zip`, taskRoot),
    environment: Object.fromEntries(variables.filter((pair): pair is [string, string] => pair[1] !== undefined)),
  });
};
