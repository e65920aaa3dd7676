import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A request, and the TLS session of its connection. */
export type Arrived = {
  readonly authorization: string | undefined;
  /** `x5t#S256` of the client's certificate. */
  readonly thumbprint: string | undefined;
  /** Whether the session resumes an earlier connection, with that one's identity. */
  readonly resumed: boolean;
  readonly protocol: string | null;
};

/** The response of nginx to a client with an unknown certificate (ngx_http_special_response.c, 495). */
export const nginxRejection = {
  status: 400,
  headers: { server: 'nginx', 'content-type': 'text/html', connection: 'close' },
  body: '<html>\r\n<head><title>400 The SSL certificate error</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n</body>\r\n</html>\r\n',
};

export type TlsApi = AsyncDisposable & {
  readonly origin: string;
  readonly arrived: readonly Arrived[];
  /** A promise that it awaits before it answers. */
  hold: Promise<void> | undefined;
  /** The statuses of the next responses, or 200 when the list is empty. */
  readonly instead: number[];
  /** Thumbprints of certificates that it rejects by an HTTP response after the handshake, as nginx does. */
  readonly rejected: Set<string>;
  /** Returns the number of connections that it rejected in the handshake. */
  readonly rejections: () => number;
  /** Resolves when the next request has arrived. */
  readonly next: () => Promise<void>;
};

const certificatePage = (response: ServerResponse): void => {
  const { status, headers, body } = nginxRejection;
  response.writeHead(status, headers).end(body);
};

/** Starts an API over TLS that closes each connection after one request, so that each request is a handshake. */
export const startTlsApi = async (tls: ServerOptions): Promise<TlsApi> => {
  const arrived: Arrived[] = [];
  const waiting: (() => void)[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const socket = request.socket as TLSSocket;
    const raw = socket.getPeerX509Certificate()?.raw;
    const { authorization } = request.headers;
    const thumbprint = raw === undefined ? undefined : createHash('sha256').update(raw).digest('base64url');
    arrived.push({ authorization, thumbprint, resumed: socket.isSessionReused(), protocol: socket.getProtocol() });
    for (const resolve of waiting.splice(0)) resolve();
    await api.hold;
    if (thumbprint !== undefined && api.rejected.has(thumbprint)) return certificatePage(response);
    response.writeHead(api.instead.shift() ?? 200, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"id":"x"}');
  };
  const server = createServer(tls, (request, response) => void handle(request, response));
  let rejections = 0;
  server.on('tlsClientError', () => {
    rejections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api: TlsApi = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    hold: undefined,
    instead: [],
    rejected: new Set(),
    rejections: () => rejections,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return api;
};
