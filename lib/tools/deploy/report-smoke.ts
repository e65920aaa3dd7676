import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { basePath, hasBody, type Operation } from '../../contract/operation.ts';
import * as operations from '../../contract/operations.ts';
import { parseObject } from '../../runtime/json.ts';
import { type Offer, offersAll } from '../template/offer.ts';

/** The expected status of a deployed route without a token. */
type Route = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: 200 | 401 | 501;
};

/**
 * Returns all routes of the contract. Those with a scope require a token, and those that the deployment does not offer
 * answer 501. A missing route answers 404.
 */
export const smokeRoutes = (offer: Offer): readonly Route[] =>
  Object.values(operations).map(({ name, method, path, scope }: Operation): Route => {
    const offered = scope === null ? 200 : 401;
    return {
      name,
      method,
      path: `${basePath}${path.replaceAll(/\{\w+\}/g, 'smoke')}`,
      status: offersAll(offer, [name]) ? offered : 501,
    };
  });

/** A client certificate and its key, in PEM. */
export type ClientCertificate = { readonly cert: string; readonly key: string };

type SmokeOptions = {
  /** Origin of the API. */
  readonly api: string;
  /** What the deployment offers. */
  readonly offer: Offer;
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
const smoke = async ({ waitMs = 0, ...target }: SmokeOptions, routes: readonly Route[]): Promise<readonly string[]> => {
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
  const open = routes.values();
  const errors: (string | undefined)[] = [];
  const work = async () => {
    for (const route of open) errors.push(await errorOf(route));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return errors.filter((error) => error !== undefined).toSorted();
};

/** Runs the smoke test, prints the result, and returns the exit code. */
export const reportSmoke = async (options: SmokeOptions): Promise<number> => {
  const routes = smokeRoutes(options.offer);
  const errors = await smoke(options, routes);
  const answering = (wanted: Route['status']) => routes.filter(({ status }) => status === wanted);
  const open = answering(200).map(({ name }) => name);
  const absent = answering(501).length;
  for (const error of errors) console.error(error);
  if (errors.length === 0)
    console.log(
      `${options.api}: ${answering(401).length} secured routes answer 401; ${open.join(', ')} answer 200` +
        `${absent === 0 ? '' : `; ${absent} that are not offered answer 501`}.`,
    );
  else console.error(`${options.api}: ${errors.length} of ${routes.length} routes are wrong.`);
  return errors.length === 0 ? 0 : 1;
};
