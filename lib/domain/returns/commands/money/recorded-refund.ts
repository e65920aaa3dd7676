import type { Event } from '../../history/entry.ts';
import type { Instant } from '../../model/order.ts';
import type { Refund } from '../../model/refund.ts';
import type { Return } from '../../model/return.ts';
import type { Ledger } from '../../money/order-ledger.ts';

/** A refund that was paid outside this service, with its external id. */
export type RecordedRefund = Refund & Required<Pick<Refund, 'external' | 'occurredAt'>>;

/** The identity of a new refund. The caller of the decision makes it. */
export type NewRefund = {
  readonly id: string;
  readonly externalId: string;
  readonly now: Instant;
  /** The latest accepted time of the payment: now plus the allowed clock skew. */
  readonly latest: Instant;
};

/** A recorded refund, the ledger of the order with it, and the return that changes with its events, if any. */
export type RefundOutcome = {
  readonly refund: RecordedRefund;
  readonly ledger: Ledger;
  readonly state: Return | undefined;
  readonly events: readonly Event[];
};
