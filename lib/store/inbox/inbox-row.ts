/** `received` and `failed` are still to be processed; the others are settled for good, unless replayed by hand. */
export type InboxStatus = 'received' | 'done' | 'ignored' | 'parked' | 'failed';

/** How an earlier run of a delivery ended, before it was replayed. */
export type InboxRun = {
  readonly status: InboxStatus;
  readonly settledAt?: string;
  readonly returnId?: string;
  readonly reason?: string;
  readonly lastError?: string;
};

/** A delivery without what was delivered. */
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
  /** What came with it, credentials apart, by names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly receivedAt: string;
  readonly traceId: string;
  readonly status: InboxStatus;
  readonly attempts: number;
  readonly lastError?: string;
  readonly settledAt?: string;
  readonly returnId?: string;
  /** The order at the platform that it was about, where that came out. */
  readonly orderId?: string;
  /** The platform that this order is registered under, where that is not `platform`. */
  readonly orderPlatform?: string;
  readonly reason?: string;
  /** An erasure finds a delivery without a readable order by them (lib/store/inbox/inbox-names.ts). */
  readonly nameDigests?: readonly string[];
  /** The last ten earlier runs, oldest first. */
  readonly runs?: readonly InboxRun[];
  /** Epoch seconds: DynamoDB deletes the row after it. */
  readonly expiresAt: number;
};

/** The exact bytes that were signed, gzipped: here, or under that key of lib/store/inbox/inbox-bodies.ts. */
type StoredBody = { readonly body: Uint8Array } | { readonly bodyKey: string };

export type InboxRow = InboxHead & StoredBody;

const prefix = 'INBOX#';
const enc = encodeURIComponent;

/**
 * The partition key of a delivery, which is also what travels through the queue. The topic is a part of it: it is not
 * signed, and a delivery that comes with a false one first must not stand in the way of the true one.
 */
export const inboxKey = (row: Pick<InboxRow, 'platform' | 'source' | 'topic' | 'deliveryId'>): string =>
  `${prefix}${row.platform}#${enc(row.source)}#${enc(row.topic)}#${enc(row.deliveryId)}`;

/** Whether a text has the form of such a key. */
export const isInboxKey = (text: string): boolean => text.startsWith(prefix) && /^[^#]+(#[^#]+){4}$/.test(text);

/** What callers know a delivery by: its key, in letters that a path takes as they are. */
export const encodeInboxKey = (key: string): string => Buffer.from(key.slice(prefix.length)).toString('base64url');

/** The key that callers know by this name; that there is such a delivery is not said. */
export const decodeInboxKey = (shown: string): string => `${prefix}${Buffer.from(shown, 'base64url').toString()}`;
