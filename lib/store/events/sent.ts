import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import type { Sent } from '../../events/endpoint.ts';
import type { Instant } from '../../returns/model/order.ts';
import { shardOf } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { type Key, sentPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, put, type Write } from '../engine/transact.ts';
import { type Bounds, walkOn } from '../engine/walk.ts';

/** What an endpoint was sent is in so many partitions, by a hash of the event's id: a page asks each of them. */
const sentShards = 8;

const keptSeconds = 30 * 24 * 3600;

const keyOf = (endpointId: string, eventId: string): Key => ({
  pk: sentPartition(endpointId, shardOf(eventId, sentShards)),
  sk: eventId,
});

type Item = { readonly value: string | Uint8Array; readonly expiresAt: number };

/** TTL deletes late. */
const isKept = ({ expiresAt }: Item, now: number): boolean => expiresAt > now / 1000;

/** What became of an event for an endpoint, or undefined where it was never sent, or more than 30 days ago. */
export const readSent = async (session: Session, endpointId: string, eventId: string): Promise<Sent | undefined> => {
  const item = await getItem<Item>(session, keyOf(endpointId, eventId));
  return item && isKept(item, Date.now()) ? (unpack(item.value) as Sent) : undefined;
};

/** What an endpoint was sent, the newest event first; `rest` tells that there is more behind `last`, an event's id. */
export type SentPage = { readonly items: readonly Sent[]; readonly rest: boolean; readonly last?: string };

/**
 * A stretch of what an endpoint was sent, by the ids of events. Eventually consistent.
 *
 * @param limit how many to read of each shard at most
 * @param now epoch milliseconds
 */
export const readSentPage = async (
  session: Session,
  endpointId: string,
  bounds: Bounds,
  limit: number,
  now: number,
): Promise<SentPage> => {
  const partitions = Array.from({ length: sentShards }, (_, shard) => sentPartition(endpointId, shard));
  const { items, rest } = await walkOn(session, { attribute: 'pk', sort: 'sk', partitions }, bounds, limit);
  const kept = items.map(({ item }) => item as Item).filter((item) => isKept(item, now));
  const last = items.at(-1)?.position;
  return { items: kept.map(({ value }) => unpack(value) as Sent), rest, ...(last === undefined ? {} : { last }) };
};

/** Ids of events begin with the time at which they happened: below all that happened at this one or later. */
export const sentSince = (at: Instant): string => `evt_${encodeTime(Math.max(0, Date.parse(at)), 10)}`;

const attributesOf = (sent: Sent, now: number) => ({
  status: sent.status,
  value: pack(sent),
  expiresAt: Math.floor(now / 1000) + keptSeconds,
});

/** What became of an event, in place of what stood there, to be written with more. */
export const putSent = (sent: Sent, now: number): Write =>
  put('sent', keyOf(sent.endpointId, sent.eventId), attributesOf(sent, now));

/** How often what became of an event is read again because somebody else has written it meanwhile. */
const maxTries = 10;

/**
 * Writes down what became of an event, after what stands there by then: a worker and a redelivery may tell of the same one
 * at once.
 *
 * @param after what is to stand there, from what does; called once more where somebody was faster
 * @param now epoch milliseconds
 */
export const updateSent = async (
  session: Session,
  { endpointId, eventId }: Pick<Sent, 'endpointId' | 'eventId'>,
  after: (before: Sent | undefined) => Sent,
  now: number,
): Promise<void> => {
  const key = keyOf(endpointId, eventId);
  for (let tries = 1; ; tries += 1) {
    const item = await getItem<Item>(session, key);
    const before = item && isKept(item, now) ? (unpack(item.value) as Sent) : undefined;
    const unchanged =
      item === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#value = :seen',
            ExpressionAttributeNames: { '#value': 'value' },
            ExpressionAttributeValues: { ':seen': item.value },
          };
    try {
      await session.send(
        new PutCommand({ TableName: table(), Item: { ...key, ...attributesOf(after(before), now) }, ...unchanged }),
      );
      return;
    } catch (error) {
      const wasLate = isConflict(error, 'ConditionalCheckFailedException', 'TransactionConflictException');
      if (!wasLate || tries === maxTries) throw error;
    }
  }
};
