import type { Instant, Money } from '../../model/order.ts';
import type { Refund } from '../../model/refund.ts';

/** A refund that was paid outside. A line without an amount gets its share of what was paid for it. */
export type RecordRefund = {
  readonly amount: Money;
  readonly method: Refund['method'];
  readonly occurredAt: Instant;
  readonly lines?: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly amount?: Money;
    /** Inside `amount`. */
    readonly tax?: Money;
  }[];
  readonly shipping?: Money;
  /** What was paid with the order beside goods and shipping, such as duty. */
  readonly charges?: Money;
  readonly providerRef?: string;
};
