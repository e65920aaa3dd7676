import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../../lib/tools/local/ports.ts';

export type RoundTrips = { readonly origin: string; readonly close: () => Promise<void> };

/** Relays the data of `from` in order, `delay` milliseconds later and not before `openAt`. */
const relay = (from: Socket, to: Socket, delay: number, openAt: number): void => {
  const waiting: (() => void)[] = [];
  const after = (act: () => void): void => {
    const now = performance.now();
    waiting.push(act);
    // Timers of different lengths may end in another order than they began.
    setTimeout(() => waiting.shift()?.(), Math.max(now, openAt) + delay - now);
  };
  from.on('data', (chunk: Buffer) => after(() => to.write(chunk)));
  from.on('end', () => after(() => to.end()));
  from.on('error', () => undefined).on('close', () => after(() => to.destroy()));
};

/**
 * Starts a relay to a local server as if it were `oneWay` milliseconds away.
 * A local connection opens at once. The relay delays the first data by the round trip of a remote one.
 */
export const startRoundTrips = async (target: string, oneWay: number): Promise<RoundTrips> => {
  const { protocol, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(port), host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    for (const socket of [near, far]) sockets.add(socket.on('close', () => sockets.delete(socket)));
    relay(near, far, oneWay, performance.now() + 2 * oneWay);
    relay(far, near, oneWay, 0);
  });
  const origin = await listen(server, 0);
  return {
    origin: origin.replace('http:', protocol),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
