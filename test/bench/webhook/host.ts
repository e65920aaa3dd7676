import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { IncomingMessage, RequestListener } from 'node:http';
import { ours } from '../candidates.ts';
import { contextOf } from '../context.ts';
import { offer } from '../remote.ts';
import { serve } from '../server.ts';

/* A process with one receiver. */

/** The receiver: ours, or an alternative that stores or does not. */
export type Receiving = 'ours' | 'alternative' | 'storing alternative';

export type Host = {
  /** Starts the receiver and returns its origin. */
  readonly start: (input: { readonly candidate: Receiving }) => Promise<string>;
  /** Returns the CPU microseconds so far, of the process and of its main thread. */
  readonly used: (input: null) => Promise<{ readonly cpu: number; readonly thread: number }>;
};

type Answer = { readonly statusCode: number; readonly headers?: Record<string, string>; readonly body: string };
type Handler = (event: unknown, context: Context) => Promise<Answer>;

const timeout = 10_000;

/** Returns the request in API Gateway's format, with the fields that the function reads. */
const eventOf = ({ headers, method }: IncomingMessage, body: Buffer) => ({
  version: '2.0',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  pathParameters: { platform: 'shopify' },
  requestContext: { http: { method } },
  body: body.toString(),
  isBase64Encoded: false,
});

/** Starts the built function behind a minimal gateway. */
const ourListener = async (): Promise<RequestListener> => {
  const { file } = ours('standalone', 'receiveWebhook');
  const { handler } = (await import(pathToFileURL(resolve(file)).href)) as { readonly handler: Handler };
  return (request, response) => {
    const answer = async (): Promise<void> => {
      const event = eventOf(request, await buffer(request));
      const { statusCode, headers, body } = await handler(event, contextOf(Date.now() + timeout));
      response.writeHead(statusCode, headers).end(body);
    };
    answer().catch(() => response.writeHead(500).end());
  };
};

const listenerOf = async (candidate: Receiving): Promise<RequestListener> =>
  candidate === 'ours'
    ? ourListener()
    : (await import('./alternative.ts')).alternativeListener(candidate === 'storing alternative');

let close: () => Promise<void> = async () => undefined;

offer(
  {
    start: async ({ candidate }) => {
      const server = await serve(await listenerOf(candidate));
      ({ close } = server);
      return server.origin;
    },
    used: async () => {
      const [all, thread] = [process.cpuUsage(), process.threadCpuUsage()];
      return { cpu: all.user + all.system, thread: thread.user + thread.system };
    },
  } satisfies Host,
  async () => close(),
);
