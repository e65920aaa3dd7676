import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { Output } from '../../../contract/contract.ts';
import { linkToBody } from '../../../store/inbox/inbox-bodies.ts';
import type { ListedRow } from '../../../store/inbox/inbox-list.ts';
import { type InboxRow, encodeInboxKey } from '../../../store/inbox/inbox-row.ts';

/** Returns a delivery as a list item. */
export const summaryView = (key: string, row: ListedRow): Output<'listInboxDeliveries'>['items'][number] => ({
  deliveryKey: encodeInboxKey(key),
  platform: row.platform,
  source: row.source,
  topic: row.topic,
  deliveryId: row.deliveryId,
  ...(row.eventId !== undefined && { eventId: row.eventId }),
  ...(row.triggeredAt !== undefined && { triggeredAt: row.triggeredAt }),
  ...(row.apiVersion !== undefined && { apiVersion: row.apiVersion }),
  receivedAt: row.receivedAt,
  status: row.status,
  attempts: row.attempts,
  ...(row.lastError !== undefined && { lastError: row.lastError }),
  ...(row.settledAt !== undefined && { settledAt: row.settledAt }),
  ...(row.returnId !== undefined && { returnId: row.returnId }),
  ...(row.orderId !== undefined && { orderId: row.orderId }),
  ...(row.orderPlatform !== undefined && { orderPlatform: row.orderPlatform }),
  ...(row.reason !== undefined && { reason: row.reason }),
  traceId: row.traceId,
});

/** A delivery that a reconciliation stored has no headers. */
const headersOf = ({ headers = '{}' }: InboxRow) => JSON.parse(headers) as Record<string, string>;

/** Control characters except tab, line feed and carriage return. In JSON each takes six bytes. */
const controls = new RegExp(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f]`);

const bodyView = (bytes: Buffer): Output<'getInboxDelivery'>['body'] => {
  const text = isUtf8(bytes) ? bytes.toString() : undefined;
  return text === undefined || controls.test(text)
    ? { encoding: 'base64', content: bytes.toString('base64') }
    : { encoding: 'utf8', content: text };
};

/**
 * Returns a delivery with its body, or with a link to a large body.
 * A response may have 6 MB.
 *
 * @param now epoch milliseconds
 */
export const deliveryView = async (key: string, row: InboxRow, now: number): Promise<Output<'getInboxDelivery'>> => ({
  ...summaryView(key, row),
  runs: [...(row.runs ?? [])],
  headers: headersOf(row),
  body: 'body' in row ? bodyView(gunzipSync(row.body)) : await linkToBody(row.bodyKey, now),
});
