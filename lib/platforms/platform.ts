import type { Input } from '../contract/contract.ts';
import type { Result } from '../contract/result.ts';
import type { JsonObject } from '../runtime/json.ts';
import type { RemoteRefund, RemoteReturn } from './shared/sync/remote-return.ts';

/** A request for a platform's address at the hooks API, as it came. */
export type WebhookRequest = {
  readonly method: 'GET' | 'POST';
  /** The step behind the platform's name in the path: whose secrets are to verify it, where no header tells. */
  readonly source?: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Headers;
  /** The exact bytes. */
  readonly body: Buffer;
};

/** What a verified delivery is. Where the body alone is signed, all else is a claim that the body must fit. */
export type Delivery = {
  /** Whose secret signed: a key of `sources` in the platform's secrets. */
  readonly source: string;
  readonly topic: string;
  /** The same for every attempt at one delivery; the body's digest where the platform has no id for it. */
  readonly deliveryId: string;
  readonly eventId?: string;
  readonly triggeredAt?: string;
  readonly apiVersion?: string;
};

/** `signature_expired`: it was signed too long ago, or ahead of time, where the time is signed. */
export type VerificationFailure = 'unknown_source' | 'signature_missing' | 'signature_mismatch' | 'signature_expired';

/** The verdict on one delivery: who sent it, or why it is turned away. */
export type VerificationResult =
  | { readonly kind: 'authentic'; readonly delivery: Delivery }
  /** Nothing has happened: the platform asks whether somebody is here. It is answered 200, with the body that proves it. */
  | { readonly kind: 'handshake'; readonly answer?: { readonly contentType: string; readonly body: string } }
  | { readonly kind: 'malformed'; readonly header: string }
  | { readonly kind: 'refused'; readonly reason: VerificationFailure }
  /** The source is ours, but nothing of it is fit to verify with: our own fault, so the platform must send again. */
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** The facts of an order, as `registerOrder` takes them. */
export type OrderFacts = Input<'registerOrder'>;

export type OrderLine = OrderFacts['lines'][number];

/** How that which a delivery is about stands on the platform now. */
export type RemoteSnapshot = {
  readonly kind: 'seen';
  readonly order: OrderFacts;
  /** What is to be followed, each with the money that was given for it. */
  readonly returns: readonly { readonly seen: RemoteReturn; readonly refunds: readonly RemoteRefund[] }[];
  /** Money that is of no return. What a return of the order has booked before stays with that. */
  readonly refunds: readonly RemoteRefund[];
  /** Whether these are all returns that the order has there: ours that are none of them were taken away. */
  readonly isAll?: true;
  /** Why a return or a refund could not be read: once the others are followed, the delivery is parked for that. */
  readonly unread?: ShopFailure;
};

/** What a delivery comes to. `reason` is a stable code; `path` a JSON Pointer into the delivery's body. */
export type Prepared =
  | RemoteSnapshot
  | { readonly kind: 'ignored'; readonly reason: string }
  | Parked
  | { readonly kind: 'retry'; readonly reason: string };

/** A delivery that no repetition can mend: kept with its reason, to be seen and replayed. */
export type Parked = { readonly kind: 'parked'; readonly reason: string; readonly path?: string };

/** Why a shop's API gave no answer we can use. `retryable`: the same call may succeed later. */
export type ShopFailure = { readonly kind: 'retryable' | 'permanent'; readonly reason: string };

/** A delivery that came by AWS, where who may send says who sent, and the body to store. */
export type AwsDelivery = { readonly delivery: Delivery; readonly body: Buffer };

/** What a platform's webhooks are received with. */
export type Receiver = {
  readonly name: string;
  /** Judges the exact bytes of a delivery. Nothing of the body is read before. */
  readonly authenticate: (arrival: WebhookRequest, signal: AbortSignal) => Promise<VerificationResult>;
  /** Whether two deliveries of this topic with the same body tell of the same event. */
  readonly bodyNamesEvent: (topic: string) => boolean;
  /**
   * Whether a topic is one that the platform has for us, where no signature covers it. All others are stored as one, and
   * each body of them once: whoever replays a body under topics and ids of their own makes no more rows.
   */
  readonly hasTopic?: (topic: string) => boolean;
  /** Reads an event of EventBridge's, of a bus to which nobody but the platform can send; nothing if it is another's. */
  readonly readEvent?: (event: JsonObject) => AwsDelivery | undefined;
  /** Reads the body of a message of a queue to which nobody but the platform can send; nothing if it is another's. */
  readonly readMessage?: (body: string) => AwsDelivery | undefined;
};

/** Something that changed on the platform, as the inbox takes it: like a delivery that told of it. */
export type PlatformChange = {
  readonly topic: string;
  /** The same however often this change is found: what changed, and its version or time. */
  readonly deliveryId: string;
  /** As small as `prepare` needs it. */
  readonly body: JsonObject;
};

/** A part of what changed; `cursor` is where the next part begins, and `more` whether there is one now. */
export type ChangeBatch = {
  readonly found: readonly PlatformChange[];
  readonly cursor: string;
  readonly more: boolean;
};

/** What a delivery may lead to besides the facts of an order: the life of returns, and money that was given back. */
export type TopicEffect = 'return' | 'refund';

/** Topics with what they may lead to. */
export type Topics = Readonly<Record<string, readonly TopicEffect[]>>;

/** Where to look for changes from: a cursor of the translator's own making, or an instant while there is none yet. */
export type ChangeQuery = { readonly cursor?: string; readonly since: string };

/** What a platform's stored deliveries are understood with. */
export type Translator = {
  /** The topics that are understood; deliveries of others are ignored. */
  readonly topics: () => Topics;
  /** Reads what a stored delivery is about, and asks the shop how that stands now. */
  readonly prepare: (delivery: { source: string; topic: string; body: unknown }, deadline: number) => Promise<Prepared>;
  /** How a return that was seen before stands now. */
  readonly refetchReturn: (
    source: string,
    externalId: string,
    deadline: number,
  ) => Promise<Result<RemoteReturn, ShopFailure>>;
  /** What changed since, oldest first: for what no delivery told us of. */
  readonly fetchChanges?: (
    source: string,
    from: ChangeQuery,
    deadline: number,
  ) => Promise<Result<ChangeBatch, ShopFailure>>;
  /** The scopes that the shop's credentials lack, where the platform tells: without them orders are known in part. */
  readonly missingScopes?: (source: string, deadline: number) => Promise<Result<readonly string[], ShopFailure>>;
};

/** Headers as API Gateway hands them over: lower-case names, repeated values joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What a delivery comes to that is about nothing of ours, or about nothing that can be told. */
export type SkippedDelivery = Parked | { readonly kind: 'ignored'; readonly reason: string };

/** Topics all of which may lead to the same. */
export const topicsLeadingTo = (topics: Iterable<string>, ...leads: readonly TopicEffect[]): Topics =>
  Object.fromEntries(Array.from(topics, (topic): [string, readonly TopicEffect[]] => [topic, leads]));
