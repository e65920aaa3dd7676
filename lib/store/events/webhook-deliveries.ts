import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import type { WebhookDelivery } from '../../domain/events/endpoint.ts';
import type { Instant } from '../../domain/returns/model/order.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { type Key, webhookDeliveriesPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, put, type Write } from '../engine/transact.ts';
import { type Bounds, readIndexPage } from '../engine/index-page.ts';

/** The partitions of the deliveries to an endpoint, by a hash of the event's id. A page reads all of them. */
const partitionCount = 8;

const retentionSeconds = 30 * 24 * 3600;

const keyOf = (endpointId: string, eventId: string): Key => ({
  pk: webhookDeliveriesPartition(endpointId, partitionIndexOf(eventId, partitionCount)),
  sk: eventId,
});

type Item = { readonly value: string | Uint8Array; readonly expiresAt: number };

/** TTL deletes late. */
const isUnexpired = ({ expiresAt }: Item, now: number): boolean => expiresAt > now / 1000;

/** Returns the delivery of an event to an endpoint; undefined when it was never sent, or expired after 30 days. */
export const readWebhookDelivery = async (
  session: Session,
  endpointId: string,
  eventId: string,
): Promise<WebhookDelivery | undefined> => {
  const item = await getItem<Item>(session, keyOf(endpointId, eventId));
  return item && isUnexpired(item, Date.now()) ? (unpack(item.value) as WebhookDelivery) : undefined;
};

/** A page of the deliveries to an endpoint, newest event first. `rest` reports that more follow `last`, an event id. */
export type WebhookDeliveryPage = {
  readonly items: readonly WebhookDelivery[];
  readonly rest: boolean;
  readonly last?: string;
};

/**
 * Reads a page of the deliveries to an endpoint, by event id. Eventually consistent.
 *
 * @param limit the maximum that it reads of each partition
 * @param now epoch milliseconds
 */
export const readWebhookDeliveries = async (
  session: Session,
  endpointId: string,
  bounds: Bounds,
  limit: number,
  now: number,
): Promise<WebhookDeliveryPage> => {
  const partitions = Array.from({ length: partitionCount }, (_, index) =>
    webhookDeliveriesPartition(endpointId, index),
  );
  const { items, rest } = await readIndexPage(session, { attribute: 'pk', sort: 'sk', partitions }, bounds, limit);
  const unexpired = items.map(({ item }) => item as Item).filter((item) => isUnexpired(item, now));
  const last = items.at(-1)?.position;
  return {
    items: unexpired.map(({ value }) => unpack(value) as WebhookDelivery),
    rest,
    ...(last === undefined ? {} : { last }),
  };
};

/** Returns the lowest event id at a time. Ids of events begin with their time. */
export const minEventIdAt = (at: Instant): string => `evt_${encodeTime(Math.max(0, Date.parse(at)), 10)}`;

const attributesOf = (sent: WebhookDelivery, now: number) => ({
  status: sent.status,
  value: pack(sent),
  expiresAt: Math.floor(now / 1000) + retentionSeconds,
});

/** Replaces the delivery of an event, to be written in a larger transaction. */
export const putWebhookDelivery = (sent: WebhookDelivery, now: number): Write =>
  put('sent', keyOf(sent.endpointId, sent.eventId), attributesOf(sent, now));

/** The maximum of attempts when other writers interfere. */
const maxTries = 10;

/**
 * Updates the delivery of an event, based on its stored state. A worker and a redelivery may update it concurrently.
 *
 * @param after makes the new state from the stored one; it runs again when another writer was faster
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
            ConditionExpression: '#value = :stored',
            ExpressionAttributeNames: { '#value': 'value' },
            ExpressionAttributeValues: { ':stored': item.value },
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
