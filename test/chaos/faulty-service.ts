import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { Agent, request as forward } from 'undici';
import type { ServiceFault } from './plan.ts';

/** An answer of a service that does not do what the request asks. */
export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answers with which a service rejects a request for its rate, and answers it wrongly. */
export type Replies = {
  readonly throttle: (body: string) => Reply;
  /** It must not be a valid success: no client can know that a service lies. */
  readonly wrong: () => Reply;
};

export type Failing = { readonly kind: ServiceFault; readonly share: number; readonly forMs: number };

const ofThisHop = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']);

const endToEnd = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string | string[]] => header[1] !== undefined && !ofThisHop.has(header[0]),
    ),
  );

/**
 * Starts a proxy at the wire of a service. It forwards every byte until a fault begins.
 *
 * @param random uniform in [0, 1)
 */
export const startFaultyService = async (upstream: string, { throttle, wrong }: Replies, random: () => number) => {
  const dispatcher = new Agent();
  const affected: Partial<Record<ServiceFault, number>> = {};
  const held = new Set<ServerResponse>();
  let fault: Failing | undefined;

  const relay = async ({ method = 'GET', url, headers }: IncomingMessage, body: Buffer) => {
    const answer = await forward(`${upstream}${url}`, {
      method: method as 'GET',
      headers: endToEnd(headers),
      ...(body.length > 0 && { body }),
      dispatcher,
    });
    return { status: answer.statusCode, headers: endToEnd(answer.headers), bytes: await answer.body.bytes() };
  };

  const send = (response: ServerResponse, { status, headers, body }: Reply): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const met = fault !== undefined && random() < fault.share ? fault : undefined;
    if (met !== undefined) affected[met.kind] = (affected[met.kind] ?? 0) + 1;
    const kind = met?.kind;
    if (kind === 'reset') return void response.socket?.resetAndDestroy();
    if (kind === 'throttle') return send(response, throttle(body.toString()));
    if (kind === 'wrong') return send(response, wrong());
    if (kind === 'hang') return void held.add(response);
    if (met !== undefined && kind === 'slow') await pause(100 + random() * met.forMs);
    const { status, headers, bytes } = await relay(request, body);
    if (kind === 'lost-reply') return void response.socket?.resetAndDestroy();
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
  };

  const server = createServer((request, response) => {
    // The service itself is down, or the client has gone.
    respond(request, response).catch(() => response.destroy());
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const fall = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Begins a fault, or ends it. */
    set: async (next: Failing | undefined): Promise<void> => {
      fault = next;
      for (const response of held) response.destroy();
      held.clear();
      if (next?.kind === 'stop') {
        affected.stop = (affected.stop ?? 0) + 1;
        await fall();
      } else if (!server.listening) await listen(port);
    },
    /** Returns the number of requests that met each fault. For `stop` it is the number of stops. */
    affected: (): Readonly<Partial<Record<ServiceFault, number>>> => affected,
    close: async (): Promise<void> => {
      await fall();
      await dispatcher.destroy();
    },
  };
};

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;
