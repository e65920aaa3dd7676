import type { DomainEvent } from '../../events/domain-events.ts';
import { batchGet } from '../engine/batch-get.ts';
import { domainEventKey, unlistedKey, unlistedPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, type Write } from '../engine/transact.ts';

/*
 * The outbox: what happened stands in the partition of what it happened to, written in the transaction of the change. Of a
 * return that is its history. The stream of the table brings it to whoever listens.
 */

type Item = { readonly pk: string; readonly sk: string; readonly value: string | Uint8Array };

/** A happening of a subject that has no history of its own, to be written with the change. */
export const writeDomainEvent = (place: string, happening: DomainEvent): Write =>
  putNew('happening', domainEventKey(place, happening.sequence), { value: pack(happening) });

/** What the item of an outbox row holds. */
const domainEventIn = ({ value }: Pick<Item, 'value'>): DomainEvent => unpack(value) as DomainEvent;

/** The happenings of a place after a sequence and up to another one, the first `limit`, oldest first. Strongly consistent. */
export const readDomainEvents = async (
  session: Session,
  place: string,
  after: number,
  upTo: number,
  limit?: number,
): Promise<DomainEvent[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': place,
      ':from': domainEventKey(place, after + 1).sk,
      ':to': domainEventKey(place, upTo).sk,
    },
    ConsistentRead: true,
  };
  return (await queryAll<Item>(session, query, limit)).map(domainEventIn);
};

/** Which happening is meant. */
export type EventPointer = { readonly place: string; readonly sequence: number };

/** The happenings that are meant, in their order; strongly consistent. One that is gone is undefined. */
export const fetchDomainEvents = async (
  session: Session,
  pointed: readonly EventPointer[],
): Promise<(DomainEvent | undefined)[]> => {
  const keys = pointed.map(({ place, sequence }) => domainEventKey(place, sequence));
  const items = (await batchGet(session, keys, ['pk', 'sk', 'value'], { consistent: true })) as Item[];
  const found = new Map(items.map((item) => [`${item.pk}/${item.sk}`, item]));
  return keys.map(({ pk, sk }) => {
    const item = found.get(`${pk}/${sk}`);
    return item && domainEventIn(item);
  });
};

/*
 * Places of their own for what happens once, such as the end of an erasure: the stream alone knows of them. Each is listed
 * here for as long as logs are kept, so that what the stream gives up is found.
 */

const retentionSeconds = 32 * 24 * 3600;

/** A happening of a place that no list leads to, and what leads there. */
export const writeUnlisted = (place: string, happening: DomainEvent): readonly Write[] => [
  writeDomainEvent(place, happening),
  put('unlisted', unlistedKey(place), { expiresAt: Math.floor(Date.parse(happening.at) / 1000) + retentionSeconds }),
];

/** The places in which something happened of late that no list leads to. Eventually consistent. */
export const readUnlisted = async (session: Session): Promise<readonly string[]> => {
  const items = await queryAll<{ sk: string }>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': unlistedPartition },
  });
  return items.map(({ sk }) => sk);
};
