/** An instant in UTC, RFC 3339. */
export type Instant = string;

/** Integer minor units of a currency. */
export type Money = { readonly amount: number; readonly currency: string };

/** As much as any amount may come to, in minor units. */
export const maxAmount = 1_000_000_000_000n;

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

/** What a shop knows of an order. Of the customer only the id and the segment: the rest is personal and kept apart. */
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
  readonly customer?: { readonly id?: string; readonly segment?: string };
  readonly isGift?: boolean;
  readonly payments?: readonly { readonly id: string; readonly method: string; readonly paid: Money }[];
  readonly charges?: readonly {
    readonly type: 'duty' | 'gift_wrap' | 'handling' | 'tip';
    readonly paid: Money;
    readonly tax?: Money;
  }[];
  readonly shipping?: {
    readonly paid: Money;
    readonly tax?: Money;
    readonly standardCost?: Money;
    readonly refunded?: Money;
  };
  readonly lines: readonly OrderLine[];
  readonly completeness?: 'full' | 'partial';
  /** Why it is known in part. */
  readonly discrepancies?: readonly { readonly code: string; readonly detail?: string }[];
  readonly source?: string;
};

/** Where each fact stands in time: `at` is the newest observation; `older` names the facts that are of an earlier one. */
export type ObservationTimes = { readonly at: Instant; readonly older: Readonly<Record<string, Instant>> };

export type Order = {
  readonly id: string;
  readonly platform: string;
  readonly orderId: string;
  readonly facts: OrderFacts;
  readonly observed: ObservationTimes;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type OrderRef = { readonly platform: string; readonly orderId: string };

/** Where a platform that manages a return tells of something, and when it happened there. */
export type Observation = { readonly platform: string; readonly externalId: string; readonly occurredAt: Instant };

/** Why an admin goes below what the law gives, as a code. */
export type FloorOverride = { readonly reason: string };
