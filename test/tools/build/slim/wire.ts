import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The number of its connection, from 1. */
  readonly connection: number;
};

/** Handles a request to the dependency. `count` is the number of all requests so far. */
export type Respond = (response: ServerResponse, received: Received, count: number) => void;

export type Wire = AsyncDisposable & {
  readonly origin: string;
  readonly requests: readonly Received[];
  /** Their responses, for later answers. */
  readonly responses: readonly ServerResponse[];
  /** Resolves once this many requests have arrived, and immediate responses are written. */
  readonly received: (count: number) => Promise<void>;
  /** Closes every connection at once, as a peer does with idle ones, and resolves when they are closed. */
  readonly hangUp: () => Promise<void>;
};

/** Starts the dependency of a bundle, which also sends half responses and cuts connections. */
export const startWire = async (respond: Respond, tls?: ServerOptions): Promise<Wire> => {
  const requests: Received[] = [];
  const responses: ServerResponse[] = [];
  const arrivals = new EventEmitter();
  const connections = new Map<Socket, number>();
  let opened = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers, socket } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const received = { method, path: url, headers, body, connection: connections.get(socket) ?? 0 };
    requests.push(received);
    responses.push(response);
    respond(response, received, requests.length);
    arrivals.emit('arrival');
  };
  const listener: RequestListener = (request, response) => void receive(request, response).catch(() => undefined);
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    opened += 1;
    connections.set(socket, opened);
    socket.on('error', () => undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hangUp = async () => {
    await Promise.all([...connections.keys()].map((socket) => once(socket.destroy(), 'close')));
  };
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    responses,
    received: async (count) => {
      while (requests.length < count) await once(arrivals, 'arrival');
    },
    hangUp,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** Sends a response of AWS's JSON protocols. */
export const answerJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
};

/** Sends the head of a response and a part of its body, and never the rest. */
export const answerHalf = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': 1000 });
  response.write('{"Item":');
};

/** Sends the same, and resets the connection once the half was sent. */
export const cutAnswer = (response: ServerResponse): void => {
  const { socket } = response;
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': 1000 });
  response.write('{"Item":', () => setImmediate(() => socket?.resetAndDestroy()));
};

export const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();
