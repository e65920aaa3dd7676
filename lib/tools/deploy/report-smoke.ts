import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { basePath, hasBody, type Operation } from '../../contract/operation.ts';
import * as operations from '../../contract/operations.ts';
import { parseObject } from '../../runtime/json.ts';

/** The expected status of a deployed route without a token. */
type Route = { readonly name: string; readonly method: string; readonly path: string; readonly status: 200 | 401 };

/** All routes of the API. Routes with a scope require a token. A missing route answers 404. */
export const smokeRoutes: readonly Route[] = Object.values(operations).map(
  ({ name, method, path, scope }: Operation): Route => ({
    name,
    method,
    path: `${basePath}${path.replaceAll(/\{\w+\}/g, 'smoke')}`,
    status: scope === null ? 200 : 401,
  }),
);

/** A client certificate and its key, in PEM. */
export type ClientCertificate = { readonly cert: string; readonly key: string };

type SmokeOptions = {
  /** Origin of the API. */
  readonly api: string;
  /** For an API that asks for a client certificate. */
  readonly certificate?: ClientCertificate | undefined;
  /**
   * Milliseconds of retries for a wrong route: new routes of API Gateway take a while to become available.
   * @default 0
   */
  readonly waitMs?: number;
};

const requestTimeoutMs = 15_000;
const pauseMs = 1_000;
/** Public routes have a low rate limit. Few concurrent requests stay below it. */
const concurrency = 8;

type SmokeRequest = Pick<SmokeOptions, 'api' | 'certificate'>;

/** The answer of a route: its status, and the cause that a problem names; or the reason for none. */
type Answered = { readonly status: number; readonly detail: string } | { readonly unreachable: string };

/** Returns the cause that a problem of the deployment names, after a space. */
const detailOf = (body: string): string => {
  const { detail } = parseObject(body) ?? {};
  return typeof detail === 'string' ? ` ${detail}` : '';
};

/** Sends a request of a route. `fetch` has no client certificate. */
const sendRequest = ({ api, certificate }: SmokeRequest, { method, path }: Route): Promise<Answered> =>
  new Promise((resolve) => {
    const url = new URL(`${api}${path}`);
    const body = hasBody({ method: method as Operation['method'] }) ? '{}' : '';
    const headers = body === '' ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    send(url, { method, headers, signal, ...certificate })
      .once('error', ({ message }) => resolve({ unreachable: signal.aborted ? 'no answer in time' : message }))
      .once('response', (response) => {
        const { statusCode: status = 0 } = response;
        text(response).then(
          (body) => resolve({ status, detail: detailOf(body) }),
          (error: unknown) => resolve({ unreachable: error instanceof Error ? error.message : 'no body' }),
        );
      })
      .end(body);
  });

/**
 * Calls every route of a deployed API without a token.
 *
 * @returns one sentence for each wrong route; empty when all routes are right
 */
const smoke = async ({ waitMs = 0, ...target }: SmokeOptions): Promise<readonly string[]> => {
  const deadline = Date.now() + waitMs;
  const errorOf = async (route: Route): Promise<string | undefined> => {
    for (;;) {
      const answer = await sendRequest(target, route);
      if ('status' in answer && answer.status === route.status) return undefined;
      const { name, method, path, status } = route;
      if (Date.now() + pauseMs > deadline)
        return 'status' in answer
          ? `${name}: ${method} ${path} answers ${answer.status}, expected ${status}.${answer.detail}`
          : `${name}: ${method} ${path} is unreachable: ${answer.unreachable}`;
      await pause(pauseMs);
    }
  };
  const open = smokeRoutes.values();
  const errors: (string | undefined)[] = [];
  const work = async () => {
    for (const route of open) errors.push(await errorOf(route));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return errors.filter((error) => error !== undefined).toSorted();
};

/** Runs the smoke test, prints the result, and returns the exit code. */
export const reportSmoke = async (options: SmokeOptions): Promise<number> => {
  const errors = await smoke(options);
  const secured = smokeRoutes.filter(({ status }) => status === 401).length;
  const open = smokeRoutes.filter(({ status }) => status === 200).map(({ name }) => name);
  for (const error of errors) console.error(error);
  if (errors.length === 0)
    console.log(`${options.api}: ${secured} secured routes answer 401; ${open.join(', ')} answer 200.`);
  else console.error(`${options.api}: ${errors.length} of ${smokeRoutes.length} routes are wrong.`);
  return errors.length === 0 ? 0 : 1;
};
