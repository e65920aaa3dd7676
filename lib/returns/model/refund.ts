import type { Instant, Money, OrderRef } from './order.ts';

/** How a fact of the shop goes against a rule, or beyond what was agreed. */
export type Discrepancy = { readonly code: string; readonly at: Instant; readonly detail: string };

/** What a refund gave for units of an order line, tax inside `gross`. */
export type RefundedLine = {
  readonly orderLineId: string;
  readonly quantity: number;
  readonly gross: Money;
  readonly tax: Money;
};

/** What a refund gave for units of a line of the return, tax inside. */
export type ReturnLineShare = { readonly lineId: string; readonly quantity: number; readonly gross: Money };

/** What is kept of the money for the goods. */
export type FeeType = 'inspection' | 'restocking' | 'return_shipping';

/** What a refund kept back. */
export type Deduction = { readonly type: FeeType | 'paid_before'; readonly amount: Money };

/** One time that a refund was handed to whoever pays it, and what came of it. */
export type Attempt = {
  readonly status: 'submitted' | 'succeeded' | 'failed' | 'unknown';
  readonly submittedAt: Instant;
  /** When its result was known. */
  readonly settledAt?: Instant;
  readonly providerRef?: string;
  /** Why it failed, in the provider's word. */
  readonly code?: string;
};

export type Refund = {
  readonly id: string;
  readonly order: OrderRef;
  /** The refund as the platform knows it, where it was paid outside. */
  readonly external?: { readonly platform: string; readonly id: string };
  readonly returnId?: string;
  readonly method: 'original_payment' | 'store_credit' | 'gift_card' | 'bank_transfer' | 'manual';
  readonly amount: Money;
  /** What of it was for which lines of the return. */
  readonly returnLines: readonly ReturnLineShare[];
  readonly breakdown: {
    readonly lines: readonly RefundedLine[];
    readonly deductions: readonly Deduction[];
    readonly shipping: Money;
    /** What was paid with the order beside goods and shipping, such as duty. Not there: nothing. */
    readonly charges?: Money;
    readonly other: Money;
    /**
     * What of `paid_before` was given for the order and for no return of it. From this refund on it counts as given for
     * the goods of this return. Not there: nothing.
     */
    readonly assigned?: Money;
  };
  readonly status: 'pending' | 'submitted' | 'succeeded' | 'failed' | 'unknown' | 'reversed' | 'cancelled';
  readonly providerRef?: string;
  readonly attempts: readonly Attempt[];
  /** When the money moved. */
  readonly occurredAt?: Instant;
  readonly recordedAt: Instant;
  readonly discrepancies: readonly Discrepancy[];
  /** The request that booked it, kept for ever, so that a repeat never pays twice; never shown with the refund. */
  readonly request?: RefundRequest;
};

/** Digests of a request: of its client and Idempotency-Key, and of what it asked for. */
export type RefundRequest = { readonly keyHash: string; readonly fingerprint: string };

/** Units of a line that the customer has something else for. */
export type Exchange = {
  readonly id: string;
  readonly lineId: string;
  readonly quantity: number;
  readonly newItem: {
    readonly sku: string;
    readonly title?: string;
    readonly quantity: number;
    /** Of one. */
    readonly price?: Money;
  };
  /** What the units are worth, as paid: so much of the ceiling they take, whatever is given for them. */
  readonly gross: Money;
  /** Inside `gross`. */
  readonly tax: Money;
  /** What of it goes towards the new item. */
  readonly credit: Money;
  /** What the new item costs beyond the credit: above zero the customer pays it, below zero the shop. */
  readonly balance?: Money;
  /** The order of the new item, as the shop knows it. */
  readonly externalRef?: string;
  readonly status: 'requested' | 'ordered' | 'fulfilled' | 'cancelled';
};

/** Money that the customer gave back, or that nobody asks for any more. */
export type Recovery = {
  readonly id: string;
  readonly type: 'recovered' | 'written_off';
  readonly amount: Money;
  /** Units that were refunded and, with this, are not any more: when they come after all, they are to be paid. */
  readonly lines: readonly (RefundedLine & { readonly lineId: string })[];
  /** Fees that it takes because no refund did, and, below zero, those that refunds took of goods that did not come. */
  readonly fees: readonly Deduction[];
  /** What it is known by where it was paid. */
  readonly reference?: string;
  /** Why it was written off. */
  readonly reason?: string;
  readonly at: Instant;
};

/** What units of a line are worth, as paid. `gross` has the tax inside; `net` is without it. */
export type Amounts = {
  readonly gross: Money;
  readonly tax: Money;
  readonly net: Money;
  readonly maxRefundable: Money;
  readonly refunded: Money;
};

/** The result of a refund, as the payer reports it. */
export type RefundResult = {
  readonly refundId: string;
  readonly occurredAt: Instant;
  readonly providerRef?: string;
  readonly code?: string;
};
