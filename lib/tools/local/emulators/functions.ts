import type { FunctionSpec } from './function-spec.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { Deployment } from '../../template/cloudformation/deployment.ts';
import type { FunctionInvoked } from '../events.ts';
import { asFunction } from './identities.ts';

type Handler = (event: unknown, context: Context) => unknown;

/** Invokes a function by its ARN with an event, as JSON in both directions; bytes are an event that is already JSON. */
export type Invoke = (
  arn: string,
  event: unknown,
  trigger: FunctionInvoked['trigger'],
  requestId?: string,
) => Promise<unknown>;

/**
 * A failure of a function, as AWS's service reports it. The cause is the thrown error, and is missing after a timeout.
 */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

type Properties = {
  readonly FunctionName: string;
  readonly Role: string;
  readonly Handler: string;
  readonly Timeout: number;
  readonly MemorySize: number;
  readonly RecursiveLoop?: FunctionSpec['recursiveLoop'];
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string | number>> };
};

/** Returns the functions of a deployment. Triggers reach a function by its alias only. */
export const functionSpecs = (deployment: Deployment): readonly FunctionSpec[] => {
  const aliases = deployment.ofType('AWS::Lambda::Alias');
  const aliasOf = (name: string): string | undefined =>
    aliases.find(({ properties }) => properties['FunctionName'] === name)?.local.ref;
  return deployment.ofType('AWS::Lambda::Function').map(({ logicalId, properties }) => {
    const { FunctionName, Role, Handler, Timeout, MemorySize, Environment, RecursiveLoop } = properties as Properties;
    const variables = Object.entries(Environment?.Variables ?? {}).map(([name, value]) => [name, String(value)]);
    const alias = aliasOf(FunctionName);
    if (alias === undefined) throw new Error(`/Resources/${logicalId}: the function has no alias`);
    return {
      arn: alias,
      key: FunctionName.split('-').at(-1) ?? FunctionName,
      name: FunctionName,
      role: Role,
      handler: Handler,
      timeoutMs: Timeout * 1000,
      memoryMb: MemorySize,
      environment: Object.fromEntries(variables),
      ...(RecursiveLoop !== undefined && { recursiveLoop: RecursiveLoop }),
    };
  });
};

/** Returns the shared environment of all functions. A variable cannot have two values, because they share a process. */
export const sharedEnvironment = (specs: readonly FunctionSpec[]): Record<string, string> => {
  const shared: Record<string, string> = {};
  for (const { name, environment } of specs) {
    for (const [variable, value] of Object.entries(environment)) {
      if ((shared[variable] ??= value) !== value)
        throw new Error(`${name}: ${variable} has another value than in the functions before`);
    }
  }
  return shared;
};

const contextOf = (spec: FunctionSpec, requestId: string, deadline: number): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: spec.name,
  functionVersion: '1',
  invokedFunctionArn: spec.arn,
  memoryLimitInMB: String(spec.memoryMb),
  awsRequestId: requestId,
  logGroupName: `/aws/lambda/${spec.name}`,
  logStreamName: 'local',
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});

const loadHandler = async (spec: FunctionSpec, root: string, generation: number): Promise<Handler> => {
  const [path = '', exported = ''] = /^(.*)\.([^.]+)$/.exec(spec.handler)?.slice(1) ?? [];
  const url = pathToFileURL(join(root, `${path}.mjs`));
  // Node caches a module by its URL: another URL is another container.
  if (generation > 0) url.searchParams.set('container', String(generation));
  const handler = ((await import(url.href)) as Record<string, unknown>)[exported];
  if (typeof handler !== 'function') throw new Error(`${spec.handler} is not a function`);
  return handler as Handler;
};

const withTimeout = async (timeoutMs: number, run: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FunctionError(`Task timed out after ${timeoutMs / 1000} seconds`)), timeoutMs);
  });
  try {
    return await Promise.race([run, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

const jsonOf = (event: unknown): string => (Buffer.isBuffer(event) ? event.toString() : JSON.stringify(event));

/** Creates one warm container: it loads the module at the first event, until a load or an invocation breaks it. */
const container = (
  spec: FunctionSpec,
  root: string,
  onInvoked: (event: FunctionInvoked) => void,
  timeoutMs: number,
) => {
  let generation = 0;
  let handler: Promise<Handler> | undefined;
  return async (event: unknown, trigger: FunctionInvoked['trigger'], requestId: string): Promise<unknown> => {
    const at = Date.now();
    const cold = handler === undefined;
    let error: string | undefined;
    try {
      const loaded = await (handler ??= loadHandler(spec, root, generation));
      const context = contextOf(spec, requestId, Date.now() + timeoutMs);
      const answer = await withTimeout(timeoutMs, Promise.resolve(loaded(JSON.parse(jsonOf(event)), context)));
      return JSON.parse(JSON.stringify(answer ?? null)) as unknown;
    } catch (cause) {
      // Lambda ends a container whose start failed or that timed out. A container whose function threw lives on.
      if (cause instanceof FunctionError || cold) {
        handler = undefined;
        generation += 1;
      }
      error = cause instanceof Error ? cause.name : 'unknown';
      console.error(`${spec.name} ${requestId} failed:`, cause);
      throw cause instanceof FunctionError ? cause : new FunctionError(`${spec.name} failed`, { cause });
    } finally {
      onInvoked({
        type: 'invoked',
        function: spec.key,
        trigger,
        cold,
        at,
        ms: Date.now() - at,
        ...(error !== undefined && { error }),
      });
    }
  };
};

/**
 * Starts the functions of a mode, each with one warm container in this process.
 *
 * @param timeScale the factor by which functions may exceed their timeouts
 */
export const startFunctions = (
  specs: readonly FunctionSpec[],
  root: string,
  onInvoked: (event: FunctionInvoked) => void,
  timeScale = 1,
): Invoke => {
  const containers = new Map(
    specs.map(
      (spec) => [spec.arn, { spec, invoke: container(spec, root, onInvoked, spec.timeoutMs * timeScale) }] as const,
    ),
  );
  return async (arn, event, trigger, requestId = randomUUID()) => {
    const found = containers.get(arn);
    if (found === undefined) throw new Error(`there is no function ${arn}`);
    return asFunction(found.spec, () => found.invoke(event, trigger, requestId));
  };
};
