import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import type { Result } from '../../../../lib/runtime/result.ts';
import type { OrderFacts, ShopFailure, Translator } from '../../../../lib/shops/platforms/platform.ts';

/* A shop at the wire, as random lives need it: one for each platform. */

/** A payment of the shop to the customer. */
export type Paid = {
  /** The id under which the shop reports it. */
  readonly externalId: string;
  /** In minor units. */
  readonly amount: number;
  /** The text with our key, or the id where the shop keeps no key. */
  readonly mark: string;
  /** Whether a request of ours paid it. */
  readonly isOurs: boolean;
};

/** What the shop reports about an order at some time. */
export type Report = { readonly topic: string; readonly body: object };

/** An order that the customer has received. */
export type SoldOrder = {
  readonly orderId: string;
  readonly lines: readonly { readonly orderLineId: string; readonly quantity: number }[];
};

export type ShopWorld = {
  readonly platform: string;
  readonly source: string;
  /** The entry of the shop in the secrets of its platform. */
  readonly access: object;
  readonly translator: Translator;
  readonly actions: readonly EffectAction[];
  readonly currency: string;
  /** Whether units of a line reach the shop only once, so that they are inspected together. */
  readonly receivesOnce: boolean;
  readonly sell: () => SoldOrder;
  /** The facts of an order that the shop does not report before it has a return. */
  readonly facts?: (orderId: string) => Promise<OrderFacts>;
  /** Returns the deliveries of an order, of all that has happened so far. */
  readonly reports: (orderId: string) => readonly Report[];
  readonly paid: (orderId: string) => readonly Paid[];
  /** A clerk refunds an amount at the shop, if it has so much left. */
  readonly refundByHand: (orderId: string, amount: number) => void;
  /** The shop does what is due by its clock: its payment service pays. */
  readonly pass?: () => void;
  /** The names of the faults, and the reasons of the intents that each one leaves to people. */
  readonly faults: Readonly<Record<string, readonly string[]>>;
  /** The faults in which a plugin of the shop makes a refund of its own. */
  readonly ofPlugins?: readonly string[];
  /**
   * The reasons of intents for units that an earlier return at the shop keeps: refused ones, and cancelled ones of a
   * return that goes on.
   */
  readonly ofKeptUnits: readonly string[];
  /** Lets a fault happen to the next request that changes the shop. */
  readonly fail: (fault: string) => void;
  /** Ends all faults. Late requests are carried out now, or by the clock. */
  readonly settle: () => Promise<void>;
  /** Whether the repetition of a request cannot double its money, so that none is left to people. */
  readonly isMoneySafe: boolean;
  readonly close: () => Promise<void>;
};

/** Returns a decimal amount of a shop in minor units. */
export const centsOf = (amount: unknown): number => Math.round(Number(amount) * 100);

/** Returns the instant some days ago. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Returns what was read from a shop without faults. */
export const valueOf = <Value>(result: Result<Value, ShopFailure>): Value => {
  if (result.ok) return result.value;
  throw new Error(result.failure.reason);
};
