import type { Delivery, Receiver } from '../platforms/platform.ts';
import { log } from '../runtime/log.ts';
import type { Session } from '../store/engine/session.ts';
import { bodyKeyOf, putBody } from '../store/inbox/inbox-bodies.ts';
import { findOriginal, isSettled, type StoreOutcome, storeDelivery } from '../store/inbox/inbox.ts';
import { enqueue } from './queue.ts';
import { newRow } from './row.ts';

/** Headers that let whoever has them in, or may: deliveries are kept and shown without them. */
const confidential = /auth|cookie|token|secret|passw|credential|session|key$/;

const maxBytes = 16 * 1024;

/** What is kept of a delivery's headers: all but credentials, as many of the first as are 16 KiB together. */
export const headersToStore = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const kept: Record<string, string> = {};
  let room = maxBytes;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (value === undefined || confidential.test(lower)) continue;
    room -= Buffer.byteLength(lower) + Buffer.byteLength(value);
    if (room < 0) break;
    kept[lower] = value;
  }
  return kept;
};

/** Gzipped: it leaves room for the other attributes in DynamoDB's 400 KB. */
const maxInRow = 300 * 1024;
/** As it came: what an answer shows is text in JSON, and JSON in the function's answer, which makes four bytes of a quote. */
const maxShown = 1024 * 1024;

/** What deliveries are stored under whose topic is a claim that nothing signs, and none that the platform has for us. */
const unknownTopic = 'unknown';

/** What came, and what it is followed by in our logs. */
type ReceivedRequest = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceId: string;
};

type Row = Awaited<ReturnType<typeof newRow>>;

/** Stores the row, and before it what is too large for a row. That is not put twice, but by copies at the same instant. */
const storeRow = async (
  session: Session,
  row: Row,
  size: number,
  marking: { markBody: boolean },
): Promise<StoreOutcome> => {
  if (row.body.length <= maxInRow && size <= maxShown) return storeDelivery(session, row, marking);
  const first = await findOriginal(session, row, marking);
  if (first !== undefined) return { kind: 'duplicate', ...first };
  const { body, ...head } = row;
  const bodyKey = bodyKeyOf(head);
  await putBody(session, bodyKey, body);
  return storeDelivery(session, { ...head, bodyKey }, marking);
};

/**
 * Stores a delivery, then announces it to the queue: what this has answered for is never lost. A repetition is announced
 * until it is settled.
 *
 * @throws what the store, the bucket or the queue throws: the delivery must come again
 */
export const storeAndEnqueue = async (
  session: Session,
  platform: Receiver,
  delivery: Delivery,
  received: ReceivedRequest,
): Promise<void> => {
  const { traceId } = received;
  const headers = headersToStore(received.headers);
  const isKnown = platform.hasTopic?.(delivery.topic) ?? true;
  const topic = isKnown ? delivery.topic : unknownTopic;
  const row = await newRow({ ...delivery, topic, ...received, headers, platform: platform.name });
  const marking = { markBody: !isKnown || platform.bodyNamesEvent(topic) };
  const stored = await storeRow(session, row, received.body.length, marking);
  if (stored.kind === 'new' || !isSettled(stored.row)) await enqueue(stored.key, session.signal);
  log('info', stored.kind === 'new' ? 'delivery received' : 'delivery repeated', {
    traceId,
    key: stored.key,
    topic,
    ...(stored.kind === 'duplicate' && { status: stored.row.status, firstTraceId: stored.row.traceId }),
  });
};
