/** An instant in UTC, RFC 3339. */
export type Instant = string;

/** Integer minor units of a currency. */
export type Money = { readonly amount: number; readonly currency: string };

/** The maximum of any amount, in minor units. */
export const maxAmount = 1_000_000_000_000n;

/** A part of the tax of a line, of the shipping or of a charge. The parts add up to the tax exactly. */
export type TaxLine = {
  /** In percent, as the source states it, such as `19` or `8.875`. */
  readonly rate?: string;
  /** The category of EN 16931 (BT-151). */
  readonly category?: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | 'L' | 'M';
  readonly amount: Money;
};

export type OrderLine = {
  readonly lineId: string;
  readonly sku?: string;
  readonly productId?: string;
  readonly title?: string;
  readonly quantity: number;
  readonly fulfilledQuantity?: number;
  readonly unitPrice: Money;
  readonly discountTotal?: Money;
  readonly taxTotal?: Money;
  readonly taxes?: readonly TaxLine[];
  readonly taxIncluded?: boolean;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly brand?: string;
  readonly finalSale?: boolean;
  readonly withdrawalExemption?: string;
  readonly bundleId?: string;
  readonly deliveries?: readonly { readonly quantity: number; readonly at: Instant }[];
  readonly shippedAt?: Instant;
};

/**
 * A promotion that lowered the price of lines while a condition holds for them: at least some units, at least some value
 * before its discount, or all of their units.
 */
export type Promotion = {
  readonly id: string;
  readonly name?: string;
  /** The lines that count for the condition. The discount is the whole one of the line, as paid. */
  readonly lines: readonly { readonly orderLineId: string; readonly discount: Money }[];
  readonly condition: { readonly units: number } | { readonly value: Money } | { readonly allLines: true };
};

/** The facts of an order. Of the customer they hold only the id and the segment. Personal data is stored apart. */
export type OrderFacts = {
  readonly number?: string;
  readonly placedAt?: Instant;
  readonly currency: string;
  readonly country?: string;
  readonly destination?: { readonly country: string; readonly region?: string };
  readonly timeZone?: string;
  readonly channel?: string;
  readonly market?: string;
  readonly seller?: string;
  readonly saleType?: 'distance' | 'off_premises' | 'in_store';
  readonly buyerIsConsumer?: boolean;
  /**
   * Whether the trader informed the consumer of the right of withdrawal, and when. Without a time it was in time.
   * Absent means informed in time: only the trader can state it, and the platforms report nothing about it.
   */
  readonly withdrawalInformation?: { readonly given: boolean; readonly at?: Instant };
  readonly customer?: { readonly id?: string; readonly segment?: string };
  readonly isGift?: boolean;
  readonly payments?: readonly { readonly id: string; readonly method: string; readonly paid: Money }[];
  /** Whether `payments` holds all payments. When absent, false: a refund is not limited by them. */
  readonly paymentsComplete?: boolean;
  readonly charges?: readonly {
    readonly type: 'duty' | 'gift_wrap' | 'handling' | 'tip' | 'deposit' | 'donation' | 'insurance' | 'other';
    /** Required with `other`. */
    readonly name?: string;
    readonly paid: Money;
    readonly tax?: Money;
    readonly taxes?: readonly TaxLine[];
  }[];
  readonly shipping?: {
    readonly paid: Money;
    readonly tax?: Money;
    readonly taxes?: readonly TaxLine[];
    readonly standardCost?: Money;
    readonly refunded?: Money;
  };
  readonly lines: readonly OrderLine[];
  readonly promotions?: readonly Promotion[];
  readonly completeness?: 'full' | 'partial';
  /** Why the facts are incomplete. */
  readonly discrepancies?: readonly { readonly code: string; readonly detail?: string }[];
  readonly source?: string;
  /** Set when the order holds the new items of an exchange. */
  readonly origin?: OrderOrigin;
};

/** The observation time of each fact. `at` is the newest observation, and `older` has the facts of earlier ones. */
export type ObservationTimes = { readonly at: Instant; readonly older: Readonly<Record<string, Instant>> };

/** The order that another order replaces, and the return whose exchange made it. */
export type OrderOrigin = OrderRef & { readonly returnId?: string };

export type Order = {
  readonly id: string;
  readonly platform: string;
  readonly orderId: string;
  readonly facts: OrderFacts;
  readonly observed: ObservationTimes;
  /** Stated by its facts, or by the exchange that the order was made for. */
  readonly origin?: OrderOrigin;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type OrderRef = { readonly platform: string; readonly orderId: string };

/** A report of the platform that manages a return, with the time of the fact there. */
export type Observation = { readonly platform: string; readonly externalId: string; readonly occurredAt: Instant };

/** The reason code of an override of the statutory floor by an admin. */
export type FloorOverride = { readonly reason: string };
