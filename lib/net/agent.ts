import { Pool, type Dispatcher } from 'undici';
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
  /** Lends the connections to an origin for one exchange, whose end `giveBack` tells. */
  readonly lend: (origin: string) => Dispatcher;
  readonly giveBack: () => void;
  /** What its time limits go by. */
  readonly clock: Clock;
  /** The next exchange begins on a new connection; those under way are left to end. */
  readonly renew: () => void;
  /** Ends the connections, once the exchanges under way have ended. */
  readonly close: () => Promise<void>;
};

/** Peers close idle connections after 5 s and more; a container's network forgets them during a freeze. */
const maxIdle = 4_000;

const poolOptions = ({ certificate, privateKey, ca }: AgentOptions): Pool.Options => ({
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
 * A pool of connections to each origin, all replaced before use once the agent was idle for more than 4 s by either
 * clock. undici's own timers do not run in a frozen container: after a thaw it would send on a connection that its peer
 * closed long ago.
 */
export const createAgent = (options: AgentOptions): Agent => {
  const { clock } = options;
  let pools = new Map<string, Pool>();
  let active = 0;
  let usedAt: Stamp = stamp(clock);

  /** From now on there are none. */
  const take = (): readonly Pool[] => {
    const taken = [...pools.values()];
    pools = new Map();
    return taken;
  };
  return {
    clock,
    lend: (origin) => {
      if (active === 0 && elapsed(clock, usedAt) > maxIdle) for (const pool of take()) pool.destroy().catch(ignore);
      let pool = pools.get(origin);
      if (pool === undefined) {
        pool = new Pool(origin, poolOptions(options));
        pools.set(origin, pool);
      }
      active += 1;
      return pool;
    },
    giveBack: () => {
      active -= 1;
      usedAt = stamp(clock);
    },
    renew: () => {
      for (const pool of take()) pool.close().catch(ignore);
    },
    close: async () => {
      await Promise.all(take().map((pool) => pool.close()));
    },
  };
};

let shared: Agent | undefined;

/** The agent for everything that needs no certificate of ours: one per container. */
export const defaultAgent = (): Agent => (shared ??= createAgent({ clock: systemClock }));
