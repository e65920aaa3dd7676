import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { routesOf } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { startProxy, type Proxy } from '../proxy.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { allClaims, apiEvent } from './api-event.ts';
import type { Container, Invoked } from './container.ts';
import { apiBodyOf, deploymentOf, startPackaged, variablesOf } from './packaged.ts';
import { queueEvent } from './queue-event.ts';

export type BehindProxy = AsyncDisposable & {
  readonly container: Container;
  readonly proxy: Proxy;
  /** Invokes it with an event that needs its dependencies: for a missing return or delivery. */
  readonly invoke: (timeoutMs?: number) => Promise<Invoked>;
};

const delivery = queueEvent([{ messageId: 'm-1', body: '{"key":"INBOX#shopify#shop#topic#1"}' }]);

/** Starts a packaged function that reaches one of its dependencies, by its origin, only through a proxy. */
export const startBehindProxy = async (
  mode: Mode,
  key: string,
  origin: string,
  stack: StackInfo,
): Promise<BehindProxy> => {
  const deployment = await deploymentOf(mode, stack);
  const spec = functionSpecs(deployment).find((one) => one.key === key);
  if (spec === undefined) throw new Error(`there is no function ${key}`);
  const proxy = await startProxy(origin);
  const led = Object.entries(variablesOf(spec, stack)).filter(([, value]) => value.startsWith(origin));
  if (led.length === 0) throw new Error(`${key} gets no address of ${origin}`);
  const changes = Object.fromEntries(led.map(([name, value]) => [name, value.replace(origin, proxy.origin)]));
  const container = await startPackaged(mode, spec, stack, changes);
  const route = routesOf(apiBodyOf(deployment, 'Api')).find(({ functionArn }) => functionArn === spec.arn);
  const event = route === undefined ? delivery : apiEvent(route, { claims: allClaims });
  return {
    container,
    proxy,
    invoke: (timeoutMs) => container.invoke(event, timeoutMs),
    [Symbol.asyncDispose]: async () => {
      await container[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
};
