import type { Delivery, Receiver } from '../platforms/platform.ts';
import { log } from '../../runtime/log.ts';
import type { Session } from '../../store/engine/session.ts';
import { bodyKeyOf, putBody } from '../../store/inbox/inbox-bodies.ts';
import { isSettled, readDelivery, type StoreOutcome, storeDelivery } from '../../store/inbox/inbox.ts';
import { inboxKey } from '../../store/inbox/inbox-row.ts';
import { enqueue } from './queue.ts';
import { newRow } from './row.ts';

/** Headers that may hold credentials. They are neither stored nor returned. */
const confidential = /auth|cookie|token|secret|passw|credential|session|key$/;

const maxBytes = 16 * 1024;

/** The headers to store: all without credentials, in order, up to 16 KiB in total. */
export const headersToStore = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const stored: Record<string, string> = {};
  let room = maxBytes;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (value === undefined || confidential.test(lower)) continue;
    room -= Buffer.byteLength(lower) + Buffer.byteLength(value);
    if (room < 0) break;
    stored[lower] = value;
  }
  return stored;
};

/** The gzipped size that leaves space for the other attributes within the 400 KB of DynamoDB. */
const maxInRow = 300 * 1024;
/** The raw size that a response can show: JSON in JSON makes four bytes of a quote. */
const maxShown = 1024 * 1024;

/** The stored topic of a delivery whose unsigned topic is unknown to the platform. */
const unknownTopic = 'unknown';

/** The received request, with its trace id. */
type ReceivedRequest = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceId: string;
};

type Row = ReturnType<typeof newRow>;

/** Stores the row, and before it a body that is too large for a row. Only concurrent copies store the body twice. */
const storeRow = async (session: Session, row: Row, size: number): Promise<StoreOutcome> => {
  if (row.body.length <= maxInRow && size <= maxShown) return storeDelivery(session, row);
  const key = inboxKey(row);
  const first = await readDelivery(session, key);
  if (first !== undefined) return { kind: 'duplicate', key, row: first };
  const { body, ...head } = row;
  const bodyKey = bodyKeyOf(head);
  await putBody(session, bodyKey, body);
  return storeDelivery(session, { ...head, bodyKey });
};

/**
 * Stores a delivery, then enqueues it, so that an accepted delivery is never lost. A repeated delivery is enqueued
 * until it is settled.
 *
 * @throws errors of the store, the bucket or the queue: the sender must repeat the delivery
 */
export const storeAndEnqueue = async (
  session: Session,
  platform: Receiver,
  delivery: Delivery,
  received: ReceivedRequest,
): Promise<void> => {
  const { traceId } = received;
  const headers = JSON.stringify(headersToStore(received.headers));
  // A shop may not order our own work.
  const isKnown = platform.hasTopic?.(delivery.topic) ?? true;
  const topic = isKnown ? delivery.topic : unknownTopic;
  const { isIdSigned, ...named } = delivery;
  const isByBody = isIdSigned !== true && (!isKnown || platform.bodyNamesEvent(topic));
  const head = { ...named, topic, ...received, headers, platform: platform.name };
  const row = newRow(isByBody ? { ...head, byBody: true } : head);
  const stored = await storeRow(session, row, received.body.length);
  if (stored.kind === 'new' || !isSettled(stored.row)) await enqueue(stored.key, session.signal);
  log('info', stored.kind === 'new' ? 'delivery received' : 'delivery repeated', {
    traceId,
    key: stored.key,
    topic,
    ...(stored.kind === 'duplicate' && { status: stored.row.status, firstTraceId: stored.row.traceId }),
  });
};
