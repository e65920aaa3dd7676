import type { Result } from '../contract/result.ts';
import type { Input } from '../contract/schemas.ts';
import type { SeenRefund, SeenReturn } from './follow/seen.ts';

/** What the headers of a verified delivery say. Only the body is signed: the rest is a claim that the body must fit. */
export type Delivery = {
  /** The shop's domain: whose secret signed. */
  readonly source: string;
  readonly topic: string;
  readonly deliveryId: string;
  readonly eventId?: string;
  readonly triggeredAt?: string;
  readonly apiVersion?: string;
};

/** The verdict on one delivery: who sent it, or why it is turned away. */
export type Verdict =
  | { readonly kind: 'authentic'; readonly delivery: Delivery }
  | { readonly kind: 'malformed'; readonly header: string }
  | { readonly kind: 'refused'; readonly reason: 'unknown_shop' | 'signature_missing' | 'signature_mismatch' }
  /** The shop is ours, but no secret of it is fit to verify with: our own fault, so the shop must send again. */
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** What a delivery comes to. `reason` is a stable code; `path` a JSON Pointer into the delivery's body. */
export type Prepared =
  | {
      readonly kind: 'seen';
      readonly order: Input<'registerOrder'>;
      /** What is to be followed, each with the money that was given for it. */
      readonly returns: readonly { readonly seen: SeenReturn; readonly refunds: readonly SeenRefund[] }[];
      /** Money that is of no return. */
      readonly refunds: readonly SeenRefund[];
    }
  | { readonly kind: 'ignored'; readonly reason: string }
  | Parked
  | { readonly kind: 'retry'; readonly reason: string };

/** A delivery that no repetition can mend: kept with its reason, to be seen and replayed. */
export type Parked = { readonly kind: 'parked'; readonly reason: string; readonly path?: string };

/** Why a shop's API gave no answer we can use. `retryable`: the same call may succeed later. */
export type ShopFailure = { readonly kind: 'retryable' | 'permanent'; readonly reason: string };

/** What a platform's webhooks are received with. */
export type Receiver = {
  readonly name: string;
  /** Judges the exact bytes of a delivery. Nothing of the body is read before. */
  readonly authenticate: (body: Buffer, headers: Headers, signal: AbortSignal) => Promise<Verdict>;
  /** Whether two deliveries of this topic with the same body tell of the same event. */
  readonly bodyNamesEvent: (topic: string) => boolean;
};

/** What a platform's stored deliveries are understood with. */
export type Translator = {
  /** Reads what a stored delivery is about, and asks the shop how that stands now. */
  readonly prepare: (delivery: { source: string; topic: string; body: unknown }, deadline: number) => Promise<Prepared>;
  /** How a return that was seen before stands now. */
  readonly look: (source: string, externalId: string, deadline: number) => Promise<Result<SeenReturn, ShopFailure>>;
};

/** Headers as API Gateway hands them over: lower-case names, repeated values joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;
