import { resolve } from 'node:path';
import type { Context } from 'aws-lambda';
import { functionFiles } from '../../lib/tools/template/function-files.ts';
import { deploy, type Deployment } from '../../lib/tools/template/cloudformation/deployment.ts';
import { functionEnvironment, type FunctionSpec } from '../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs, type Invoke, sharedEnvironment } from '../../lib/tools/local/emulators/functions.ts';
import { openGateway } from '../../lib/tools/local/emulators/gateway/gateway.ts';
import type { Response } from '../../lib/tools/local/emulators/gateway/http-response.ts';
import type { ApiBody } from '../../lib/tools/local/emulators/gateway/routes.ts';
import { packagedTemplate } from './bundles.ts';
import { setEnvironment } from './environment.ts';
import { stack } from './stack.ts';
import { contextWith } from './time.ts';
import { offers } from '../../lib/tools/template/offer.ts';

/*
 * The standalone mode in the process of a test: the functions from their sources, on the tables, queues and keys of the
 * stack. The routes, the authorizer and the errors are those of the stack's gateway. A request costs a third of one to
 * the stack: no process, no connection and no check of roles lies between.
 */

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Returns a call of the functions from their sources. They are loaded at their first event. */
const fromSources = (specs: readonly FunctionSpec[]): Invoke => {
  const files = new Map(functionFiles(offers.standalone).map(({ name, file }) => [name, resolve(file)]));
  const names = new Map(specs.map(({ arn, key }) => [arn, key]));
  return async (arn, event) => {
    const { handler } = (await import(files.get(names.get(arn) ?? '') ?? '')) as { readonly handler: Handler };
    // Lambda sends JSON in both directions.
    const answer = await handler(JSON.parse(JSON.stringify(event)), contextWith());
    return JSON.parse(JSON.stringify(answer)) as unknown;
  };
};

/** Returns the routes of the API. */
const bodyOf = (deployment: Deployment): ApiBody => {
  const api = deployment.ofType('AWS::ApiGatewayV2::Api').find(({ logicalId }) => logicalId === 'Api');
  if (api === undefined) throw new Error('the template has no Api');
  return api.properties['Body'] as ApiBody;
};

/** A request without a connection. */
export type InProcessRequest = {
  readonly method: string;
  /** The path from `/v1` on, with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

type Deployed = { readonly specs: readonly FunctionSpec[]; readonly body: ApiBody };

const deployedWith = async (parameters: Readonly<Record<string, string>>): Promise<Deployed> => {
  const { aws, parameters: deployed } = stack();
  const deployment = deploy(await packagedTemplate('standalone'), {
    mode: 'standalone',
    parameters: { ...deployed.standalone, ...parameters },
    sqs: aws.sqs,
  });
  return { specs: functionSpecs(deployment), body: bodyOf(deployment) };
};

/** Most files of a worker use the parameters of the stack: it resolves the template once for them. */
let usual: Promise<Deployed> | undefined;

/**
 * Returns the API of the standalone mode in this process, for the rest of the file. It changes the environment.
 *
 * @param parameters values of the template that differ from those of the stack
 */
export const openInProcess = async (parameters: Readonly<Record<string, string>> = {}) => {
  const { aws } = stack();
  const isUsual = Object.keys(parameters).length === 0;
  const { specs, body } = await (isUsual ? (usual ??= deployedWith({})) : deployedWith(parameters));
  setEnvironment({ ...sharedEnvironment(specs), ...functionEnvironment(aws) });
  const gateway = openGateway({ name: 'api', body, invoke: fromSources(specs) });
  return async ({ method, url, headers, body }: InProcessRequest): Promise<Response> => {
    const sent = { host: 'localhost', ...headers };
    return gateway(
      {
        method,
        url,
        rawHeaders: Object.entries(sent).flat(),
        headers: sent,
        httpVersion: '1.1',
        socket: { remoteAddress: '127.0.0.1', localPort: 443 },
      },
      Buffer.from(body ?? ''),
    );
  };
};
