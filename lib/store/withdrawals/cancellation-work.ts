import { gzipSync } from 'node:zlib';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import { sha256 } from '../../runtime/hash.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import { putNew, type Write } from '../engine/transact.ts';
import { listAttributes, overdueBefore, waitingAttributes } from '../inbox/inbox-index.ts';
import { inboxKey, type InboxRow, rowRetentionSeconds } from '../inbox/inbox-row.ts';
import { deliveryKey } from '../inbox/inbox.ts';

/*
 * The work to cancel a whole order at its shop, because a withdrawal is matched to it before shipping. It is a row of
 * the inbox with a topic of its own. So the worker retries and parks it, and callers list and replay it, as a delivery.
 */

/** The topic of the work. No shop may deliver it (lib/shops/inbox/store-and-enqueue.ts). */
export const cancelOrderTopic = 'withdrawal.cancel-order';

/** The order to cancel, the withdrawal that demands it, and whether a signed-in user matched them. */
export type CancellationWork = {
  readonly withdrawalId: string;
  readonly orderId: string;
  readonly isByPerson: boolean;
};

type NewWork = {
  readonly order: OrderRef;
  readonly withdrawalId: string;
  readonly isByPerson: boolean;
  /** Now, as an instant. */
  readonly at: string;
  readonly traceId: string;
};

/**
 * Returns the row of the work. An order does not name its shop, so the platform of the order stands in both fields. The
 * worker finds the shop by the secrets that only it may read.
 */
export const cancellationRow = ({ order, withdrawalId, isByPerson, at, traceId }: NewWork): InboxRow => {
  const work: CancellationWork = { withdrawalId, orderId: order.orderId, isByPerson };
  const body = Buffer.from(JSON.stringify(work));
  return {
    platform: order.platform,
    source: order.platform,
    topic: cancelOrderTopic,
    deliveryId: withdrawalId,
    body: gzipSync(body),
    bodyHash: sha256(body, 'hex'),
    receivedAt: at,
    traceId,
    status: 'received',
    attempts: 0,
    orderId: order.orderId,
    expiresAt: Math.floor(Date.parse(at) / 1000) + rowRetentionSeconds,
  };
};

/**
 * Writes the work in the transaction of the match. It is due at once: the next run of sweepInbox enqueues it. A
 * withdrawal is matched once, so the row is new.
 */
export const writeCancellationWork = (work: NewWork): Write => {
  const row = cancellationRow(work);
  const key = inboxKey(row);
  const since = overdueBefore(Date.parse(row.receivedAt));
  const attributes = { ...listAttributes(key, row), ...waitingAttributes(key, since) };
  return putNew('delivery', deliveryKey(key), { ...row, ...attributes });
};

/** Reads the body of the work; undefined for another body. */
export const readCancellationWork = (body: Buffer): CancellationWork | undefined => {
  const value = parseJson(body.toString('utf8'));
  if (!isObject(value)) return undefined;
  const { withdrawalId, orderId, isByPerson } = value;
  return typeof withdrawalId === 'string' && typeof orderId === 'string'
    ? { withdrawalId, orderId, isByPerson: isByPerson === true }
    : undefined;
};
