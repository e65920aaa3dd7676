import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { batchGet } from '../engine/batch-get.ts';
import { domainEventKey, unlistedKey, unlistedPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, type Write } from '../engine/transact.ts';

/*
 * The outbox: domain events, in the partition of their stream, written in the transaction of the change. The stream of
 * a return is its history. The stream of the DynamoDB table reports them to the publisher.
 */

type Item = { readonly pk: string; readonly sk: string; readonly value: string | Uint8Array };

/** Writes a domain event of a stream without a history of its own, with the change. */
export const writeDomainEvent = (stream: string, domainEvent: DomainEvent): Write =>
  putNew('domainEvent', domainEventKey(stream, domainEvent.sequence), { value: pack(domainEvent) });

/** Returns the domain event of an outbox row. */
const domainEventIn = ({ value }: Pick<Item, 'value'>): DomainEvent => unpack(value) as DomainEvent;

/**
 * Returns the events of a stream after a sequence, up to another one, oldest first, at most `limit`. Strongly
 * consistent.
 */
export const readDomainEvents = async (
  session: Session,
  stream: string,
  after: number,
  upTo: number,
  limit?: number,
): Promise<DomainEvent[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': stream,
      ':from': domainEventKey(stream, after + 1).sk,
      ':to': domainEventKey(stream, upTo).sk,
    },
    ConsistentRead: true,
  };
  return (await queryAll<Item>(session, query, limit)).map(domainEventIn);
};

/** Identifies a domain event. */
export type EventPointer = { readonly stream: string; readonly sequence: number };

/** Returns the identified events, in order; strongly consistent. A deleted one is undefined. */
export const fetchDomainEvents = async (
  session: Session,
  pointed: readonly EventPointer[],
): Promise<(DomainEvent | undefined)[]> => {
  const keys = pointed.map(({ stream, sequence }) => domainEventKey(stream, sequence));
  const items = (await batchGet(session, keys, ['pk', 'sk', 'value'], { consistent: true })) as Item[];
  const found = new Map(items.map((item) => [`${item.pk}/${item.sk}`, item]));
  return keys.map(({ pk, sk }) => {
    const item = found.get(`${pk}/${sk}`);
    return item && domainEventIn(item);
  });
};

/*
 * Streams of a single event, such as the end of an erasure. Only the table's stream reports them. Each is listed here
 * for as long as partitions are stored, so that a repair finds records that the table's stream gave up.
 */

const retentionSeconds = 32 * 24 * 3600;

/** Writes the event of an unlisted stream, and the list row that leads to it. */
export const writeUnlisted = (stream: string, domainEvent: DomainEvent): readonly Write[] => [
  writeDomainEvent(stream, domainEvent),
  put('unlisted', unlistedKey(stream), { expiresAt: Math.floor(Date.parse(domainEvent.at) / 1000) + retentionSeconds }),
];

/** Returns the recent streams that no other list contains. Eventually consistent. */
export const readUnlisted = async (session: Session): Promise<readonly string[]> => {
  const items = await queryAll<{ sk: string }>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': unlistedPartition },
  });
  return items.map(({ sk }) => sk);
};
