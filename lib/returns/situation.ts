import type { FloorOverride, Instant, Observation, Order } from './model/order.ts';
import type { Return } from './model/return.ts';
import type { Ledger } from './money/ledger.ts';

/** What a command on an existing return is decided on. */
export type Situation = {
  readonly state: Return;
  readonly order: Order;
  readonly ledger: Ledger;
  readonly now: Instant;
  /** Whether the caller may do what only an admin may. */
  readonly admin: boolean;
  /** Why an admin goes below what the law gives, as a code. */
  readonly floorOverride?: FloorOverride;
  /** The command is a fact of the platform that manages the return. */
  readonly observed?: Observation;
};
