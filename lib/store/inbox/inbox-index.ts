import { sha256, partitionIndexOf } from '../../runtime/hash.ts';
import type { InboxRow, InboxStatus } from './inbox-row.ts';
import { table } from '../engine/client.ts';
import type { IndexPartitions } from '../engine/index-page.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { updateIf } from '../engine/transact.ts';

/*
 * Lists deliveries by the table's indexes over returns, in partitions of their own. Eight partitions share the load, by
 * a hash of the key, because each takes 1,000 writes a second.
 */

const partitionCount = 8;

const listPartition = (shard: number): string => `DELIVERIES#${shard}`;
const statusPartition = (status: InboxStatus, shard: number): string => `DELIVERIES#${status}#${shard}`;

const partitionNames = (partition: (shard: number) => string): readonly string[] =>
  Array.from({ length: partitionCount }, (_, shard) => partition(shard));

/** Returns the partitions of deliveries: all in the index byCreation, due ones in the index byDeadline. */
export const listPartitions = (): readonly string[] => partitionNames(listPartition);

/** Returns the partition key of a delivery in the index byStatus. */
export const statusKeyOf = (key: string, status: InboxStatus): string =>
  statusPartition(status, partitionIndexOf(key, partitionCount));

/** Returns the position of a delivery: the time of its receipt, then a part of its key's digest. */
export const positionOf = (key: string, receivedAt: string): string =>
  `${receivedAt}#${sha256(key, 'hex').slice(0, 16)}`;

/** A delivery without a confirmed message is enqueued again after this time. */
const graceMs = 120_000;

/**
 * Returns the sort key of the index byDeadline: the time at which a delivery is enqueued again. An attempt, or the
 * sweeper, removes the attribute.
 *
 * @param at the time of the message, as an instant
 */
export const dueKeyOf = (key: string, at: string): string =>
  positionOf(key, new Date(Date.parse(at) + graceMs).toISOString());

/** Returns the attributes by which the indexes find a new delivery. */
export const indexAttributes = (
  key: string,
  { receivedAt, status }: Pick<InboxRow, 'receivedAt' | 'status'>,
): Record<string, string> => ({
  id: positionOf(key, receivedAt),
  listKey: listPartition(partitionIndexOf(key, partitionCount)),
  statusKey: statusKeyOf(key, status),
  dueKey: dueKeyOf(key, receivedAt),
});

/** The order of a delivery. */
type OrderReference = { readonly platform: string; readonly orderId: string };

/** The partitions of the rows that lead from a return, or an order, to its deliveries. */
export const returnLinksPartition = (returnId: string): string => `INBOXOF#RETURN#${returnId}`;
export const orderLinksPartition = ({ platform, orderId }: OrderReference): string =>
  `INBOXOF#ORDER#${platform}#${encodeURIComponent(orderId)}`;

/** Returns the narrowest query for deliveries: by return, by order, by status, or over all. */
export const deliveryIndexQuery = (of: {
  readonly returnId?: string;
  readonly order?: OrderReference;
  readonly statuses?: readonly InboxStatus[];
}): IndexPartitions => {
  const rows = { attribute: 'pk', sort: 'sk' };
  if (of.returnId !== undefined) return { ...rows, partitions: [returnLinksPartition(of.returnId)] };
  if (of.order !== undefined) return { ...rows, partitions: [orderLinksPartition(of.order)] };
  const { statuses } = of;
  if (statuses === undefined)
    return { name: 'byCreation', attribute: 'listKey', sort: 'id', partitions: listPartitions() };
  const partitions = statuses.flatMap((status) => partitionNames((shard) => statusPartition(status, shard)));
  return { name: 'byStatus', attribute: 'statusKey', sort: 'id', partitions };
};

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
