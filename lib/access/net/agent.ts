import type { SecureContext } from 'node:tls';
import { Pool } from 'undici';
import { createConnector, nothingToEnd, type Connector } from './connector.ts';
import type { Guard } from './guard.ts';
import { elapsed, stamp, systemClock, type Clock, type Stamp } from './clock.ts';
import { perContainer } from '../../runtime/container.ts';

/** An event of an agent. */
export type AgentEvent = { readonly type: 'connections replaced after a freeze'; readonly idleMs: number };

export type AgentOptions = {
  /** The client certificate, and the trusted roots. @default no certificate, and Node's roots */
  readonly secureContext?: SecureContext | undefined;
  readonly clock: Clock;
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** The connector with prepared TCP connections, on which TLS begins. */
  readonly tcp?: Connector | undefined;
  /** Checks the addresses, when they are untrusted. */
  readonly guard?: Guard | undefined;
  /** The maximum of connections to one origin. @default 8 */
  readonly connections?: number | undefined;
};

/** The connections to one origin. */
type LentPool = {
  readonly pool: Pool;
  /** The number of running exchanges. */
  active: number;
  /** The last time that an exchange began or ended. */
  usedAt: Stamp;
};

/** Connections to other systems. A closure holds them, so that `inspect` shows no key. */
export type Agent = {
  /** Lends the connections to an origin for one exchange. `giveBack` ends the loan. */
  readonly lend: (origin: string) => LentPool;
  readonly giveBack: (lent: LentPool) => void;
  /**
   * Opens a connection for the first exchange with an origin, while other work precedes it. The result closes the
   * connection, unless it is in use.
   */
  readonly prepare: (origin: string) => () => Promise<void>;
  /** Whether an unused prepared connection exists. */
  readonly hasPrepared: () => boolean;
  /** Closes the unused prepared connections. */
  readonly dropPrepared: () => Promise<void>;
  /** The clock of its time limits. */
  readonly clock: Clock;
  /** Whether the connections to an origin were idle for a second or more, and so may be dead unnoticed. */
  readonly hasRested: (origin: string) => boolean;
  /** Uses new connections for further exchanges. Running exchanges continue. */
  readonly renew: () => void;
  /** Closes the connections after their running exchanges. */
  readonly close: () => Promise<void>;
  /** Closes the connections at once, and aborts running exchanges. */
  readonly end: () => Promise<void>;
};

/** Peers close idle connections after 5 s or more. A container's network forgets them during a freeze. */
const maxIdle = 4_000;

// The only limit of undici in use, because its timers are coarse: it ends an attempt that has no caller any more.
const connecting = { allowH2: false, timeout: 5_000 };

/** Creates a connector that prepares TCP while the certificate for TLS is not known yet. */
export const createTcp = (clock: Clock): Connector => createConnector(connecting, clock, maxIdle);

const ignore = () => undefined;

const connectorOf = ({ secureContext, clock, tcp, guard }: AgentOptions): Connector => {
  const options = {
    ...connecting,
    ...(guard === undefined ? {} : { lookup: guard.lookup }),
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  const connector = createConnector(options, clock, maxIdle, tcp);
  if (guard === undefined) return connector;
  // A prepared connection would bypass the guard.
  return { ...connector, connect: guard.around(connector.connect), prepare: () => nothingToEnd };
};

const openPool = (origin: string, { connect }: Connector, connections: number): Pool =>
  new Pool(origin, {
    allowH2: false,
    connections,
    keepAliveTimeout: maxIdle,
    keepAliveMaxTimeout: maxIdle,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
  });

/** After this time a connection may have died unnoticed. */
const minRest = 1_000;

/**
 * Creates an agent with a connection pool for each origin. It replaces a pool that was idle for more than 4 s by either
 * clock. undici's own timers do not run in a frozen container. After a thaw it would send over a connection that the
 * peer closed long ago.
 */
export const createAgent = (options: AgentOptions): Agent => {
  const { clock, connections = 8 } = options;
  const connector = connectorOf(options);
  let lent = new Map<string, LentPool>();

  /** Removes and returns all pools. */
  const take = (): readonly Pool[] => {
    const taken = Array.from(lent.values(), ({ pool }) => pool);
    lent = new Map();
    return taken;
  };
  /** Returns the pool of an origin, unless its idle connections were idle for too long. Running exchanges continue. */
  const usable = (origin: string): LentPool | undefined => {
    const known = lent.get(origin);
    if (known === undefined) return undefined;
    const idleMs = elapsed(clock, known.usedAt);
    if (idleMs <= maxIdle) return known;
    lent.delete(origin);
    // Without a freeze undici has closed the connections itself.
    if (known.pool.stats.connected > known.active)
      options.onEvent?.({ type: 'connections replaced after a freeze', idleMs: Math.round(idleMs) });
    (known.active > 0 ? known.pool.close() : known.pool.destroy()).catch(ignore);
    return undefined;
  };
  return {
    clock,
    lend: (origin) => {
      let known = usable(origin);
      if (known === undefined) {
        // Pools of unused origins would stay forever.
        for (const other of lent.keys()) usable(other);
        known = { pool: openPool(origin, connector, connections), active: 0, usedAt: stamp(clock) };
        lent.set(origin, known);
      }
      known.active += 1;
      known.usedAt = stamp(clock);
      return known;
    },
    prepare: (origin) => (usable(origin) === undefined ? connector.prepare(origin) : nothingToEnd),
    hasPrepared: connector.hasPrepared,
    dropPrepared: connector.drop,
    hasRested: (origin) => {
      const known = lent.get(origin);
      if (known === undefined || known.active > 0) return false;
      const idleMs = elapsed(clock, known.usedAt);
      return idleMs >= minRest && idleMs <= maxIdle;
    },
    giveBack: (used) => {
      used.active -= 1;
      used.usedAt = stamp(clock);
    },
    renew: () => {
      for (const pool of take()) pool.close().catch(ignore);
    },
    close: async () => {
      await Promise.all([connector.drop(), ...take().map((pool) => pool.close())]);
    },
    end: async () => {
      await Promise.all([connector.drop(), ...take().map((pool) => pool.destroy())]);
    },
  };
};

/** The agent for requests without a client certificate: one per container. */
export const defaultAgent = perContainer((): Agent => createAgent({ clock: systemClock }));
