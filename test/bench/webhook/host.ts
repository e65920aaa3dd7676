import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ours } from '../candidates.ts';
import { contextOf, loadHandler, timeout } from '../invoke.ts';
import { offer } from '../offer.ts';
import { deliveryEventOf } from '../requests.ts';
import { serve } from '../server.ts';

/* A process with one receiver. */

/** The receiver: ours, or an alternative that stores or does not. */
export type Receiving = 'ours' | 'alternative' | 'storing alternative';

/** Starts the built function behind a minimal gateway. */
const ourListener = async (): Promise<RequestListener> => {
  const handler = await loadHandler(ours('standalone', 'receiveWebhook').file);
  return (request, response) => {
    const answer = async (): Promise<void> => {
      const event = deliveryEventOf(request.headers, await buffer(request));
      const { statusCode, headers, body } = await handler(event, contextOf(Date.now() + timeout));
      response.writeHead(statusCode, headers).end(body);
    };
    answer().catch(() => response.writeHead(500).end());
  };
};

const listenerOf = async (receiving: Receiving): Promise<RequestListener> =>
  receiving === 'ours'
    ? ourListener()
    : (await import('./alternative.ts')).alternativeListener(receiving === 'storing alternative');

let close: () => Promise<void> = async () => undefined;

const host = {
  /** Starts the receiver and returns its origin. */
  start: async (receiving: Receiving) => {
    const server = await serve(await listenerOf(receiving));
    ({ close } = server);
    return server.origin;
  },
  /** Returns the CPU microseconds so far, of the process and of its main thread. */
  used: async () => {
    const [all, thread] = [process.cpuUsage(), process.threadCpuUsage()];
    return { cpu: all.user + all.system, thread: thread.user + thread.system };
  },
};

export type Host = typeof host;

offer(host, async () => close());
