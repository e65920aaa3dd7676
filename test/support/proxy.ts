import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What becomes of a connection. `hang`: what is sent is taken, and nothing comes back. `drip`: an answer begins and
 * never ends. `reset`: it breaks as soon as something is sent. `refuse`: nobody listens.
 */
export type Mode = 'pass' | 'hang' | 'drip' | 'reset' | 'refuse';

export type Proxy = AsyncDisposable & {
  readonly origin: string;
  /** How many connections there were. */
  readonly connections: () => number;
  /** Breaks every connection, and treats those to come this way. Resolves when they are broken. */
  readonly turn: (mode: Mode) => Promise<void>;
};

/** Enough for a status line, not for a whole answer. */
const drop = 12;

const treat = (mode: Mode, client: Socket, port: number): Socket | undefined => {
  if (mode === 'hang') return void client.resume();
  if (mode === 'reset') return void client.once('data', () => client.resetAndDestroy());
  const upstream = connect(port, '127.0.0.1');
  client.pipe(upstream);
  if (mode === 'pass') upstream.pipe(client);
  else upstream.once('data', (chunk: Buffer) => client.write(chunk.subarray(0, drop)));
  return upstream;
};

/** Stands before a server of this machine and fails as a network does. */
export const startProxy = async (target: string): Promise<Proxy> => {
  const sockets = new Set<Socket>();
  let mode: Mode = 'pass';
  let count = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    count += 1;
    keep(client);
    const upstream = treat(mode, client, Number(new URL(target).port));
    if (upstream === undefined) return;
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
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
    origin: `http://127.0.0.1:${port}`,
    connections: () => count,
    turn: async (next) => {
      mode = next;
      await breakAll();
      if (next === 'refuse') server.close();
      else if (!server.listening) await listen(port);
    },
    [Symbol.asyncDispose]: close,
  };
};
