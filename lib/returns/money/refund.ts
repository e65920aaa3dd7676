import type { Instant, Money, OrderRef } from '../order.ts';
import type { Unversioned } from '../return.ts';

/** How a fact of the shop goes against a rule, or beyond what was agreed. */
export type Discrepancy = { readonly code: string; readonly at: Instant; readonly detail: string };

/** How a refund goes beyond what was agreed. */
export type Excess = readonly [code: string, detail: string];

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

/** The most refunds that a return has. */
export const mostRefunds = 100;

/** Refunds that count: all but those that never moved money or gave it back. */
export const liveRefunds = ({ refunds }: Pick<Unversioned, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');
