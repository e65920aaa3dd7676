import type { Resolution } from '../returns/model/return.ts';
import type { Instant } from '../returns/model/order.ts';

/** A right that the law gives the customer for a line, whatever a policy says. */
export type Right = {
  /** Such as `EU 2011/83`. */
  readonly law: string;
  /** To give back what nobody likes any more, or what something is wrong with. */
  readonly claim: 'withdrawal' | 'fault';
  /** When it ends; null where it has no end, or where nobody knows when the goods came. */
  readonly until: Instant | null;
  /** Whether it is certain: nothing that it rests on is missing. */
  readonly certain: boolean;
};

/** A line as a policy sees it. Fields that are not known are not there. */
export type LineFacts = {
  readonly orderLineId: string;
  readonly quantity: number;
  /** Of one unit and of the units asked for, as they were sold: minor units of the order's currency. */
  readonly unitPrice?: number;
  readonly value: number;
  readonly sku?: string;
  readonly productId?: string;
  readonly brand?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly finalSale?: boolean;
  readonly withdrawalExemption?: string;
  /** Why it comes back, its group (`fit` of `fit.too_small`), and whose fault that is. */
  readonly reason: string;
  readonly reasonGroup: string;
  readonly fault?: 'customer' | 'merchant' | 'carrier' | 'none';
  readonly condition?: string;
  readonly resolution: Resolution;
  readonly hasNote: boolean;
  readonly hasEvidence: boolean;
  /** Whether units of it reached the customer. */
  readonly delivered?: boolean;
  /** When the last of its units were. */
  readonly deliveredAt?: Instant;
  readonly shippedAt?: Instant;
  readonly rights: readonly Right[];
};

/** All that a decision rests on: no personal data, so that it can be kept, and nothing that a clock or a store would add. */
export type Facts = {
  readonly requestedAt: Instant;
  readonly order: {
    readonly platform: string;
    readonly country?: string;
    readonly region?: string;
    readonly channel?: string;
    readonly market?: string;
    readonly seller?: string;
    readonly saleType?: 'distance' | 'off_premises' | 'in_store';
    readonly currency: string;
    readonly placedAt?: Instant;
    /** When the last line of the whole order was delivered; not there while one is not. */
    readonly lastDeliveredAt?: Instant;
    readonly completeness: 'full' | 'partial';
    readonly isGift?: boolean;
    readonly buyerIsConsumer?: boolean;
    /** IANA; the country's where the order names none. */
    readonly timeZone: string;
    /** What all of its lines were sold for: minor units. */
    readonly value: number;
  };
  readonly customer: {
    readonly segment?: string;
    /** Names of the policy's lists that the customer is on. */
    readonly lists?: readonly string[];
    /** Returns asked for before, this one not counted. */
    readonly returnsLast30Days?: number;
    readonly returnsLast90Days?: number;
    readonly returnsLast365Days?: number;
  };
  readonly return: {
    readonly basis?: string;
    readonly initiatedBy: 'customer' | 'agent' | 'system' | 'marketplace';
    readonly channel?: string;
    readonly isGift: boolean;
    readonly quantity: number;
    readonly value: number;
    /** Of all lines, each once. */
    readonly reasons: readonly string[];
    readonly skus: readonly string[];
    /** Of all lines; not there where a line has none that are known. */
    readonly categories?: readonly string[];
  };
  readonly lines: readonly LineFacts[];
};
