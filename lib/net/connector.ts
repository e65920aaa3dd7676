import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { elapsed, stamp, type Clock } from './clock.ts';

type Connect = buildConnector.connector;
type Callback = buildConnector.Callback;

/** A connection that was begun before somebody asked for it. */
type SpareConnection = {
  readonly socket: Socket | undefined;
  readonly isGood: () => boolean;
  /** Hands it over, at once or when it stands. */
  readonly take: (callback: Callback) => void;
  /** The connection of a good one, if it stands. */
  readonly standing: () => Socket | undefined;
};

export type Connector = {
  /** Connects as undici wants it, by the connection that was prepared where there is one. */
  readonly connect: Connect;
  /**
   * Begins a connection that the next `connect` to the origin takes; the answer ends it, unless it was taken. Where TCP
   * has been prepared below, TLS begins upon it: now if it stands, else when the origin is asked.
   */
  readonly prepare: (origin: string) => () => Promise<void>;
  /** Whether one was begun and not taken, and can be; one that cannot ends. */
  readonly isPrepared: (origin: string) => boolean;
  /** Takes the connection that was prepared, if it stands. */
  readonly takeStanding: (origin: string) => Socket | undefined;
  /** Whether any was. */
  readonly hasPrepared: () => boolean;
  /** Ends what was prepared and not taken. */
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
  // A URL has an IPv6 address in brackets, a socket has it without; undici strips its own alike.
  const wanted = { protocol, hostname: written.replace(/^\[|\]$/g, ''), host, port };
  const begunAt = stamp(clock);
  let outcome: Parameters<Callback> | undefined;
  let taker: Callback | undefined;
  // Its type says void; undici's own answers with the socket.
  const socket = connect({ ...wanted, ...(httpSocket && { httpSocket }) }, (...settled) => {
    outcome = settled;
    taker?.(...settled);
  }) as unknown as Socket | undefined;
  // As undici's own while they are idle: a program ends though nobody came to take it.
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
      const settled = outcome;
      if (settled === undefined) taker = callback;
      // undici loses a connection that stands before its own call to connect has returned.
      else queueMicrotask(() => callback(...settled));
    },
    standing: () => outcome?.[1] ?? undefined,
  };
};

/**
 * Connects so that a connection which broke is known by its first error. In TLS 1.3 a server refuses a client's
 * certificate by an alert after the handshake; the end of the stream, which follows it, would hide that.
 */
const keepingFirstError =
  (connect: Connect): Connect =>
  (wanted, callback) => {
    // Its type says void; undici's own answers with the socket.
    const socket = connect(wanted, callback) as unknown as Socket | undefined;
    socket?.once('error', (error) => socket.prependOnceListener('end', () => void socket.destroy(error)));
    return socket;
  };

/** The end of what was not begun. */
export const nothingToEnd = async () => undefined;

type Wanted = Pick<buildConnector.Options, 'hostname' | 'port'>;

const tcpBelow = ({ hostname, port }: Wanted) => {
  const host = `${hostname}:${port || 443}`;
  return { origin: `http://${host}`, wanted: { protocol: 'http:', hostname, host, port: port || '443' } };
};

/** The origin of what lies below an origin's TLS: TCP alone, to be prepared while TLS cannot begin. */
export const tcpOriginOf = (origin: string): string => tcpBelow(new URL(origin)).origin;

/** Begins TLS on what was prepared below it, where there is such a connection. */
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
 * Connects for all pools of an agent: they share one cache of TLS sessions, which lives and dies with the identity that
 * it was begun with. A connection can be prepared while what must come before its first request is still under way.
 *
 * @param maxAge milliseconds for which a prepared connection is good
 * @param tcp where TCP may have been prepared for TLS
 */
export const createConnector = (
  options: buildConnector.BuildOptions,
  clock: Clock,
  maxAge: number,
  tcp?: Connector,
): Connector => {
  const begun = keepingFirstError(buildConnector(options));
  const connect = tcp === undefined ? begun : tlsOverPrepared(tcp, begun);
  const spares = new Map<string, SpareConnection>();
  const end = async (origin: string): Promise<void> => {
    const socket = spares.get(origin)?.socket;
    spares.delete(origin);
    if (socket === undefined || socket.closed) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.destroy();
    await closed;
  };
  /** What is no good any more ends. */
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
      const httpSocket = known === undefined ? under?.takeStanding(tcpOriginOf(origin)) : undefined;
      if (httpSocket === undefined && under?.isPrepared(tcpOriginOf(origin)) === true) return nothingToEnd;
      const spare = known ?? begin(begun, origin, clock, maxAge, httpSocket);
      spares.set(origin, spare);
      return async () => {
        if (spares.get(origin) === spare) await end(origin);
      };
    },
    isPrepared: (origin) => good(origin) !== undefined,
    takeStanding: (origin) => {
      const socket = good(origin)?.standing();
      if (socket !== undefined) spares.delete(origin);
      return socket;
    },
    hasPrepared: () => spares.size > 0,
    drop: async () => {
      if (spares.size > 0) await Promise.all(Array.from(spares.keys(), end));
    },
  };
};
