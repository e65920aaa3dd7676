import type { FloorOverride, Instant, Observation, Order } from './model/order.ts';
import type { Return } from './model/return.ts';
import type { Ledger } from './money/order-ledger.ts';

/** The input of a decision on an existing return. */
export type Situation = {
  /** The return with the current worth of its lines. */
  readonly state: Return;
  /** The lines whose stored worth is older. */
  readonly stale?: ReadonlySet<string>;
  readonly order: Order;
  readonly ledger: Ledger;
  readonly now: Instant;
  /** Whether the caller has returns:admin. */
  readonly admin: boolean;
  /** The reason code of an override of the statutory floor. */
  readonly floorOverride?: FloorOverride;
  /** Present when the command is a fact of the platform that manages the return. */
  readonly observed?: Observation;
};
