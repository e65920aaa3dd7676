import { FunctionError, functionSpecs, type Invoke } from '../../../lib/tools/local/emulators/functions.ts';
import { startGateway } from '../../../lib/tools/local/emulators/gateway/gateway.ts';
import { mappingsOf, startPoller } from '../../../lib/tools/local/emulators/queue-poller.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import type { Container, Invoked } from './container.ts';
import { apiBodyOf, deploymentOf, startPackaged } from './packaged.ts';

/** An ended invocation of a function, by its key in serverless.yml. */
export type Ended = Invoked & { readonly function: string };

/** One mode of the bundle with every function in the real runtime. Each container starts on its first use. */
export type Fleet = AsyncDisposable & {
  readonly urls: { readonly api: string; readonly hooks: string };
  /** Returns the container of a function, by its ARN. */
  readonly containerOf: (arn: string) => Promise<Container>;
  readonly invocations: readonly Ended[];
  /** Resolves with the first invocation from now on that fits. */
  readonly next: (fits: (ended: Ended) => boolean) => Promise<Ended>;
  /** Feeds the functions from their queues until its disposal. The same mode of the stack must not do so meanwhile. */
  readonly poll: () => AsyncDisposable;
};

type Waiter = { readonly fits: (ended: Ended) => boolean; readonly resolve: (ended: Ended) => void };

/** Starts the API Gateway and, on request, the event sources of the local stack before packaged functions. */
export const startFleet = async (mode: Mode, stack: StackInfo): Promise<Fleet> => {
  const deployment = await deploymentOf(mode, stack);
  const specs = functionSpecs(deployment);
  const containers = new Map<string, Promise<Container>>();
  const invocations: Ended[] = [];
  const waiters = new Set<Waiter>();
  const closers = openClosers();

  const containerOf = (arn: string): Promise<Container> => {
    const spec = specs.find((one) => one.arn === arn);
    if (spec === undefined) throw new Error(`there is no function ${arn}`);
    const started = containers.get(arn) ?? startPackaged(mode, spec, stack);
    containers.set(arn, started);
    return started;
  };
  const invoke: Invoke = async (arn, event) => {
    const container = await containerOf(arn);
    const invoked = await container.invoke(event);
    const ended = { ...invoked, function: specs.find((spec) => spec.arn === arn)?.key ?? '' };
    invocations.push(ended);
    for (const waiter of waiters) if (waiter.fits(ended) && waiters.delete(waiter)) waiter.resolve(ended);
    if (invoked.outcome.kind === 'error') throw new FunctionError(invoked.outcome.error.errorMessage);
    return invoked.outcome.payload;
  };

  closers.add(async () => {
    for (const container of containers.values()) await (await container)[Symbol.asyncDispose]();
  });
  const serve = async (name: 'api' | 'hooks', logicalId: 'Api' | 'Hooks'): Promise<string> => {
    const gateway = await startGateway({ name, body: apiBodyOf(deployment, logicalId), port: 0, invoke });
    closers.add(gateway.close);
    return gateway.url;
  };
  const urls = { api: await serve('api', 'Api'), hooks: await serve('hooks', 'Hooks') };
  return {
    urls,
    containerOf,
    invocations,
    next: (fits) => new Promise((resolve) => waiters.add({ fits, resolve })),
    poll: () => {
      const { sqs } = stack.aws;
      const pollers = mappingsOf(deployment, specs).map((mapping) =>
        startPoller({ endpoint: sqs, emulator: sqs, mapping, invoke }),
      );
      return {
        [Symbol.asyncDispose]: async () => void (await Promise.all(pollers.map((poller) => poller.close()))),
      };
    },
    [Symbol.asyncDispose]: closers.close,
  };
};
