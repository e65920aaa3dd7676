import { createHook } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { getCallSites, type CallSiteObject } from 'node:util';
import { saidFd } from './pipes.ts';

/*
 * Runs inside the runtime's process, before all other code, and reports the leftovers of each invocation. They would
 * wait, frozen, for the next one. Idle connections and unreferenced timers are no leftovers.
 */

/** The result of one check. The first follows the load of the function, and one more each invocation. */
export type Report = {
  /** Empty after an invocation that ended all its work. */
  readonly left: readonly string[];
  /** The HTTP requests so far: a check that counts none would find none pending. */
  readonly requests: number;
};

/** Sent once, for an unhandled exception or rejection, which ends the runtime. */
export type Uncaught = { readonly uncaught: NodeJS.UncaughtExceptionOrigin };

type Watched = { readonly type: string; readonly resource: WeakRef<object>; readonly origin: string };

/** The functions of aws-lambda-ric that only wait for the next invocation. */
const polling = new Set([
  'ignition',
  'start',
  'processSingleConcurrent',
  'next',
  'nextInvocation',
  'nextInvocationOnce',
]);

const here = new URL('.', import.meta.url).href;
// The code that runs the queue of microtasks, also between two timers, creates nothing. A promise without another
// creator is the engine's own step between two promises.
const machinery = [here, 'node:internal/async_hooks', 'node:internal/process/task_queues', 'node:internal/timers'];
const isMachinery = (script: string): boolean => machinery.some((start) => script.startsWith(start));

const taskRoot = process.env['LAMBDA_TASK_ROOT'] ?? '';
const isOfFunction = ({ scriptName }: CallSiteObject): boolean => scriptName.includes(taskRoot);

/** The usual number of callers from `placeOf` through Node's hook to the creator: each caller takes time. */
const near = 6;

/**
 * Returns the creator of a resource: `function file:line:column`, of the function's own code if that is in the stack.
 * Returns nothing for the wait for the next event.
 */
const originOf = (): string | undefined => {
  const nearest = getCallSites(near);
  const isWhole = nearest.length < near || nearest.some(isOfFunction);
  const sites = (isWhole ? nearest : getCallSites(50)).filter(({ scriptName }) => !isMachinery(scriptName));
  const [maker] = sites;
  if (maker === undefined) return undefined;
  if (maker.scriptName.endsWith('/aws-lambda-ric/index.mjs') && polling.has(maker.functionName)) return undefined;
  const { functionName, scriptName, lineNumber, columnNumber } = sites.find(isOfFunction) ?? maker;
  return `${functionName || '(anonymous)'} ${scriptName}:${lineNumber}:${columnNumber}`;
};

const watched = new Map<number, Watched>();

createHook({
  init: (id, type, _trigger, resource) => {
    if (type !== 'PROMISE' && type !== 'Timeout') return;
    const origin = originOf();
    if (origin !== undefined) watched.set(id, { type, resource: new WeakRef(resource), origin });
  },
  promiseResolve: (id) => void watched.delete(id),
}).enable();

const open = new Map<object, string>();
let requests = 0;

const begin = (request: object, name: string): void => {
  requests += 1;
  open.set(request, name);
};

type UndiciMessage = { readonly request: { readonly method: string; readonly origin: string; readonly path: string } };

subscribe('undici:request:create', (message) => {
  const { request } = message as UndiciMessage;
  begin(request, `${request.method} ${request.origin}${request.path}`);
});
for (const end of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(end, (message) => void open.delete((message as UndiciMessage).request));
}
subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  begin(request, `${request.method} http://${String(request.getHeader('host'))}${request.path}`);
  request.once('close', () => open.delete(request));
});

const isPromise = ({ type }: Watched): boolean => type === 'PROMISE';

/** Returns whether a resource can still act: a promise without a reference never settles. */
const isAlive = (one: Watched): boolean => {
  const held = one.resource.deref();
  if (held === undefined || isPromise(one)) return held !== undefined;
  const timer = held as NodeJS.Timeout & { readonly _destroyed: boolean };
  return timer.hasRef() && !timer._destroyed;
};

const findLeft = (): readonly string[] => {
  // A promise without a reference is no leftover. Without a pending promise there is none to collect.
  if (Array.from(watched.values()).some(isPromise)) globalThis.gc?.();
  for (const [id, { resource }] of watched) if (resource.deref() === undefined) watched.delete(id);
  const alive = Array.from(watched.values()).filter(isAlive);
  const timers = alive.filter((one) => !isPromise(one)).map(({ origin }) => `timer of ${origin}`);
  const active = process.getActiveResourcesInfo();
  const unlisted = active.filter((name) => name === 'Timeout').slice(timers.length);
  return [
    ...active.filter((name) => name !== 'Timeout'),
    ...unlisted,
    ...timers,
    ...alive.filter(isPromise).map(({ origin }) => `promise of ${origin}`),
    ...Array.from(open.values(), (name) => `request ${name}`),
  ];
};

const sendReport = (said: Report | Uncaught): void => void writeSync(saidFd, `${JSON.stringify(said)}\n`);

process.on('uncaughtExceptionMonitor', (_, origin) => sendReport({ uncaught: origin }));

/** Sends the present leftovers to the test, in one line. */
export const report = (): void => sendReport({ left: findLeft(), requests });
