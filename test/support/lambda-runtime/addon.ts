import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { aheadHeader, setAhead } from './clock.ts';
import { report } from './leftovers.ts';

/*
 * Stands in for rapid-client.node, the part of aws-lambda-ric that a compiler would have to build: `next` waits on
 * another thread, `done` and `error` hold the event loop until the Runtime API has answered, and what it answers is
 * not looked at. aws-lambda-ric/src/native/rapid-client.cc
 */

export type Exchange = {
  readonly method: 'GET' | 'POST';
  /** Below /2018-06-01/runtime/invocation/. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The next event, as the addon hands it over. */
export type Polled = { readonly bodyJson: string; readonly headers: IncomingHttpHeaders };

export type ThreadData = { readonly origin: string; readonly answered: Int32Array };

const answered = new Int32Array(new SharedArrayBuffer(4));
const workerData: ThreadData = { origin: `http://${process.env['AWS_LAMBDA_RUNTIME_API']}`, answered };
const thread = new Worker(new URL(`./addon-thread${extname(import.meta.url)}`, import.meta.url), {
  execArgv: [],
  workerData,
});
thread.unref();

const say = (exchange: Exchange): void => thread.postMessage(exchange, []);

const post = (path: string, body: string, headers: Exchange['headers'] = {}): void => {
  Atomics.store(answered, 0, 0);
  const length = String(Buffer.byteLength(body));
  say({
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  Atomics.wait(answered, 0, 0);
};

const poll = (): Promise<Polled> =>
  new Promise((resolve, reject) => {
    thread.ref();
    thread.once('message', (polled: Polled | undefined) => {
      thread.unref();
      if (polled === undefined) reject(new Error('Failed to get next invocation, error -1'));
      else {
        setAhead(Number(polled.headers[aheadHeader]));
        resolve(polled);
      }
    });
    say({ method: 'GET', path: 'next', headers: {} });
  });

/** A socket that was destroyed is told so at the end of the loop's turn; if it spoke TLS, its state is freed in the next. */
const twoTurns = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Waits for the next event. Before it does, the last one is over: the moment to see what is left of it. */
export const next = async (): Promise<Polled> => {
  await twoTurns();
  report();
  return poll();
};

/** Posts what the handler answered, as JSON. */
export const done = (requestId: string, body: string): void => post(`${requestId}/response`, body);

/** Posts what the handler threw, as JSON, and X-Ray's view of it. */
export const error = (requestId: string, body: string, cause: string): void =>
  post(`${requestId}/error`, body, { 'lambda-runtime-function-xray-error-cause': cause });
