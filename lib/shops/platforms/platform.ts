import type { Input } from '../../contract/contract.ts';
import { fail, type Result } from '../../runtime/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { RemoteRefund, RemoteReturn } from './shared/sync/remote-return.ts';

/** A request to a platform's address at the hooks API, as received. */
export type WebhookRequest = {
  readonly method: 'GET' | 'POST';
  /** The path segment after the platform's name. It selects the secrets if no header does. */
  readonly source?: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Headers;
  /** The exact bytes. */
  readonly body: Buffer;
};

/** A verified delivery. If only the body is signed, all other fields are claims that the body must match. */
export type Delivery = {
  /** The source whose secret signed: a key of `sources` in the platform's secrets. */
  readonly source: string;
  readonly topic: string;
  /** The same for every attempt at one delivery. It is the body's digest if the platform has no id. */
  readonly deliveryId: string;
  /** The id is in the signed body, so no replay can change it. */
  readonly isIdSigned?: true;
  readonly eventId?: string;
  readonly triggeredAt?: string;
  readonly apiVersion?: string;
};

/** `signature_expired`: the signed time is too long ago, or in the future. */
export type VerificationFailure = 'unknown_source' | 'signature_missing' | 'signature_mismatch' | 'signature_expired';

/** The verification of one delivery: its sender, or why it is rejected. */
export type VerificationResult =
  /** `keyUrl`: the address of the public key that verified, where the delivery names it. */
  | { readonly kind: 'authentic'; readonly delivery: Delivery; readonly keyUrl?: string }
  /** A check of the address without an event. The response is 200 with the body that proves the receiver. */
  | { readonly kind: 'handshake'; readonly answer?: { readonly contentType: string; readonly body: string } }
  | { readonly kind: 'malformed'; readonly header: string }
  | { readonly kind: 'rejected'; readonly reason: VerificationFailure }
  /** The source is ours, but has no usable secret. That is our failure, so the platform must send again. */
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** The facts of an order: the input of `registerOrder`. */
export type OrderFacts = Input<'registerOrder'>;

export type OrderLine = OrderFacts['lines'][number];

/** A declaration of withdrawal that a consumer made at the platform, for an order that the platform knows. */
export type RemoteWithdrawal = {
  readonly declaration: Input<'declareWithdrawal'> &
    Required<Pick<Input<'declareWithdrawal'>, 'declaredAt' | 'source'>>;
  /** The units of the order that the consumer means. Absent if only people can find them. */
  readonly covers?: 'whole_order' | readonly NonNullable<Input<'matchWithdrawal'>['lines']>[number][];
};

/** The current state of a delivery's subject on the platform. */
export type RemoteSnapshot = {
  readonly kind: 'snapshot';
  readonly order: OrderFacts;
  /** The returns to sync, each with its refunds. */
  readonly returns: readonly { readonly remote: RemoteReturn; readonly refunds: readonly RemoteRefund[] }[];
  /** Refunds that belong to no return. A refund that a return has already recorded stays with it. */
  readonly refunds: readonly RemoteRefund[];
  /** The declarations of withdrawal that name the order. */
  readonly withdrawals?: readonly RemoteWithdrawal[];
  /** Whether these are all returns of the order. Then all others of ours are deleted upstream. */
  readonly isAll?: true;
  /** Why a return or refund is unreadable. After the others are synced, the delivery is parked for that reason. */
  readonly unread?: ShopFailure;
};

/** The result of preparing a delivery. `reason` is a stable code; `path` a JSON Pointer into the delivery's body. */
export type Prepared =
  | RemoteSnapshot
  | { readonly kind: 'ignored'; readonly reason: string }
  | Parked
  | { readonly kind: 'retry'; readonly reason: string };

/** A delivery that no retry can fix. It is stored with its reason, so that people can check and replay it. */
export type Parked = { readonly kind: 'parked'; readonly reason: string; readonly path?: string };

/**
 * Why a shop's API gave no usable response. `retryable`: the same call may succeed later. `mayHaveEffect`: a request that
 * changes the shop may have changed it; absent where the shop has not processed it.
 */
export type ShopFailure = {
  readonly kind: 'retryable' | 'permanent';
  readonly reason: string;
  readonly mayHaveEffect?: true;
};

/** A delivery through AWS, whose permissions prove the sender, and the body to store. */
export type AwsDelivery = { readonly delivery: Delivery; readonly body: Buffer };

/** What the deployment remembers of the addresses of public keys, over all containers. */
export type KeyMemory = {
  /** Whether a key at the address has verified a delivery. */
  readonly isProven: (url: string) => Promise<boolean>;
};

/** The functions that receive a platform's webhooks. */
export type Receiver = {
  readonly name: string;
  /** Verifies the exact bytes of a delivery. It parses nothing of the body before. */
  readonly authenticate: (
    request: WebhookRequest,
    signal: AbortSignal,
    memory?: KeyMemory,
  ) => Promise<VerificationResult>;
  /** Whether two deliveries of this topic with the same body report the same event. */
  readonly bodyNamesEvent: (topic: string) => boolean;
  /**
   * Whether the platform has a topic, if no signature covers it.
   * All other topics are stored as one, and each body of them once. So a replay of a body under other topics and ids
   * creates no more rows.
   */
  readonly hasTopic?: (topic: string) => boolean;
  /** Reads an event of a bus to which only the platform can send; undefined for a foreign one. */
  readonly readEvent?: (event: JsonObject) => AwsDelivery | undefined;
  /** Reads a message of a queue to which only the platform can send; undefined for a foreign one. */
  readonly readMessage?: (body: string) => AwsDelivery | undefined;
};

/** A change on the platform, in the form of a delivery that reports it. */
export type PlatformChange = {
  readonly topic: string;
  /** The same each time this change is found: the changed resource, and its version or time. */
  readonly deliveryId: string;
  /** The minimal body for `prepare`. */
  readonly body: JsonObject;
};

/** A batch of changes; `cursor` is where the next batch begins, and `more` whether it exists now. */
export type ChangeBatch = {
  readonly found: readonly PlatformChange[];
  readonly cursor: string;
  readonly more: boolean;
};

/** What a delivery may change in addition to the facts of an order: returns, refunds, and withdrawals. */
export type TopicEffect = 'return' | 'refund' | 'withdrawal';

/** Topics with their effects. */
export type Topics = Readonly<Record<string, readonly TopicEffect[]>>;

/** The start of a search for changes: a cursor of the translator, or an instant without one. */
export type ChangeQuery = { readonly cursor?: string; readonly since: string };

/** The cancellation of a whole order at the platform. Each call gets the id of the order as the snapshot has it. */
export type OrderCancellation = {
  /** Fetches the order, and whether it is cancelled. */
  readonly fetchState: (
    source: string,
    orderId: string,
    deadline: number,
  ) => Promise<Result<{ readonly isCancelled: boolean; readonly snapshot: RemoteSnapshot }, ShopFailure>>;
  /**
   * Cancels an order that is not cancelled. It sends one request, because it may be unknown whether a failed one had an
   * effect: the caller fetches the state before it repeats the call. The platform may cancel the order later.
   */
  readonly cancel: (source: string, orderId: string, deadline: number) => Promise<Result<undefined, ShopFailure>>;
};

/** The functions that translate a platform's stored deliveries. */
export type Translator = {
  /** The supported topics. Deliveries of others are ignored. */
  readonly topics: () => Topics;
  /** Reads the subject of a stored delivery, and fetches its current state from the shop. */
  readonly prepare: (delivery: { source: string; topic: string; body: unknown }, deadline: number) => Promise<Prepared>;
  /** Fetches the current state of a known return. */
  readonly refetchReturn: (
    source: string,
    externalId: string,
    deadline: number,
  ) => Promise<Result<RemoteReturn, ShopFailure>>;
  /** Returns the changes since a position, oldest first. It finds changes that no delivery has reported. */
  readonly fetchChanges?: (
    source: string,
    from: ChangeQuery,
    deadline: number,
  ) => Promise<Result<ChangeBatch, ShopFailure>>;
  /**
   * Returns the scopes that the shop's credentials lack, if the platform reports them.
   * Without them, orders are only partly readable.
   */
  readonly missingScopes?: (source: string, deadline: number) => Promise<Result<readonly string[], ShopFailure>>;
};

/** Headers as API Gateway passes them: lower-case names, repeated values joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** The result for a delivery without a subject of ours, or without a readable subject. */
export type SkippedDelivery = Parked | { readonly kind: 'ignored'; readonly reason: string };

/** Returns topics that have the same effects. */
export const topicsLeadingTo = (topics: Iterable<string>, ...effects: readonly TopicEffect[]): Topics =>
  Object.fromEntries(Array.from(topics, (topic): [string, readonly TopicEffect[]] => [topic, effects]));

/** Returns a failure that no retry can fix. The delivery is parked with its reason for people to check. */
export const permanentFailure = (reason: string): Result<never, ShopFailure> => fail({ kind: 'permanent', reason });

/** Returns the result of a delivery whose platform gave no usable response. */
export const toPrepared = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});
