import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import type { Exchange, Polled, ThreadData } from './addon.ts';

/* The addon's HTTP, on a thread of its own: the native addon's is curl on one, out of reach of the event loop. */

const { origin, answered } = workerData as ThreadData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const answerTo = ({ method, path, headers, body }: Exchange): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `${origin}/2018-06-01/runtime/invocation/${path}`;
    request(url, { agent, method, headers }, resolve).on('error', reject).end(body);
  });

const send = async (exchange: Exchange): Promise<Polled | undefined> => {
  const response = await answerTo(exchange);
  const bodyJson = await text(response);
  const { statusCode = 0, headers } = response;
  return statusCode >= 200 && statusCode <= 299 ? { headers, bodyJson } : undefined;
};

parentPort?.on('message', (exchange: Exchange) => {
  const end = (polled: Polled | undefined): void => {
    if (exchange.method === 'GET') return parentPort?.postMessage(polled, []);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  send(exchange).then(end, () => end(undefined));
});
