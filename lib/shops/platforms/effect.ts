import type { Input } from '../../contract/contract.ts';
import type { EffectAction } from '../../domain/write-back/actions.ts';
import type { Result } from '../../runtime/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { ShopFailure } from './platform.ts';

/*
 * Write-back: what a shop is asked to do after a command of ours (lib/service/write-back). A platform compares the state
 * at the shop with the wanted one, and says how to get there by one request. It stores nothing, and repeats nothing.
 */

/** The units of a line of our return, as totals up to now. */
export type WantedLine = {
  readonly lineId: string;
  readonly orderLineId: string;
  /** The units that the customer may return: approved ones, without cancelled and returnless ones. */
  readonly quantity: number;
  readonly received: number;
  /** Received units with their inspection. Other received units are not inspected yet. */
  readonly found: readonly {
    readonly outcome: 'accept' | 'refuse';
    readonly disposition: NonNullable<NonNullable<Input<'inspect'>['lines']>[number]['disposition']>;
    readonly quantity: number;
  }[];
  /** The reason code of the shop, such as `fit.too_small`. */
  readonly reason: string;
};

/** Our return as it is now. */
export type WantedReturn = {
  readonly returnId: string;
  readonly rmaNumber: string;
  /** The id of the return at the shop. Absent while the shop does not have it. */
  readonly externalId?: string;
  readonly requestedAt: string;
  readonly lines: readonly WantedLine[];
  /** Why it was rejected: a code of the shop. */
  readonly rejection?: string;
};

/** A refund of ours that the shop pays. Amounts include tax. */
export type WantedRefund = {
  readonly refundId: string;
  readonly amount: { readonly amount: number; readonly currency: string };
  /** The money for units of order lines, before deductions, in minor units. */
  readonly lines: readonly { readonly orderLineId: string; readonly quantity: number; readonly gross: number }[];
  /** The money for shipping, in minor units. */
  readonly shipping: number;
  /** Everything else: deductions below zero, charges and payments on top above zero. The parts add up to `amount`. */
  readonly rest: number;
};

/** A parcel of the customer to the shop. */
export type WantedParcel = {
  readonly parcelId: string;
  readonly carrier?: string;
  readonly trackingNumber: string;
  readonly trackingUrl?: string;
  readonly contents: readonly { readonly orderLineId: string; readonly quantity: number }[];
};

/** What one intent wants at the shop. It holds no text of a person. */
export type Wanted = {
  /** The id of the intent. A shop that takes a key gets it; others get it in a note, a reason or metadata. */
  readonly key: string;
  readonly action: EffectAction;
  /** The id of the order at the shop. */
  readonly orderId: string;
  /** Absent for the action `cancel_order`. */
  readonly return?: WantedReturn;
  /** Present for the action `refund`. */
  readonly refund?: WantedRefund;
  /** Present for the action `ship`. */
  readonly parcel?: WantedParcel;
  /** For the action `cancel_order`: the name that the customer at the shop must have. Absent when a person decided. */
  readonly customerName?: string;
  /** When the shop was asked and gave no known answer. Absent before the first request. */
  readonly askedAt?: string;
  /** Whether the shop pays refunds at our word, so that a platform may do goods and money in one request. */
  readonly paysRefunds: boolean;
  /**
   * The returns and refunds at the shop that belong to other ones of ours, by their ids there. Where it is absent, a
   * platform decides less by itself: equal returns and refunds are left to people.
   */
  readonly others?: { readonly returns: readonly string[]; readonly refunds: readonly string[] };
};

/** The outcome of a request that changes the shop: done, or a failure that says whether it may have had an effect. */
export type Sent = Result<{ readonly externalId?: string }, ShopFailure>;

/**
 * The state at the shop, compared with what is wanted.
 * `seen` explains it to people: ids, amounts and states of the shop, and never the text of a person.
 */
export type Sight =
  /** Nothing is to do. `externalId` is that of the return or refund there. `isOurs`: it has our key. */
  | { readonly kind: 'done'; readonly externalId?: string; readonly isOurs?: true; readonly seen?: JsonObject }
  /** Another intent of the return does it in its request. */
  | { readonly kind: 'deferred'; readonly to: EffectAction }
  /** One request is to send. It is made for the state that was read. */
  | { readonly kind: 'open'; readonly send: (deadline: number) => Promise<Sent>; readonly seen?: JsonObject }
  /** The shop still works on it. `externalId`: it has a refund of ours, whose money has not moved yet. */
  | { readonly kind: 'pending'; readonly externalId?: string; readonly seen?: JsonObject }
  /** No request of ours is right: people decide. `reason` is a code such as `amount_differs`. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly seen?: JsonObject };

/** The reason of an action that a shop cannot do. Its intent is cancelled. */
export const unsupportedAction = 'action_unsupported';

/** How a platform prevents a second effect when a request is sent again after no answer. */
export type RepeatGuard =
  /** The platform knows our key, or refuses a request for an older state. So it may be sent again after a read. */
  | 'platform'
  /** Nothing. A request without an answer is sent no second time: if a later read shows no effect, people decide. */
  | 'none';

/** One action at a platform. */
export type Effect = {
  readonly guard: RepeatGuard;
  /** How long a request without an answer may still have its effect, in ms. Then it is read again. */
  readonly settleMs: number;
  /** Reads the state at the shop, and compares it. It only reads. `deadline` is in epoch milliseconds. */
  readonly see: (source: string, wanted: Wanted, deadline: number) => Promise<Result<Sight, ShopFailure>>;
};

/** The actions that a platform can do. */
export type Effects = Readonly<Partial<Record<EffectAction, Effect>>>;
