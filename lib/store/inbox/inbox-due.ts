import { table } from '../engine/client.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { updateIf } from '../engine/transact.ts';
import { listPartitions } from './inbox-index.ts';

/** A delivery that may be in no queue, and the attribute that says since when. */
export type DueDelivery = { readonly key: string; readonly dueKey: string };

/**
 * Walks the deliveries that were due by `now`, those that have waited longest first, in each of the partitions that they
 * lie in. Eventually consistent: one that is told of its page may be dealt with since.
 *
 * @returns one walk for each partition, in pages of at most `limit`
 */
export const walkDueDeliveries = (
  session: Session,
  now: string,
  limit: number,
): readonly AsyncIterable<readonly DueDelivery[]>[] =>
  listPartitions().map(async function* walk(partition) {
    const pages = queryPages<{ readonly pk: string; readonly dueKey: string }>(session, {
      IndexName: 'byDeadline',
      KeyConditionExpression: 'listKey = :partition AND dueKey < :now',
      ExpressionAttributeValues: { ':partition': partition, ':now': now },
      Limit: limit,
    });
    for await (const items of pages) yield items.map(({ pk, dueKey }) => ({ key: pk, dueKey }));
  });

/** Takes a delivery from those that are due, unless it has become so anew since. */
export const clearDueDelivery = async (session: Session, { key, dueKey }: DueDelivery): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: { pk: key, sk: 'DELIVERY' },
    UpdateExpression: 'REMOVE dueKey',
    ConditionExpression: 'dueKey = :dueKey',
    ExpressionAttributeValues: { ':dueKey': dueKey },
  });
};
