import { createHash } from 'node:crypto';
import type { OrderRef } from '../returns/order.ts';
import type { Summary } from '../returns/summary.ts';
import type { Status } from '../returns/states.ts';
import { customerPartition, orderPartition, returnsPartition, statusPartition } from './keys.ts';

/**
 * Partitions that share the writes of an index that would have one or a few: each takes 1,000 writes a second. A page
 * asks all of them.
 */
const shards = 8;

/** Every return in a stable shard by its id. */
const shardOf = (returnId: string): number => (createHash('sha256').update(returnId).digest()[0] ?? 0) % shards;

/** A secondary index of returns: its name in serverless.yml, and the attribute that is its partition key. */
type Index = { readonly name: string; readonly attribute: string };

/** All of one walk over an index: its partitions, each sorted by id, which begins with the time of creation. */
export type Lookup = Index & { readonly partitions: readonly string[] };

const byOrder: Index = { name: 'byOrder', attribute: 'orderKey' };
const byCustomer: Index = { name: 'byCustomer', attribute: 'customerKey' };
const byStatus: Index = { name: 'byStatus', attribute: 'statusKey' };
const byCreation: Index = { name: 'byCreation', attribute: 'listKey' };

const sharded = (partition: (shard: number) => string): string[] =>
  Array.from({ length: shards }, (_, shard) => partition(shard));

export const orderLookup = (order: OrderRef): Lookup => ({ ...byOrder, partitions: [orderPartition(order)] });
export const customerLookup = (id: string): Lookup => ({ ...byCustomer, partitions: [customerPartition(id)] });
export const statusLookup = (status: Status): Lookup => ({
  ...byStatus,
  partitions: sharded((shard) => statusPartition(status, shard)),
});
export const everyLookup = (): Lookup => ({ ...byCreation, partitions: sharded(returnsPartition) });

/** The attributes by which the indexes find a return. */
export const indexAttributes = ({ id, status, order, customerId }: Summary): Record<string, string> => {
  const shard = shardOf(id);
  return {
    id,
    [byOrder.attribute]: orderPartition(order),
    ...(customerId === undefined ? {} : { [byCustomer.attribute]: customerPartition(customerId) }),
    [byStatus.attribute]: statusPartition(status, shard),
    [byCreation.attribute]: returnsPartition(shard),
  };
};
