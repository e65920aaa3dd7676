import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';

/**
 * Something that happened to a subject, in its place in the order of what happened to that: an entry of a return's history,
 * or what a policy, an endpoint or a job has to tell. The row that keeps it is the outbox.
 */
export type Happening = {
  /** Grows from one happening of a subject to the next. */
  readonly sequence: number;
  /** As the contract names it, such as `return.approved`. */
  readonly type: string;
  readonly at: Instant;
  /** The client alone: whom it acts for may be a person. */
  readonly actor: { readonly clientId: string };
  readonly data: object;
  readonly causationId: string;
  readonly correlationId: string;
  /** Of a return alone. */
  readonly from?: Status | null;
  readonly to?: Status;
  readonly policyVersion?: string | null;
};
