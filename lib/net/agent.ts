import { Agent as UndiciAgent, type Dispatcher } from 'undici';
import { elapsed, stamp, systemClock, type Clock, type Stamp } from './clock.ts';

/** PEM texts; `certificate` may be a chain, `ca` replaces the roots that Node trusts. */
export type AgentOptions = {
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly ca?: string | undefined;
  readonly clock: Clock;
};

/** Connections to other systems. It holds them in a closure: inspecting it shows no key. */
export type Agent = {
  /** Lends the dispatcher for one exchange, until the promise settles. */
  readonly run: <Value>(exchange: (dispatcher: Dispatcher) => Promise<Value>) => Promise<Value>;
  /** The next exchange begins on a new connection; those under way are left to end. */
  readonly renew: () => void;
  /** Ends the connections, once the exchanges under way have ended. */
  readonly close: () => Promise<void>;
};

/** Peers close idle connections after 5 s and more; a container's network forgets them during a freeze. */
const maxIdle = 4_000;

const connect = ({ certificate, privateKey, ca }: AgentOptions): UndiciAgent =>
  new UndiciAgent({
    allowH2: false,
    connections: 8,
    keepAliveTimeout: maxIdle,
    keepAliveMaxTimeout: maxIdle,
    // Limits are signals: these timers tick coarsely. Only a connection attempt that nobody waits for needs one.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: 5_000,
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(privateKey === undefined ? {} : { key: privateKey }),
      ...(ca === undefined ? {} : { ca }),
    },
  });

const ignore = () => undefined;

/**
 * An undici Agent that is replaced before use once it was idle for more than 4 s by either clock. undici's own timers
 * do not run in a frozen container: after a thaw it would send on a connection that its peer closed long ago.
 */
export const createAgent = (options: AgentOptions): Agent => {
  const { clock } = options;
  let current: UndiciAgent | undefined;
  let active = 0;
  let usedAt: Stamp = stamp(clock);

  const renew = () => {
    current?.close().catch(ignore);
    current = undefined;
  };
  const dispatcher = (): UndiciAgent => {
    if (current !== undefined && active === 0 && elapsed(clock, usedAt) > maxIdle) {
      current.destroy().catch(ignore);
      current = undefined;
    }
    return (current ??= connect(options));
  };
  return {
    renew,
    close: async () => {
      const closing = current;
      current = undefined;
      await closing?.close();
    },
    run: async (exchange) => {
      const lent = dispatcher();
      active += 1;
      try {
        return await exchange(lent);
      } finally {
        active -= 1;
        usedAt = stamp(clock);
      }
    },
  };
};

let shared: Agent | undefined;

/** The agent for everything that needs no certificate of ours: one per container. */
export const defaultAgent = (): Agent => (shared ??= createAgent({ clock: systemClock }));
