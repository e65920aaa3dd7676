import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The fate of a connection. `hang`: it accepts data and sends none. `drip`: a response starts and never ends. `reset`:
 * it breaks on the first data. `refuse`: no server listens.
 */
export type Mode = 'pass' | 'hang' | 'drip' | 'reset' | 'refuse';

/**
 * The loss of a connection. `close`: its end is sent. `reset`: it breaks. `silence`: it still accepts data, but sends
 * neither data nor an end. `garbage`: it sends bytes that are no TLS.
 */
export type Loss = 'close' | 'reset' | 'silence' | 'garbage';

export type Proxy = AsyncDisposable & {
  readonly origin: string;
  /** Returns the number of connections so far. */
  readonly connections: () => number;
  /** Breaks every connection, and sets the mode of later ones. Resolves when they are broken. */
  readonly turn: (mode: Mode) => Promise<void>;
  /** Loses every open connection. Later ones are treated as before. Resolves when they are lost. */
  readonly lose: (loss: Loss) => Promise<void>;
  /** Resolves when the next bytes of a response leave for the client. */
  readonly delivered: () => Promise<void>;
};

/** Enough for a status line, not for a whole response. */
const drop = 12;

const treat = (mode: Mode, client: Socket, target: URL, deliver: (chunk: Buffer) => void): Socket | undefined => {
  if (mode === 'hang') return void client.resume();
  if (mode === 'reset') return void client.once('data', () => client.resetAndDestroy());
  const upstream = connect(Number(target.port), target.hostname);
  client.pipe(upstream);
  if (mode === 'pass') upstream.on('data', (chunk: Buffer) => deliver(chunk));
  else upstream.once('data', (chunk: Buffer) => client.write(chunk.subarray(0, drop)));
  return upstream;
};

/** Starts a proxy before a server of this machine, which fails as a network does. */
export const startProxy = async (target: string): Promise<Proxy> => {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const silent = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let mode: Mode = 'pass';
  let count = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    count += 1;
    track(client);
    const upstream = treat(mode, client, new URL(target), (chunk) => {
      if (silent.has(client)) return;
      client.write(chunk, () => {
        for (const resolve of waiting.splice(0)) resolve();
      });
    });
    clients.add(client);
    client.on('close', () => clients.delete(client));
    if (upstream === undefined) return;
    track(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      if (!silent.has(client)) client.destroySoon();
    });
  });
  const losing: Readonly<Record<Loss, (client: Socket) => unknown>> = {
    close: (client) => once(client.destroy(), 'close'),
    reset: (client) => once(client.resetAndDestroy(), 'close'),
    silence: (client) => void silent.add(client.unpipe().resume()),
    garbage: (client) => void client.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  };
  const breakAll = async (): Promise<void> => {
    await Promise.all(Array.from(sockets, (socket) => once(socket.destroy(), 'close')));
  };
  const listen = async (port: number): Promise<number> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    server.close();
    await breakAll();
  };
  const port = await listen(0);
  return {
    origin: `${new URL(target).protocol}//127.0.0.1:${port}`,
    connections: () => count,
    turn: async (next) => {
      mode = next;
      await breakAll();
      if (next === 'refuse') server.close();
      else if (!server.listening) await listen(port);
    },
    lose: async (loss) => {
      await Promise.all(Array.from(clients, losing[loss]));
    },
    delivered: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: close,
  };
};
