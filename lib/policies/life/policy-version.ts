import type { Actor } from '../../returns/model/actor.ts';
import type { Instant } from '../../returns/model/order.ts';

/** A version of a policy without what it says. When it decides stands in the catalogue. */
export type VersionHead = {
  readonly policyId: string;
  readonly version: number;
  /** Counts how often it was written: it changes until it is published, and never after that. */
  readonly revision: number;
  readonly note?: string;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly updatedAt: Instant;
  readonly updatedBy: Actor;
  readonly published?: { readonly at: Instant; readonly by: Actor };
};
