import type { SecureContext } from 'node:tls';
import { Pool } from 'undici';
import { createConnector, nothingToEnd, type Connector } from './connector.ts';
import type { Guard } from './guard.ts';
import { elapsed, stamp, systemClock, type Clock, type Stamp } from './clock.ts';
import { perContainer } from '../runtime/container.ts';

/** What an agent decided, for whoever watches. */
export type AgentEvent = { readonly type: 'connections replaced after a freeze'; readonly idleMs: number };

export type AgentOptions = {
  /** The certificate that connections show, and the roots they trust. @default none, and Node's */
  readonly secureContext?: SecureContext | undefined;
  readonly clock: Clock;
  readonly onDecision?: ((decision: AgentEvent) => void) | undefined;
  /** Where TCP may have been prepared: TLS begins upon it. */
  readonly tcp?: Connector | undefined;
  /** Where others have chosen the addresses. */
  readonly guard?: Guard | undefined;
  /** To one origin at once. @default 8 */
  readonly connections?: number | undefined;
};

/** The connections to one origin. */
type LentPool = {
  readonly pool: Pool;
  /** Exchanges under way. */
  active: number;
  usedAt: Stamp;
};

/** Connections to other systems. It holds them in a closure: inspecting it shows no key. */
export type Agent = {
  /** Lends the connections to an origin for one exchange, whose end `giveBack` tells. */
  readonly lend: (origin: string) => LentPool;
  readonly giveBack: (lent: LentPool) => void;
  /**
   * Begins a connection for the first exchange with an origin, while another is under way that must come before it. The
   * answer ends it, unless it is in use by then.
   */
  readonly prepare: (origin: string) => () => Promise<void>;
  /** Whether any connection was prepared and is not in use. */
  readonly hasPrepared: () => boolean;
  /** Ends every connection that was prepared and is not in use. */
  readonly dropPrepared: () => Promise<void>;
  /** What its time limits go by. */
  readonly clock: Clock;
  /** Whether the connections to an origin were idle for a second or more: one may be dead without a sign of it. */
  readonly hasRested: (origin: string) => boolean;
  /** The next exchange begins on a new connection; those under way are left to end. */
  readonly renew: () => void;
  /** Ends the connections, once the exchanges under way have ended. */
  readonly close: () => Promise<void>;
  /** Ends the connections at once, with all that is under way. */
  readonly end: () => Promise<void>;
};

/** Peers close idle connections after 5 s and more; a container's network forgets them during a freeze. */
const maxIdle = 4_000;

// Of undici's own limits, which tick coarsely, the only one: an attempt that nobody waits for any more needs it.
const connecting = { allowH2: false, timeout: 5_000 };

/** Prepares what lies below TLS while the certificate is not known yet that TLS is to begin with. */
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
  // Nothing is prepared past the guard.
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

/** From then on a connection may have died in silence. */
const minRest = 1_000;

/**
 * A pool of connections to each origin, replaced before use once it was idle for more than 4 s by either clock. undici's
 * own timers do not run in a frozen container: after a thaw it would send on a connection that its peer closed long ago.
 */
export const createAgent = (options: AgentOptions): Agent => {
  const { clock, connections = 8 } = options;
  const connector = connectorOf(options);
  let lent = new Map<string, LentPool>();

  /** From now on there are none. */
  const take = (): readonly Pool[] => {
    const taken = Array.from(lent.values(), ({ pool }) => pool);
    lent = new Map();
    return taken;
  };
  const idle = ({ active, usedAt }: LentPool): number => (active > 0 ? 0 : elapsed(clock, usedAt));
  /** What there is for an origin, unless it may be dead: then it ends. */
  const usable = (origin: string): LentPool | undefined => {
    const known = lent.get(origin);
    if (known === undefined) return undefined;
    const idleMs = idle(known);
    if (idleMs <= maxIdle) return known;
    lent.delete(origin);
    // Where no freeze came in between, undici has closed them by itself.
    if (known.pool.stats.connected > 0)
      options.onDecision?.({ type: 'connections replaced after a freeze', idleMs: Math.round(idleMs) });
    known.pool.destroy().catch(ignore);
    return undefined;
  };
  return {
    clock,
    lend: (origin) => {
      let known = usable(origin);
      if (known === undefined) {
        // Others whom nobody asks any more would be kept for ever.
        for (const other of lent.keys()) usable(other);
        known = { pool: openPool(origin, connector, connections), active: 0, usedAt: stamp(clock) };
        lent.set(origin, known);
      }
      known.active += 1;
      return known;
    },
    prepare: (origin) => (usable(origin) === undefined ? connector.prepare(origin) : nothingToEnd),
    hasPrepared: connector.hasPrepared,
    dropPrepared: connector.drop,
    hasRested: (origin) => {
      const known = lent.get(origin);
      const idleMs = known === undefined ? 0 : idle(known);
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

/** The agent for everything that needs no certificate of ours: one per container. */
export const defaultAgent = perContainer((): Agent => createAgent({ clock: systemClock }));
