import { log } from '../log.ts';
import type { Delivery, Receiver } from '../platforms/platform.ts';
import { isSettled, storeDelivery } from '../store/inbox.ts';
import type { Session } from '../store/session.ts';
import { keptHeaders } from './kept-headers.ts';
import { enqueue } from './queue.ts';
import { newRow } from './row.ts';

/** What leaves room for the other attributes in DynamoDB's 400 KB. */
const mostStoredBytes = 360 * 1024;

/** What came, and what it is followed by in our logs. */
export type Received = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceId: string;
};

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
  const { traceId } = received;
  const headers = keptHeaders(received.headers);
  const row = await newRow({ ...delivery, ...received, headers, platform: platform.name });
  if (row.body.length > mostStoredBytes) return 'too_large';
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
