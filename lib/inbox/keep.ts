import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { log } from '../log.ts';
import type { Delivery, Receiver } from '../platforms/platform.ts';
import { isSettled, storeDelivery, type InboxRow } from '../store/inbox.ts';
import type { Session } from '../store/session.ts';
import { keptHeaders } from './kept-headers.ts';
import { enqueue } from './queue.ts';

/** What leaves room for the other attributes in DynamoDB's 400 KB. */
const mostStoredBytes = 360 * 1024;
const keptSeconds = 30 * 24 * 3600;

const compress = promisify(gzip);

/** What came, and what it is followed by in our logs. */
export type Received = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceId: string;
};

const rowOf = (
  platform: Receiver,
  delivery: Delivery,
  { body, headers, traceId }: Received,
  zipped: Buffer,
): InboxRow => ({
  platform: platform.name,
  ...delivery,
  body: zipped,
  headers: keptHeaders(headers),
  bodyHash: createHash('sha256').update(body).digest('hex'),
  receivedAt: new Date().toISOString(),
  traceId,
  status: 'received',
  attempts: 0,
  expiresAt: Math.floor(Date.now() / 1000) + keptSeconds,
});

/**
 * Stores a delivery, then announces it to the queue: what this has answered for is never lost. A repetition is announced
 * until it is settled.
 *
 * @throws what the store or the queue throws: the delivery must come again
 */
export const keep = async (
  session: Session,
  platform: Receiver,
  delivery: Delivery,
  received: Received,
): Promise<'kept' | 'too_large'> => {
  const { body, traceId } = received;
  const zipped = await compress(body);
  if (zipped.length > mostStoredBytes) return 'too_large';
  const row = rowOf(platform, delivery, received, zipped);
  const stored = await storeDelivery(session, row, { markBody: platform.bodyNamesEvent(delivery.topic) });
  if (stored.kind === 'new' || !isSettled(stored.row)) await enqueue(stored.key, session.signal);
  log('info', stored.kind === 'new' ? 'delivery received' : 'delivery repeated', {
    traceId,
    key: stored.key,
    topic: delivery.topic,
    ...(stored.kind === 'duplicate' && { status: stored.row.status, firstTraceId: stored.row.traceId }),
  });
  return 'kept';
};
