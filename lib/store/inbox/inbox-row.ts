/** `received` and `failed` are not processed yet. The others are settled for good, unless an operator replays them. */
export type InboxStatus = 'received' | 'done' | 'ignored' | 'parked' | 'failed';

/** The result of an earlier run, before the delivery was replayed. */
export type InboxRun = {
  readonly status: InboxStatus;
  readonly settledAt?: string;
  readonly returnId?: string;
  readonly reason?: string;
  readonly lastError?: string;
};

/** A delivery without its body. */
export type InboxHead = {
  readonly platform: string;
  /** The shop's domain. */
  readonly source: string;
  readonly deliveryId: string;
  readonly topic: string;
  readonly eventId?: string;
  readonly triggeredAt?: string;
  readonly apiVersion?: string;
  /** SHA-256 of the exact bytes that were signed, in hex. */
  readonly bodyHash: string;
  /** The body alone identifies the event. The ids in headers are not signed, so a replay may have another id. */
  readonly byBody?: true;
  /** The headers of the delivery without credentials, as JSON: a map of fields would cost each write more. */
  readonly headers?: string;
  readonly receivedAt: string;
  readonly traceId: string;
  readonly status: InboxStatus;
  readonly attempts: number;
  readonly lastError?: string;
  readonly settledAt?: string;
  readonly returnId?: string;
  /** The order at the platform, when it is known. */
  readonly orderId?: string;
  /** The platform under which the order is registered, when it is not `platform`. */
  readonly orderPlatform?: string;
  readonly reason?: string;
  /** An erasure uses them to find a delivery without a readable order (lib/store/inbox/inbox-names.ts). */
  readonly nameDigests?: readonly string[];
  /** The last ten earlier runs, oldest first. */
  readonly runs?: readonly InboxRun[];
  /** Epoch seconds: DynamoDB deletes the row after it. */
  readonly expiresAt: number;
};

/** The exact bytes that were signed, gzipped: in the row, or under a key of lib/store/inbox/inbox-bodies.ts. */
type StoredBody = { readonly body: Uint8Array } | { readonly bodyKey: string };

export type InboxRow = InboxHead & StoredBody;

/** DynamoDB deletes a row this long after it was stored. */
export const rowRetentionSeconds = 30 * 24 * 3600;

const prefix = 'INBOX#';
const enc = encodeURIComponent;

/** The fields that tell deliveries apart. */
export type DeliveryIdentity = Pick<InboxHead, 'platform' | 'source' | 'topic' | 'deliveryId' | 'byBody' | 'bodyHash'>;

/**
 * Returns the partition key of a delivery, which the queue messages contain too. Its last part is the id, or the hash of
 * a body that alone identifies the event. The topic is part of it, because it is not signed: a delivery with a false
 * topic must not block the true one. An encoded id has no colon, so it never equals a hash.
 */
export const inboxKey = (row: DeliveryIdentity): string => {
  const identity = row.byBody === true ? `sha256:${row.bodyHash}` : enc(row.deliveryId);
  return `${prefix}${row.platform}#${enc(row.source)}#${enc(row.topic)}#${identity}`;
};

/** Whether a text has the form of such a key. */
export const isInboxKey = (text: string): boolean => text.startsWith(prefix) && /^[^#]+(#[^#]+){4}$/.test(text);

/** Returns the public id of a delivery: its key, in letters that are valid in a path. */
export const encodeInboxKey = (key: string): string => Buffer.from(key.slice(prefix.length)).toString('base64url');

/** Returns the key of a public id. It does not check that the delivery exists. */
export const decodeInboxKey = (shown: string): string => `${prefix}${Buffer.from(shown, 'base64url').toString()}`;
