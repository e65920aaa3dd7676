import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { listen } from '../../lib/tools/local/ports.ts';

/** A certificate and its key, as PEM. */
export type Identity = { readonly certificate: string; readonly privateKey: string };

type Listener = (...[request, response]: Parameters<RequestListener>) => void | Promise<void>;

/** Longer than a candidate waits for its turn. Otherwise a round would include the opening of connections. */
const keepAlive = 120_000;

/** Starts a server on a free local port; with an identity, it uses TLS. */
export const serve = async (listener: Listener, identity?: Identity) => {
  const handle: RequestListener = (request, response) => void listener(request, response);
  const options = { keepAliveTimeout: keepAlive };
  const server =
    identity === undefined
      ? createServer(options, handle)
      : createTlsServer({ ...options, cert: identity.certificate, key: identity.privateKey }, handle);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  const origin = await listen(server, 0);
  return {
    origin: identity === undefined ? origin : origin.replace('http:', 'https:'),
    connections: (): readonly Socket[] => [...sockets],
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
