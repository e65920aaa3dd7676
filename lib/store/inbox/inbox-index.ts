import { sha256, shardOf } from '../../runtime/hash.ts';
import type { InboxRow, InboxStatus } from './inbox-row.ts';
import type { Walked } from '../engine/walk.ts';

/*
 * How deliveries are found: by the table's indexes over returns, in partitions of their own. Partitions that one or a
 * few would share are eight, by a hash of the key, because each takes 1,000 writes a second.
 */

const shards = 8;

const listPartition = (shard: number): string => `DELIVERIES#${shard}`;
const statusPartition = (status: InboxStatus, shard: number): string => `DELIVERIES#${status}#${shard}`;

const sharded = (partition: (shard: number) => string): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => partition(shard));

/** All deliveries, in the indexes byCreation and, of those that nobody may have been told of, byDeadline. */
export const listPartitions = (): readonly string[] => sharded(listPartition);

/** Where the index byStatus has the delivery of a key. */
export const statusKeyOf = (key: string, status: InboxStatus): string => statusPartition(status, shardOf(key, shards));

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
  listKey: listPartition(shardOf(key, shards)),
  statusKey: statusKeyOf(key, status),
  dueKey: dueKeyOf(key, receivedAt),
});

/** The order that a delivery was about. */
type Order = { readonly platform: string; readonly orderId: string };

/** Rows that name the deliveries which told of a return, or of an order. */
export const returnLinks = (returnId: string): string => `INBOXOF#RETURN#${returnId}`;
export const orderLinks = ({ platform, orderId }: Order): string =>
  `INBOXOF#ORDER#${platform}#${encodeURIComponent(orderId)}`;

/** What leads to deliveries, the narrowest first: a return, an order, statuses, or nothing but that there are some. */
export const leadTo = (of: {
  readonly returnId?: string;
  readonly order?: Order;
  readonly statuses?: readonly InboxStatus[];
}): Walked => {
  const rows = { attribute: 'pk', sort: 'sk' };
  if (of.returnId !== undefined) return { ...rows, partitions: [returnLinks(of.returnId)] };
  if (of.order !== undefined) return { ...rows, partitions: [orderLinks(of.order)] };
  const { statuses } = of;
  if (statuses === undefined)
    return { name: 'byCreation', attribute: 'listKey', sort: 'id', partitions: listPartitions() };
  const partitions = statuses.flatMap((status) => sharded((shard) => statusPartition(status, shard)));
  return { name: 'byStatus', attribute: 'statusKey', sort: 'id', partitions };
};
