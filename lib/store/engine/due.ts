import { partitionIndexOf } from '../../runtime/hash.ts';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import { queryPages } from './query-pages.ts';
import type { Session } from './session.ts';
import { updateIf } from './transact.ts';

/*
 * Items that are looked at once their time has come, whether they are still needed: they stand in the index byDeadline, in
 * partitions of their own.
 */

export type DueKind = 'persons' | 'orders';

const partitionCount = 8;
const dayMs = 86_400_000;

const partitionOf = (kind: DueKind, shard: number): string => `${kind.toUpperCase()}#${shard}`;

/** The attributes by which an item is found from a time on, in epoch milliseconds. */
const dueAttributesAt = (kind: DueKind, pk: string, at: number) => ({
  listKey: partitionOf(kind, partitionIndexOf(pk, partitionCount)),
  dueKey: new Date(at).toISOString(),
});

/** The same in so many days from now; nothing where nobody says in how many. */
export const dueAttributesIn = (
  kind: DueKind,
  pk: string,
  days: number | undefined,
): Readonly<Record<string, string>> => (days === undefined ? {} : dueAttributesAt(kind, pk, Date.now() + days * dayMs));

/** An item whose time has come, and which time that was. */
export type DueItem = Key & { readonly dueKey: string };

/**
 * Walks the items of a kind whose time has come, the oldest of each partition first. Eventually consistent: one that was
 * dealt with may be there once more.
 */
export async function* walkDueItems(
  session: Session,
  kind: DueKind,
  now: string,
  limit: number,
): AsyncGenerator<readonly DueItem[]> {
  for (let shard = 0; shard < partitionCount; shard += 1)
    yield* queryPages<DueItem>(session, {
      IndexName: 'byDeadline',
      KeyConditionExpression: 'listKey = :partition AND dueKey <= :now',
      ExpressionAttributeValues: { ':partition': partitionOf(kind, shard), ':now': now },
      Limit: limit,
    });
}

/** Has an item looked at from a time on that was written when nobody said until when, if it is there. */
export const setDueIfAbsent = async (session: Session, kind: DueKind, { pk, sk }: Key, at: number): Promise<void> => {
  const { listKey, dueKey } = dueAttributesAt(kind, pk, at);
  await updateIf(session, {
    TableName: table(),
    Key: { pk, sk },
    UpdateExpression: 'SET listKey = :partition, dueKey = :due',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(dueKey) AND attribute_not_exists(erased)',
    ExpressionAttributeValues: { ':partition': listKey, ':due': dueKey },
  });
};

/** Has an item looked at again later, unless somebody has written it meanwhile. */
export const postpone = async (session: Session, { pk, sk, dueKey }: DueItem, at: number): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: { pk, sk },
    UpdateExpression: 'SET dueKey = :next',
    ConditionExpression: 'dueKey = :due',
    ExpressionAttributeValues: { ':next': new Date(at).toISOString(), ':due': dueKey },
  }));
