import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import type { WebhookDelivery } from '../../events/endpoint.ts';
import type { Instant } from '../../returns/model/order.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { type Key, webhookDeliveriesPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, put, type Write } from '../engine/transact.ts';
import { type Bounds, readIndexPage } from '../engine/index-page.ts';

/** What an endpoint was sent is in so many partitions, by a hash of the event's id: a page asks each of them. */
const partitionCount = 8;

const retentionSeconds = 30 * 24 * 3600;

const keyOf = (endpointId: string, eventId: string): Key => ({
  pk: webhookDeliveriesPartition(endpointId, partitionIndexOf(eventId, partitionCount)),
  sk: eventId,
});

type Item = { readonly value: string | Uint8Array; readonly expiresAt: number };

/** TTL deletes late. */
const isUnexpired = ({ expiresAt }: Item, now: number): boolean => expiresAt > now / 1000;

/** What became of an event for an endpoint, or undefined where it was never sent, or more than 30 days ago. */
export const readWebhookDelivery = async (
  session: Session,
  endpointId: string,
  eventId: string,
): Promise<WebhookDelivery | undefined> => {
  const item = await getItem<Item>(session, keyOf(endpointId, eventId));
  return item && isUnexpired(item, Date.now()) ? (unpack(item.value) as WebhookDelivery) : undefined;
};

/** What an endpoint was sent, the newest event first; `rest` tells that there is more behind `last`, an event's id. */
export type WebhookDeliveryPage = {
  readonly items: readonly WebhookDelivery[];
  readonly rest: boolean;
  readonly last?: string;
};

/**
 * A stretch of what an endpoint was sent, by the ids of events. Eventually consistent.
 *
 * @param limit how many to read of each shard at most
 * @param now epoch milliseconds
 */
export const readWebhookDeliveries = async (
  session: Session,
  endpointId: string,
  bounds: Bounds,
  limit: number,
  now: number,
): Promise<WebhookDeliveryPage> => {
  const partitions = Array.from({ length: partitionCount }, (_, shard) =>
    webhookDeliveriesPartition(endpointId, shard),
  );
  const { items, rest } = await readIndexPage(session, { attribute: 'pk', sort: 'sk', partitions }, bounds, limit);
  const kept = items.map(({ item }) => item as Item).filter((item) => isUnexpired(item, now));
  const last = items.at(-1)?.position;
  return {
    items: kept.map(({ value }) => unpack(value) as WebhookDelivery),
    rest,
    ...(last === undefined ? {} : { last }),
  };
};

/** Ids of events begin with the time at which they happened: below all that happened at this one or later. */
export const minEventIdAt = (at: Instant): string => `evt_${encodeTime(Math.max(0, Date.parse(at)), 10)}`;

const attributesOf = (sent: WebhookDelivery, now: number) => ({
  status: sent.status,
  value: pack(sent),
  expiresAt: Math.floor(now / 1000) + retentionSeconds,
});

/** What became of an event, in place of what stood there, to be written with more. */
export const putWebhookDelivery = (sent: WebhookDelivery, now: number): Write =>
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
export const updateWebhookDelivery = async (
  session: Session,
  { endpointId, eventId }: Pick<WebhookDelivery, 'endpointId' | 'eventId'>,
  after: (before: WebhookDelivery | undefined) => WebhookDelivery,
  now: number,
): Promise<void> => {
  const key = keyOf(endpointId, eventId);
  for (let tries = 1; ; tries += 1) {
    const item = await getItem<Item>(session, key);
    const before = item && isUnexpired(item, now) ? (unpack(item.value) as WebhookDelivery) : undefined;
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
