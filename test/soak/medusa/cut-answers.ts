import { createServer, type IncomingMessage, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../../../lib/tools/local/ports.ts';

/** Starts a proxy that can lose an answer: the server behind it has acted, and the connection breaks. */
export const startCutting = async (target: string) => {
  let wanted: RegExp | undefined;
  const server = createServer((request, response) => {
    const isCut = wanted?.test(`${request.method} ${request.url?.split('?', 1)[0]}`) === true;
    if (isCut) wanted = undefined;
    const { method, headers } = request;
    const answer = async (reply: IncomingMessage): Promise<void> => {
      const body = await buffer(reply);
      if (isCut) return void request.socket.resetAndDestroy();
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(body);
    };
    const upstream = send(`${target}${request.url}`, { method, headers }, (reply) => void answer(reply));
    request.pipe(upstream);
  });
  const url = await listen(server, 0);
  return {
    url,
    /** Loses the answer to the next request whose method and path match. */
    cutNext: (pattern: RegExp): void => {
      wanted = pattern;
    },
    /** Whether the answer was lost. */
    hasCut: (): boolean => wanted === undefined,
    close: () => closeServer(server),
  };
};
