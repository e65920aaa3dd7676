import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Sent } from '../events/endpoint.ts';
import { table } from './client.ts';
import { getItem } from './get-item.ts';
import { sentPartition, type Key } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';

/** What an endpoint was sent is in so many partitions, by a hash of the event's id: a page asks each of them. */
export const sentShards = 8;

const keptSeconds = 30 * 24 * 3600;

const keyOf = (endpointId: string, eventId: string): Key => ({
  pk: sentPartition(endpointId, (createHash('sha256').update(eventId).digest()[0] ?? 0) % sentShards),
  sk: eventId,
});

/** What became of an event for an endpoint, or undefined where it was never sent, or more than 30 days ago. */
export const readSent = async (session: Session, endpointId: string, eventId: string): Promise<Sent | undefined> => {
  const item = await getItem<{ readonly value: string | Uint8Array }>(session, keyOf(endpointId, eventId));
  return item && (unpack(item.value) as Sent);
};

/** Writes down what became of an event, in place of what stood there. */
export const writeSent = async (session: Session, sent: Sent, now: number): Promise<void> => {
  await session.send(
    new PutCommand({
      TableName: table,
      Item: {
        ...keyOf(sent.endpointId, sent.eventId),
        status: sent.status,
        value: pack(sent),
        expiresAt: Math.floor(now / 1000) + keptSeconds,
      },
    }),
  );
};
