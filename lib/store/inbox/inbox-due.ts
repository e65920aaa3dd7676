import { table } from '../engine/client.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { updateIf } from '../engine/transact.ts';
import { listPartitions } from './inbox-index.ts';

/** A delivery that may have no message in the queue, and the attribute with its due time. */
export type DueDelivery = { readonly key: string; readonly dueKey: string };

/**
 * Iterates over the deliveries that were due by `now`, the oldest of each partition first. Eventually consistent: a
 * returned delivery may be processed already.
 *
 * @returns one iterator for each partition, in pages of at most `limit`
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

/** Removes a delivery from the due ones, unless it became due again meanwhile. */
export const clearDueDelivery = async (session: Session, { key, dueKey }: DueDelivery): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: { pk: key, sk: 'DELIVERY' },
    UpdateExpression: 'REMOVE dueKey',
    ConditionExpression: 'dueKey = :dueKey',
    ExpressionAttributeValues: { ':dueKey': dueKey },
  });
};
