import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** `x5t#S256` of the client's certificate, when it presented one. */
  readonly thumbprint: string | undefined;
};

/**
 * `reset` breaks the connection, `hang` never answers, `drip` starts a response and never ends it. `raw` writes by
 * itself.
 */
export type Answer =
  | 'reset'
  | 'hang'
  | 'drip'
  | { readonly raw: (socket: Socket) => void }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer };

export type Respond = (request: Received) => Answer | Promise<Answer>;

export type TestServer = AsyncDisposable & {
  readonly origin: string;
  readonly requests: readonly Received[];
  readonly connections: () => number;
  /** Resolves once this many requests have arrived in total. */
  readonly received: (count: number) => Promise<void>;
  /** Resolves once this many connections were opened in total. */
  readonly connected: (count: number) => Promise<void>;
  /** Resolves once this many connections were closed in total. */
  readonly closed: (count: number) => Promise<void>;
  /** Returns the total of bytes that were handed to the network. */
  readonly sent: () => number;
  /** Sets the idle time of connections, which each response announces. */
  readonly setIdleTime: (seconds: number) => void;
  /** Ends every connection, and rejects others until `rise`. */
  readonly fall: () => Promise<void>;
  readonly rise: () => Promise<void>;
};

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const write = (answer: Answer, response: ServerResponse) => {
  if (answer === 'hang') return;
  // The socket below TLS cannot be reset from here: it is closed without TLS's own end.
  if (answer === 'reset' && response.socket instanceof TLSSocket) return void response.socket.destroy();
  if (answer === 'reset') return void response.socket?.resetAndDestroy();
  if (typeof answer === 'object' && 'raw' in answer) return void (response.socket && answer.raw(response.socket));
  if (answer === 'drip') return void response.writeHead(200, { 'content-type': 'application/json' }).write('{"access');
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
};

/** Creates a counter that a test can wait for. */
const counter = () => {
  let count = 0;
  const waiting = new Set<{ readonly minimum: number; readonly resolve: () => void }>();
  return {
    count: () => count,
    increase: () => {
      count += 1;
      for (const one of waiting) if (one.minimum <= count && waiting.delete(one)) one.resolve();
    },
    reached: (minimum: number) =>
      new Promise<void>((resolve) => {
        if (minimum <= count) resolve();
        else waiting.add({ minimum, resolve });
      }),
  };
};

const thumbprintOf = (socket: Socket): string | undefined => {
  const raw = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.raw : undefined;
  return raw === undefined ? undefined : createHash('sha256').update(raw).digest('base64url');
};

/** Starts a real HTTP server on a free port of this machine. */
export const startServer = async (respond: Respond, tls?: ServerOptions): Promise<TestServer> => {
  const requests: Received[] = [];
  const arrivals = counter();
  const openings = counter();
  const closings = counter();
  const numbers = new Map<Socket, number>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers, socket } = request;
    const body = await readAll(request);
    const connection = numbers.get(socket) ?? 0;
    const received = { method, path: url, headers, body, connection, thumbprint: thumbprintOf(socket) };
    requests.push(received);
    arrivals.increase();
    write(await respond(received), response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    openings.increase();
    numbers.set(socket, openings.count());
    socket.on('close', closings.increase);
    socket.on('error', () => undefined);
  });
  const rise = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const fall = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await rise(0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    connections: openings.count,
    received: arrivals.reached,
    connected: openings.reached,
    closed: closings.reached,
    sent: () => [...numbers.keys()].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    setIdleTime: (seconds) => void (server.keepAliveTimeout = seconds * 1_000),
    fall,
    rise: async () => rise(port),
    [Symbol.asyncDispose]: fall,
  };
};
