import { fork } from 'node:child_process';
import { join } from 'node:path';
import { isObject, parseObject } from '../../runtime/json.ts';
import { functionSpecs } from '../local/emulators/functions.ts';
import { deploy } from '../template/cloudformation/deployment.ts';
import type { Template } from '../template/cloudformation/template.ts';
import type { Offer } from '../template/offer.ts';
import type { FunctionCall, FunctionCalled } from './call-function.ts';

/*
 * Calls the Returns Service of a stage before the stack changes: by the built functions of the deployment, with the
 * variables that they get there. So a service that answers otherwise than the deployment expects gets no traffic.
 */

type Values = Readonly<Record<string, string>>;

export type ServiceCheckOptions = {
  readonly offer: Offer;
  readonly template: Template;
  /** A value for each parameter of the template. */
  readonly values: Values;
  /** The region of the stage, and the credentials that read the client secret, as variables. */
  readonly access: Values;
  /**
   * The folder of dist/.
   * @default the working directory
   */
  readonly root?: string;
  /**
   * The deadline of a call, in milliseconds. A function that ends later than twice this time is ended.
   * @default 15000
   */
  readonly limitMs?: number;
};

/** What a check finds. `misfit` proves that the deployment cannot serve; `unchecked` proves nothing. */
export type ServiceCheck =
  | { readonly kind: 'fits' }
  | { readonly kind: 'misfit' | 'unchecked'; readonly operation: string; readonly detail: string };

const defaultLimitMs = 15_000;

/** The reads that a deployment has, with their inputs: the health check, and a list that needs no field. */
const readsOf = ({ entries }: Offer): readonly (readonly [name: string, input: object])[] => {
  const { listReturns } = entries;
  if (listReturns === undefined || (listReturns.query.required ?? []).length > 0) return [['health', {}]];
  const input = 'limit' in listReturns.query.properties ? { limit: 1 } : {};
  return [
    ['health', {}],
    ['listReturns', input],
  ];
};

/** Returns the variables of the functions. A new stack has no shared token yet. */
const variablesOf = ({ template, values }: ServiceCheckOptions): ReadonlyMap<string, Values> => {
  const parameters = { ...values, ...(values['SharedToken'] !== undefined && { SharedToken: 'off' }) };
  const options = { mode: values['Stage'] ?? '', parameters, sqs: 'https://sqs.invalid' };
  return new Map(functionSpecs(deploy(template, options)).map(({ key, environment }) => [key, environment]));
};

/** Calls a function in a process of its own, which has the variables of the function. */
const callFunction = (call: FunctionCall, env: NodeJS.ProcessEnv): Promise<FunctionCalled> => {
  const timeout = 2 * call.limitMs;
  const child = fork(new URL('call-function.ts', import.meta.url), [JSON.stringify(call)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env,
    // A function ends by itself before.
    timeout,
  });
  const problemAt = (signal: NodeJS.Signals | null): string =>
    signal === null ? 'the function did not load' : `the function gave no answer within ${timeout / 1000} s`;
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as FunctionCalled));
    child.once('error', reject).once('close', (_, signal) => resolve({ problem: problemAt(signal) }));
  });
};

/** Returns the detail of a problem, and the place in the answer of the service that it names. */
const detailOf = (problem: string): string => {
  const { detail, errors } = parseObject(problem) ?? {};
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const text = typeof detail === 'string' ? detail : problem;
  if (!isObject(first)) return text;
  // An invocation has its input in a field, and so have the paths of its failures.
  const path = String(first['path']).replace(/^\/input/, '') || 'the body';
  return `${text} The first difference: ${path} ${String(first['message'])}.`;
};

/** The variables of this process that a function needs here: the endpoints and the certificates of a developer's network. */
const ownVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(AWS_.*|PATH|NODE_EXTRA_CA_CERTS)$/.test(name)));

/** Reads from the Returns Service of a stage, without a change of the service or of the stage. */
export const checkService = async (options: ServiceCheckOptions): Promise<ServiceCheck> => {
  const { offer, root = '.', access, limitMs = defaultLimitMs } = options;
  const variables = variablesOf(options);
  const env = { ...ownVariables(), ...access };
  const found = await Promise.all(
    readsOf(offer).map(async ([operation, input]): Promise<ServiceCheck> => {
      const file = join(root, 'dist', offer.folder, operation, 'index.mjs');
      const { problem } = await callFunction({ file, input, limitMs }, { ...env, ...variables.get(operation) });
      if (problem === undefined) return { kind: 'fits' };
      const isMisfit = parseObject(problem)?.['code'] === 'dependency_refused';
      return { kind: isMisfit ? 'misfit' : 'unchecked', operation, detail: detailOf(problem) };
    }),
  );
  const byKind = (kind: ServiceCheck['kind']) => found.find((check) => check.kind === kind);
  return byKind('misfit') ?? byKind('unchecked') ?? { kind: 'fits' };
};

/**
 * Calls the Returns Service, and prints what it could not check.
 *
 * @returns the reason why the deployment must get no traffic
 */
export const serviceError = async (options: ServiceCheckOptions): Promise<string | undefined> => {
  console.log('Reading from the Returns Service, at most 15 s.');
  const check = await checkService(options);
  if (check.kind === 'fits') return undefined;
  const { kind, operation, detail } = check;
  if (kind === 'misfit')
    return `The Returns Service does not fit this deployment: ${operation} failed. ${detail} Nothing is deployed.`;
  console.log(
    `The Returns Service was not checked from this machine: ${operation} failed. ${detail} ` +
      'The stage may reach it by its own network. The smoke test calls it after the deployment.',
  );
  return undefined;
};
