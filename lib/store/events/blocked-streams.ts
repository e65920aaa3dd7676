import { blockedStreamKey, blockedStreamsPartition } from '../engine/keys.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, remove, type Write } from '../engine/transact.ts';

/**
 * The events of a place that an endpoint was not sent yet though its feed is past them: one of them failed, or is on its
 * way, and the others wait for it. Times are epoch milliseconds.
 */
export type BlockedStream = {
  readonly place: string;
  /** The sequence of the first of them, and that of the last. */
  readonly from: number;
  readonly upTo: number;
  /** Of the first of them: how often it was tried, and since when. */
  readonly attempts: number;
  readonly since?: number | undefined;
  readonly retryAt: number;
};

type Item = Omit<BlockedStream, 'place'> & { readonly sk: string };

/** The lanes of a feed; strongly consistent. */
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
    place: sk,
    from,
    upTo,
    attempts,
    since,
    retryAt,
  }));
};

/** A lane as it stands now. */
export const putBlockedStream = (endpointId: string, group: number, { place, ...lane }: BlockedStream): Write =>
  put('lane', blockedStreamKey(endpointId, group, place), lane);

/** A lane of which nothing is left. */
export const removeBlockedStream = (endpointId: string, group: number, place: string): Write =>
  remove('lane', blockedStreamKey(endpointId, group, place));
