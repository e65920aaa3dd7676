import type { Resolution } from '../returns/model/return.ts';
import type { Instant } from '../returns/model/order.ts';

/** The days before a request that counts and sums of a customer cover. */
export const countedDays = [30, 90, 365] as const;

type CountedDays = (typeof countedDays)[number];

/** Returns the name of a count or sum over a number of days. */
export const over = <Measure extends string, Days extends CountedDays>(
  measure: Measure,
  days: Days,
): `${Measure}Last${Days}Days` => `${measure}Last${days}Days`;

/** Returns the names of a count or sum, one for each number of days. */
export const overAllDays = <Measure extends string>(measure: Measure) => countedDays.map((days) => over(measure, days));

/** What is counted or summed of the conduct of a customer. */
export const conductMeasures = [
  'bracketedReturns',
  'lateUsedReturns',
  'emptyBoxReturns',
  'valueReturned',
  'valueBought',
  'returnedShare',
] as const;

type ConductMeasure = (typeof conductMeasures)[number];

/** The counts and sums over earlier returns of a customer, each for some days. */
export type CustomerCount = `${'returns' | ConductMeasure}Last${CountedDays}Days`;
export const customerCounts: readonly CustomerCount[] = ['returns' as const, ...conductMeasures].flatMap(overAllDays);

/** A statutory right of the customer for a line, independent of the policy. */
export type Right = {
  /** For example `EU 2011/83`. */
  readonly law: string;
  /** The right to withdraw without a reason, or a right that rests on a defect. */
  readonly claim: 'withdrawal' | 'fault';
  /** When it ends; null when it has no end, before the delivery, and while the delivery is unknown. */
  readonly until: Instant | null;
  /** Whether all facts that it depends on are known. */
  readonly certain: boolean;
  /** Set when the shop informed the consumer of the right late or not at all, and the law has a rule about it. */
  readonly uninformed?: true;
};

/** A line as a policy evaluates it. Unknown fields are absent. */
export type LineFacts = {
  readonly orderLineId: string;
  readonly quantity: number;
  /** The price of one unit, then of the requested units, as sold. Both are in minor units of the order's currency. */
  readonly unitPrice?: number;
  readonly value: number;
  readonly sku?: string;
  readonly productId?: string;
  readonly brand?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly finalSale?: boolean;
  readonly withdrawalExemption?: string;
  /** The set that the line was sold in. */
  readonly bundleId?: string;
  /** The return reason, its group (`fit` of `fit.too_small`), and the liable party. */
  readonly reason: string;
  readonly reasonGroup: string;
  readonly fault?: 'customer' | 'merchant' | 'carrier' | 'none';
  readonly condition?: string;
  readonly resolution: Resolution;
  readonly hasNote: boolean;
  readonly hasEvidence: boolean;
  /** Whether units of the line were delivered. */
  readonly delivered?: boolean;
  /** When the last of its units were delivered. */
  readonly deliveredAt?: Instant;
  readonly shippedAt?: Instant;
  readonly rights: readonly Right[];
};

/**
 * All inputs of a decision. They hold no personal data, so that they can be stored, and nothing from a clock or a
 * store.
 */
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
    /** When the last line of the whole order was delivered; absent while one is not. */
    readonly lastDeliveredAt?: Instant;
    readonly completeness: 'full' | 'partial';
    readonly isGift?: boolean;
    readonly buyerIsConsumer?: boolean;
    /** Whether the order holds the new items of an exchange. */
    readonly isReplacement?: boolean;
    /** An IANA name. It is the country's when the order has none. */
    readonly timeZone: string;
    /** The selling price of all lines, in minor units. */
    readonly value: number;
    /** The units that the customer keeps after this request, and their selling price in minor units. */
    readonly quantityKept?: number;
    readonly valueKept?: number;
  };
  readonly customer: {
    readonly segment?: string;
    /** Names of the policy's lists that contain the customer. */
    readonly lists?: readonly string[];
    /** Whether the counts and sums cover all earlier returns of their days, and not only the newest ones. */
    readonly historyComplete?: boolean;
    /** A score of another service, from 0 to 1,000, and the name of that service. The request has both. */
    readonly externalScore?: number;
    readonly externalScoreSource?: string;
  } & {
    /** Counts and sums over earlier returns of the customer, without this one. Sums are in the order's currency. */
    readonly [Count in CustomerCount]?: number;
  };
  readonly return: {
    readonly basis?: string;
    readonly initiatedBy: 'customer' | 'agent' | 'system' | 'marketplace';
    readonly channel?: string;
    readonly isGift: boolean;
    readonly quantity: number;
    readonly value: number;
    /** The reasons of all lines, each once. */
    readonly reasons: readonly string[];
    readonly skus: readonly string[];
    /** The categories of all lines; absent when a line has unknown ones. */
    readonly categories?: readonly string[];
    /** Whether each set of the request comes back whole: the same share of each of its lines. */
    readonly bundlesWhole?: boolean;
  };
  readonly lines: readonly LineFacts[];
};
