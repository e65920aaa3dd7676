import { sha256, partitionIndexOf } from '../../runtime/hash.ts';
import type { InboxRow, InboxStatus } from './inbox-row.ts';
import type { IndexPartitions } from '../engine/index-page.ts';

/*
 * How deliveries are found: by the table's indexes over returns, in partitions of their own. Partitions that one or a
 * few would share are eight, by a hash of the key, because each takes 1,000 writes a second.
 */

const partitionCount = 8;

const listPartition = (shard: number): string => `DELIVERIES#${shard}`;
const statusPartition = (status: InboxStatus, shard: number): string => `DELIVERIES#${status}#${shard}`;

const partitionNames = (partition: (shard: number) => string): readonly string[] =>
  Array.from({ length: partitionCount }, (_, shard) => partition(shard));

/** All deliveries, in the indexes byCreation and, of those that nobody may have been told of, byDeadline. */
export const listPartitions = (): readonly string[] => partitionNames(listPartition);

/** Where the index byStatus has the delivery of a key. */
export const statusKeyOf = (key: string, status: InboxStatus): string =>
  statusPartition(status, partitionIndexOf(key, partitionCount));

/** The place of a delivery in every walk: the time of its receipt, then a part of its key's digest. */
export const positionOf = (key: string, receivedAt: string): string =>
  `${receivedAt}#${sha256(key, 'hex').slice(0, 16)}`;

/** A delivery that is not known to have reached the queue is announced again after this long. */
const graceMs = 120_000;

/**
 * The sort key of the index byDeadline: when a delivery is to be announced again, unless an attempt at it, or the sweeper's
 * own announcement, has taken the attribute away.
 *
 * @param at when it is being announced, as an instant
 */
export const dueKeyOf = (key: string, at: string): string =>
  positionOf(key, new Date(Date.parse(at) + graceMs).toISOString());

/** The attributes by which the indexes find a new delivery. */
export const indexAttributes = (
  key: string,
  { receivedAt, status }: Pick<InboxRow, 'receivedAt' | 'status'>,
): Record<string, string> => ({
  id: positionOf(key, receivedAt),
  listKey: listPartition(partitionIndexOf(key, partitionCount)),
  statusKey: statusKeyOf(key, status),
  dueKey: dueKeyOf(key, receivedAt),
});

/** The order that a delivery was about. */
type OrderReference = { readonly platform: string; readonly orderId: string };

/** Rows that name the deliveries which told of a return, or of an order. */
export const returnLinksPartition = (returnId: string): string => `INBOXOF#RETURN#${returnId}`;
export const orderLinksPartition = ({ platform, orderId }: OrderReference): string =>
  `INBOXOF#ORDER#${platform}#${encodeURIComponent(orderId)}`;

/** What leads to deliveries, the narrowest first: a return, an order, statuses, or nothing but that there are some. */
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
