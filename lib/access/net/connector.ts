import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { elapsed, stamp, type Clock } from './clock.ts';

type Connect = buildConnector.connector;
type Callback = buildConnector.Callback;

/** A connection that was opened in advance. */
type SpareConnection = {
  readonly socket: Socket | undefined;
  readonly isGood: () => boolean;
  /** Passes it to the callback, at once or when it is open. */
  readonly take: (callback: Callback) => void;
  /** The socket of a usable connection, if it is open. */
  readonly openSocket: () => Socket | undefined;
};

export type Connector = {
  /** Connects for undici, over the prepared connection if there is one. */
  readonly connect: Connect;
  /**
   * Opens a connection for the next `connect` to the origin. The result closes it, unless it was taken. TLS begins on a
   * prepared TCP connection: now if that is open, else at `connect`.
   */
  readonly prepare: (origin: string) => () => Promise<void>;
  /** Whether a usable prepared connection exists; an unusable one is closed. */
  readonly isPrepared: (origin: string) => boolean;
  /** Takes the prepared connection, if it is open. */
  readonly takeOpen: (origin: string) => Socket | undefined;
  /** Whether any prepared connection exists. */
  readonly hasPrepared: () => boolean;
  /** Closes the prepared connections that were not taken. */
  readonly drop: () => Promise<void>;
};

const begin = (
  connect: Connect,
  origin: string,
  clock: Clock,
  maxAge: number,
  httpSocket?: Socket,
): SpareConnection => {
  const { protocol, hostname: written, host, port } = new URL(origin);
  // A URL has an IPv6 address in brackets, a socket has it without. undici strips its own too.
  const wanted = { protocol, hostname: written.replace(/^\[|\]$/g, ''), host, port };
  const begunAt = stamp(clock);
  let outcome: Parameters<Callback> | undefined;
  let taker: Callback | undefined;
  // The declared type is void, but undici's connector returns the socket.
  const socket = connect({ ...wanted, ...(httpSocket && { httpSocket }) }, (...result) => {
    outcome = result;
    taker?.(...result);
  }) as unknown as Socket | undefined;
  // Like an idle connection of undici: a program ends although the connection was not taken.
  socket?.unref();
  const isGood = () => {
    const [error, connected] = outcome ?? [null, undefined];
    return error === null && connected?.destroyed !== true && elapsed(clock, begunAt) <= maxAge;
  };
  return {
    socket,
    isGood,
    take: (callback) => {
      socket?.ref();
      const result = outcome;
      if (result === undefined) taker = callback;
      // undici loses an open connection when the callback runs before its call to connect has returned.
      else queueMicrotask(() => callback(...result));
    },
    openSocket: () => outcome?.[1] ?? undefined,
  };
};

/**
 * Connects so that a broken connection reports its first error. In TLS 1.3 a server rejects a client certificate by an
 * alert after the handshake. The end of the stream follows, and would hide the alert.
 */
const withFirstError =
  (connect: Connect): Connect =>
  (wanted, callback) => {
    // The declared type is void, but undici's connector returns the socket.
    const socket = connect(wanted, callback) as unknown as Socket | undefined;
    socket?.once('error', (error) => socket.prependOnceListener('end', () => void socket.destroy(error)));
    return socket;
  };

/** Closes nothing, because no connection was opened. */
export const nothingToEnd = async () => undefined;

type Wanted = Pick<buildConnector.Options, 'hostname' | 'port'>;

const tcpBelow = ({ hostname, port }: Wanted) => {
  const host = `${hostname}:${port || 443}`;
  return { origin: `http://${host}`, wanted: { protocol: 'http:', hostname, host, port: port || '443' } };
};

/** Returns the origin of the TCP connection below an origin's TLS. TCP is prepared while TLS cannot begin. */
export const tcpOriginOf = (origin: string): string => tcpBelow(new URL(origin)).origin;

/** Begins TLS on the prepared TCP connection, if there is one. */
const tlsOverPrepared =
  (tcp: Connector, connect: Connect): Connect =>
  (wanted, callback) => {
    const lower = tcpBelow(wanted);
    if (wanted.protocol !== 'https:' || !tcp.isPrepared(lower.origin)) return connect(wanted, callback);
    tcp.connect(lower.wanted, (...[error, httpSocket]) => {
      if (error === null) connect({ ...wanted, httpSocket }, callback);
      else callback(error, null);
    });
  };

/**
 * Creates the connector of an agent's pools. They share a cache of TLS sessions, which has the lifetime of their
 * identity. A connection can be prepared while other work precedes its first request.
 *
 * @param maxAge milliseconds for which a prepared connection is usable
 * @param tcp the connector with prepared TCP connections
 */
export const createConnector = (
  options: buildConnector.BuildOptions,
  clock: Clock,
  maxAge: number,
  tcp?: Connector,
): Connector => {
  const connectNew = withFirstError(buildConnector(options));
  const connect = tcp === undefined ? connectNew : tlsOverPrepared(tcp, connectNew);
  const spares = new Map<string, SpareConnection>();
  const end = async (origin: string): Promise<void> => {
    const socket = spares.get(origin)?.socket;
    spares.delete(origin);
    if (socket === undefined || socket.closed) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.destroy();
    await closed;
  };
  /** Returns the prepared connection, and closes an unusable one. */
  const good = (origin: string): SpareConnection | undefined => {
    const spare = spares.get(origin);
    if (spare?.isGood() === true) return spare;
    void end(origin);
    return undefined;
  };
  return {
    connect: (wanted, callback) => {
      const origin = `${wanted.protocol}//${wanted.host}`;
      const spare = good(origin);
      if (spare === undefined) return connect(wanted, callback);
      spares.delete(origin);
      return spare.take(callback);
    },
    prepare: (origin) => {
      const under = origin.startsWith('https:') ? tcp : undefined;
      const known = good(origin);
      const httpSocket = known === undefined ? under?.takeOpen(tcpOriginOf(origin)) : undefined;
      if (httpSocket === undefined && under?.isPrepared(tcpOriginOf(origin)) === true) return nothingToEnd;
      const spare = known ?? begin(connectNew, origin, clock, maxAge, httpSocket);
      spares.set(origin, spare);
      return async () => {
        if (spares.get(origin) === spare) await end(origin);
      };
    },
    isPrepared: (origin) => good(origin) !== undefined,
    takeOpen: (origin) => {
      const socket = good(origin)?.openSocket();
      if (socket !== undefined) spares.delete(origin);
      return socket;
    },
    hasPrepared: () => spares.size > 0,
    drop: async () => {
      if (spares.size > 0) await Promise.all(Array.from(spares.keys(), end));
    },
  };
};
