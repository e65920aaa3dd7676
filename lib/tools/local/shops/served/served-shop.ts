import type { DeliveryHeaders } from '../../../signing/sign-delivery.ts';

/** A delivery of a shop: to the hooks API below `/webhooks/`, or to the queue of events. */
export type ShopDelivery =
  | { readonly by: 'http'; readonly path: string; readonly headers: DeliveryHeaders; readonly body: Buffer }
  | { readonly by: 'queue'; readonly body: string };

/** What a customer or the staff of a shop has done with an order. Without a delivery the platform reports nothing. */
export type Done = { readonly returnId?: string; readonly delivery?: ShopDelivery };

/** `order`: a customer orders, and the order is sent. `return`: a customer returns. `refund`: staff refunds. */
export const acts = ['order', 'return', 'refund'] as const;
export type Act = (typeof acts)[number];

/** What can be done in a shop. */
export type ShopActs = {
  /** A customer orders, and the order is sent. Returns its id. */
  readonly sell: () => string;
  readonly hasOrder: (orderId: string) => boolean;
  /** What can be done with an order. `order` says what the shop reports of a new one. */
  readonly acts: Readonly<Partial<Record<Act, (orderId: string) => Done>>>;
};

/** A shop of the local stack. */
export type ServedShop = ShopActs & {
  readonly url: string;
  /** The name of the shop in the secrets. */
  readonly source: string;
  /** Its entries in the secrets `webhooks/<platform>`, `api/<platform>` and `effects/<platform>`. */
  readonly entries: { readonly webhooks: object; readonly api: object };
  readonly close: () => Promise<void>;
};

/** Starts a shop. `deliver` gets what a request of ours has changed there. */
export type StartServedShop = (port: number, deliver: (delivery: ShopDelivery) => void) => Promise<ServedShop>;

/** Starts numbers that no earlier start on this machine has used: orders of earlier starts are in its table. */
export const numbersFrom = (now: number): (() => number) => {
  let last = Math.floor(now / 1000);
  return () => (last += 1);
};
