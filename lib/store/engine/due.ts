import { partitionIndexOf } from '../../runtime/hash.ts';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import { queryPages } from './query-pages.ts';
import type { Session } from './session.ts';
import { updateIf } from './transact.ts';

/*
 * Items with a due time, at which a schedule checks whether they are still needed. The index byDeadline lists them in
 * partitions of their own.
 */

export type DueKind = 'persons' | 'orders' | 'declarations' | 'searches' | 'intents';

const partitionCount = 8;
const dayMs = 86_400_000;

const partitionOf = (kind: DueKind, index: number): string => `${kind.toUpperCase()}#${index}`;

/** Returns the partitions of the items of a kind, in the indexes byCreation and byDeadline. */
export const duePartitions = (kind: DueKind): readonly string[] =>
  Array.from({ length: partitionCount }, (_, index) => partitionOf(kind, index));

/** Returns the attributes that make an item due at a time, in epoch milliseconds. */
export const dueAttributesAt = (kind: DueKind, pk: string, at: number) => ({
  listKey: partitionOf(kind, partitionIndexOf(pk, partitionCount)),
  dueKey: new Date(at).toISOString(),
});

/** Returns the attributes that make an item due in some days; none without a number of days. */
export const dueAttributesIn = (
  kind: DueKind,
  pk: string,
  days: number | undefined,
): Readonly<Record<string, string>> => (days === undefined ? {} : dueAttributesAt(kind, pk, Date.now() + days * dayMs));

/** A due item, and its due time. */
export type DueItem = Key & { readonly dueKey: string };

/**
 * Iterates over the due items of a kind, the oldest of each partition first. Eventually consistent: a processed item
 * may occur again.
 */
export async function* readDueItems(
  session: Session,
  kind: DueKind,
  now: string,
  limit: number,
): AsyncGenerator<readonly DueItem[]> {
  for (let index = 0; index < partitionCount; index += 1)
    yield* queryPages<DueItem>(session, {
      IndexName: 'byDeadline',
      KeyConditionExpression: 'listKey = :partition AND dueKey <= :now',
      ExpressionAttributeValues: { ':partition': partitionOf(kind, index), ':now': now },
      Limit: limit,
    });
}

/** Sets the due time of an item that exists without one, written before the deployment had a retention. */
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

/** Postpones an item, unless it was written meanwhile. */
export const postpone = async (session: Session, { pk, sk, dueKey }: DueItem, at: number): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: { pk, sk },
    UpdateExpression: 'SET dueKey = :next',
    ConditionExpression: 'dueKey = :due',
    ExpressionAttributeValues: { ':next': new Date(at).toISOString(), ':due': dueKey },
  }));
