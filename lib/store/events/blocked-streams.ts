import { blockedStreamKey, blockedStreamsPartition } from '../engine/keys.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, remove, type Write } from '../engine/transact.ts';

/**
 * The events of a stream that the endpoint has not received although its subscription is past them. The first of them
 * failed, or is being sent, and the others wait for it. Times are epoch milliseconds.
 */
export type BlockedStream = {
  readonly stream: string;
  /** The sequences of the first and the last event. */
  readonly from: number;
  readonly upTo: number;
  /** The attempts of the first event, and the time of the first attempt. */
  readonly attempts: number;
  readonly since?: number | undefined;
  readonly retryAt: number;
};

type Item = Omit<BlockedStream, 'stream'> & { readonly sk: string };

/** Returns the blocked streams of a subscription; strongly consistent. */
export const readBlockedStreams = async (
  session: Session,
  endpointId: string,
  group: number,
): Promise<BlockedStream[]> => {
  const items = await queryAll<Item>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': blockedStreamsPartition(endpointId, group) },
    ConsistentRead: true,
  });
  return items.map(({ sk, from, upTo, attempts, since, retryAt }) => ({
    stream: sk,
    from,
    upTo,
    attempts,
    since,
    retryAt,
  }));
};

/** Writes a blocked stream. */
export const putBlockedStream = (endpointId: string, group: number, { stream, ...fields }: BlockedStream): Write =>
  put('blockedStream', blockedStreamKey(endpointId, group, stream), fields);

/** Deletes a blocked stream without remaining events. */
export const removeBlockedStream = (endpointId: string, group: number, stream: string): Write =>
  remove('blockedStream', blockedStreamKey(endpointId, group, stream));
