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
 *
 * A receiver writes a delivery into one index, because each costs a write and the shop waits: byDeadline, which the
 * sweeper reads. The first attempt moves the delivery to byCreation and byStatus. So lists read byDeadline too, where a
 * new delivery has the same position.
 */

const partitionCount = 8;

const listPartition = (index: number): string => `DELIVERIES#${index}`;
const statusPartition = (status: InboxStatus, index: number): string => `DELIVERIES#${status}#${index}`;

const partitionNames = (partition: (index: number) => string): readonly string[] =>
  Array.from({ length: partitionCount }, (_, index) => partition(index));

/** Returns the partitions of deliveries in the indexes byCreation and byDeadline. */
export const listPartitions = (): readonly string[] => partitionNames(listPartition);

/** Returns the partitions of the deliveries in a status, in the index byStatus. */
export const statusPartitions = (status: InboxStatus): readonly string[] =>
  partitionNames((index) => statusPartition(status, index));

/** Returns the partition key of a delivery in the index byStatus. */
export const statusKeyOf = (key: string, status: InboxStatus): string =>
  statusPartition(status, partitionIndexOf(key, partitionCount));

/** Returns the position of a delivery: the time of its receipt, then a part of its key's digest. */
export const positionOf = (key: string, receivedAt: string): string =>
  `${receivedAt}#${sha256(key, 'hex').slice(0, 16)}`;

/** A delivery without a confirmed message is enqueued again after this time. */
const graceMs = 120_000;

/**
 * Returns the instant before which deliveries have waited too long for a worker.
 *
 * @param now epoch milliseconds
 */
export const overdueBefore = (now: number): string => new Date(now - graceMs).toISOString();

const listKeyOf = (key: string): string => listPartition(partitionIndexOf(key, partitionCount));

/**
 * Returns the attributes by which the index byDeadline finds a delivery. An attempt, or the sweeper, removes `dueKey`.
 *
 * @param since the time from which the delivery waits for a worker, as an instant
 */
export const waitingAttributes = (
  key: string,
  since: string,
): { readonly listKey: string; readonly dueKey: string } => ({
  listKey: listKeyOf(key),
  dueKey: positionOf(key, since),
});

/** Returns the attributes by which the indexes byCreation and byStatus find a delivery. */
export const listAttributes = (
  key: string,
  { receivedAt, status }: Pick<InboxRow, 'receivedAt' | 'status'>,
): { readonly id: string; readonly listKey: string; readonly statusKey: string } => ({
  id: positionOf(key, receivedAt),
  listKey: listKeyOf(key),
  statusKey: statusKeyOf(key, status),
});

/** The order of a delivery. */
type OrderReference = { readonly platform: string; readonly orderId: string };

/** The partitions of the rows that lead from a return, or an order, to its deliveries. */
export const returnLinksPartition = (returnId: string): string => `INBOXOF#RETURN#${returnId}`;
export const orderLinksPartition = ({ platform, orderId }: OrderReference): string =>
  `INBOXOF#ORDER#${platform}#${encodeURIComponent(orderId)}`;

/**
 * Returns the narrowest queries for deliveries: by return, by order, by status, or over all. A delivery that the sweeper
 * finds may be in two of them. A reopened one has another position in byDeadline than in the other indexes.
 */
export const deliveryIndexQueries = (of: {
  readonly returnId?: string;
  readonly order?: OrderReference;
  readonly statuses?: readonly InboxStatus[];
}): readonly IndexPartitions[] => {
  const rows = { attribute: 'pk', sort: 'sk' };
  if (of.returnId !== undefined) return [{ ...rows, partitions: [returnLinksPartition(of.returnId)] }];
  if (of.order !== undefined) return [{ ...rows, partitions: [orderLinksPartition(of.order)] }];
  const { statuses } = of;
  const list = { attribute: 'listKey', partitions: listPartitions() };
  const waiting = { name: 'byDeadline', ...list, sort: 'dueKey' };
  if (statuses === undefined) return [{ name: 'byCreation', ...list, sort: 'id' }, waiting];
  const byStatus = {
    name: 'byStatus',
    attribute: 'statusKey',
    sort: 'id',
    partitions: statuses.flatMap(statusPartitions),
  };
  return statuses.includes('received') ? [byStatus, waiting] : [byStatus];
};

/** A delivery that may have no message in the queue, and its position in the index byDeadline. */
export type DueDelivery = { readonly key: string; readonly dueKey: string };

/**
 * Iterates over the deliveries that have waited too long for a worker, the oldest of each partition first. Eventually
 * consistent: a returned delivery may be processed already.
 *
 * @param now epoch milliseconds
 * @returns one iterator for each partition, in pages of at most `limit`
 */
export const readDueDeliveries = (
  session: Session,
  now: number,
  limit: number,
): readonly AsyncIterable<readonly DueDelivery[]>[] =>
  listPartitions().map(async function* readPartition(partition) {
    const pages = queryPages<{ readonly pk: string; readonly dueKey: string }>(session, {
      IndexName: 'byDeadline',
      KeyConditionExpression: 'listKey = :partition AND dueKey < :before',
      ExpressionAttributeValues: { ':partition': partition, ':before': overdueBefore(now) },
      Limit: limit,
    });
    for await (const items of pages) yield items.map(({ pk, dueKey }) => ({ key: pk, dueKey }));
  });

/** Moves a delivery from byDeadline to the other indexes, unless it became due again meanwhile. */
export const clearDueDelivery = async (session: Session, { key, dueKey }: DueDelivery): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: { pk: key, sk: 'DELIVERY' },
    UpdateExpression: 'SET id = if_not_exists(id, :dueKey), statusKey = :statusKey REMOVE dueKey',
    ConditionExpression: 'dueKey = :dueKey',
    ExpressionAttributeValues: { ':dueKey': dueKey, ':statusKey': statusKeyOf(key, 'received') },
  });
};
