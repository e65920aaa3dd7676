import type { Instant, Money, OrderRef, TaxLine } from './order.ts';

/** A platform fact that breaks a service rule or exceeds an agreed amount. */
export type Discrepancy = { readonly code: string; readonly at: Instant; readonly detail: string };

/** A refund of units of an order line. `gross` includes the tax. */
export type RefundedLine = {
  readonly orderLineId: string;
  readonly quantity: number;
  readonly gross: Money;
  readonly tax: Money;
  /** What the units are worth, when a platform paid less for them. Other units keep their own worth. */
  readonly worth?: { readonly gross: number; readonly tax: number };
};

/** A part of the price of units that the customer keeps. `gross` includes the tax. Their worth is the rest. */
export type PriceReduction = RefundedLine & {
  /** The line of the return with the units. Absent when no line of a return has them. */
  readonly lineId?: string;
  /** The reason code of the shop. Absent for a fact of a platform. */
  readonly reason?: string;
};

/** The kinds of money that the shop pays on top. The customer never owes it back. */
export type ExtraType = 'return_postage' | 'compensation' | 'bonus';

/** A payment on top of what was paid for the order, and the reason code of the shop. */
export type Extra = { readonly type: ExtraType; readonly amount: Money; readonly reason?: string };

/** A refund of units of a line of the return. The amount includes the tax. */
export type ReturnLineShare = { readonly lineId: string; readonly quantity: number; readonly gross: Money };

/** The fees that the shop may deduct from the money for goods. */
export type FeeType = 'inspection' | 'restocking' | 'return_shipping' | 'promotion';

/** A deduction from a refund. */
export type Deduction = { readonly type: FeeType | 'paid_before'; readonly amount: Money };

/** One attempt to pay a refund, and its result. */
export type Attempt = {
  readonly status: 'submitted' | 'succeeded' | 'failed' | 'unknown';
  readonly submittedAt: Instant;
  /** When its result was reported. */
  readonly settledAt?: Instant;
  readonly providerRef?: string;
  /** The failure code of the payment provider. */
  readonly code?: string;
};

/** The id of a refund at its platform. */
export type ExternalRefund = { readonly platform: string; readonly id: string };

/**
 * A part of a refund with its tax. `net` and `tax` add up to the part. A fee and money that was paid before are below
 * zero. `taxes` are present where the order gave the tax by rate.
 */
export type VatPart = {
  readonly part: 'goods' | 'fee' | 'paid_before' | 'reduction' | 'shipping' | 'charge';
  readonly orderLineId?: string;
  readonly quantity?: number;
  /** The type of the fee or of the charge. */
  readonly type?: string;
  /** The name of the charge. */
  readonly name?: string;
  readonly net: Money;
  readonly tax: Money;
  readonly taxes?: readonly TaxLine[];
};

/** The part of a refund that goes back by one payment of the order. */
export type Tender = { readonly paymentId: string; readonly method: string; readonly amount: Money };

export type Refund = {
  readonly id: string;
  readonly order: OrderRef;
  /** The external id of a refund that was paid outside this service. */
  readonly external?: ExternalRefund;
  /** The refund of the platform that paid a refund of this service. */
  readonly settledBy?: ExternalRefund;
  readonly returnId?: string;
  readonly method: 'original_payment' | 'store_credit' | 'gift_card' | 'bank_transfer' | 'manual';
  readonly amount: Money;
  /** The payments of the order that it goes back by. Absent if not all payments are known. */
  readonly tenders?: readonly Tender[];
  /** Its parts with their tax. Absent for an order without tax. */
  readonly vat?: readonly VatPart[];
  /** The refunded units and amounts by line of the return. */
  readonly returnLines: readonly ReturnLineShare[];
  readonly breakdown: {
    readonly lines: readonly RefundedLine[];
    readonly deductions: readonly Deduction[];
    readonly shipping: Money;
    /** Other charges of the order than goods and shipping, such as duty. Absent means none. */
    readonly charges?: Money;
    readonly other: Money;
    /** Parts of the price of units that the customer keeps. Absent means none. */
    readonly reductions?: readonly PriceReduction[];
    /** Payments on top. Absent means none. */
    readonly extras?: readonly Extra[];
    /** The differences of exchanges that the refund pays, or deducts when it is negative. Absent means none. */
    readonly exchange?: Money;
    /**
     * The part of `paid_before` that was given for the order and for none of its returns.
     * From this refund on it counts as given for the goods of this return. Absent means none.
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
  /** The request that booked it, stored permanently so that a repeat never pays twice. The API does not return it. */
  readonly request?: RefundRequest;
};

/** Digests of a request: one of its client and Idempotency-Key, one of its content. */
export type RefundRequest = { readonly keyHash: string; readonly fingerprint: string };

/** Units of a line that the customer exchanges for a new item. */
export type Exchange = {
  readonly id: string;
  readonly lineId: string;
  readonly quantity: number;
  readonly newItem: {
    readonly sku: string;
    readonly title?: string;
    readonly quantity: number;
    /** The price of one unit. */
    readonly price?: Money;
  };
  /** The worth of the units, as paid. They take this much of the ceiling. */
  readonly gross: Money;
  /** The tax included in `gross`. */
  readonly tax: Money;
  /** The price of the new item minus the worth. The customer pays a positive balance, the shop a negative one. */
  readonly balance?: Money;
  /** The order of the new item in the shop. */
  readonly externalRef?: string;
  /** The same order, as the API names it. */
  readonly newOrder?: OrderRef;
  readonly status: 'requested' | 'ordered' | 'fulfilled' | 'cancelled';
};

/** Money that the customer gave back, or that the shop wrote off. */
export type Recovery = {
  readonly id: string;
  readonly type: 'recovered' | 'written_off';
  readonly amount: Money;
  /** Refunded units that this recovery makes unpaid. If they arrive after all, they are payable. */
  readonly lines: readonly (RefundedLine & { readonly lineId: string })[];
  /**
   * Fees that this recovery takes because no refund did. Negative ones return fees that refunds took of missing goods.
   */
  readonly fees: readonly Deduction[];
  /** The differences of exchanges that it settles. The customer paid, or need not pay, a negative amount. */
  readonly exchange?: Money;
  /** Its goods with their tax. Absent for an order without tax. */
  readonly vat?: readonly VatPart[];
  /** The reference of the payment. */
  readonly reference?: string;
  /** The reason code of a write-off. */
  readonly reason?: string;
  readonly at: Instant;
};

/** The worth of units of a line, as paid. `gross` includes the tax, `net` excludes it. */
export type Amounts = {
  readonly gross: Money;
  readonly tax: Money;
  readonly net: Money;
  readonly maxRefundable: Money;
  readonly refunded: Money;
};

/** The result of a refund as the payer reports it, or as the platform shows it that paid the refund. */
export type RefundResult = {
  readonly refundId: string;
  readonly occurredAt: Instant;
  readonly providerRef?: string;
  readonly code?: string;
  /** The refund of the platform that paid it. */
  readonly external?: ExternalRefund;
};
