import type { OrderRef } from '../../returns/model/order.ts';
import type { Summary } from '../../returns/summary.ts';
import type { Status } from '../../returns/model/status.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { customerPartition, orderPartition, returnsPartition, statusPartition, trackingPartition } from './keys.ts';
import type { IndexPartitions } from './index-page.ts';

/**
 * Partitions that share the writes of an index that would have one or a few: each takes 1,000 writes a second. A page
 * asks all of them.
 */
const partitionCount = 8;

/**
 * All of one walk over returns, and whether summaries stand there. A position is the id, which begins with the time of
 * creation, or another time and the id.
 */
export type IndexQuery = IndexPartitions & {
  /** Indexes whose keys seldom or never change hold nothing else: then most commands write nothing there. */
  readonly holds: 'keys' | 'summaries';
};

const byOrder = { name: 'byOrder', attribute: 'orderKey', sort: 'id', holds: 'keys' } as const;
const byCustomer = { name: 'byCustomer', attribute: 'customerKey', sort: 'id', holds: 'keys' } as const;
const byCreation = { name: 'byCreation', attribute: 'listKey', sort: 'id', holds: 'keys' } as const;
const byStatus = { name: 'byStatus', attribute: 'statusKey', sort: 'id', holds: 'summaries' } as const;
const byUpdate = { name: 'byUpdate', attribute: 'listKey', sort: 'updatedKey', holds: 'summaries' } as const;
/** Holds only returns with an open deadline. */
const byDeadline = { name: 'byDeadline', attribute: 'listKey', sort: 'dueKey', holds: 'keys' } as const;
/** Rows beside the returns: several may have one number, and one several. */
const byTracking = { attribute: 'pk', sort: 'sk', holds: 'keys' } as const;

const partitionNames = (partition: (shard: number) => string): string[] =>
  Array.from({ length: partitionCount }, (_, shard) => partition(shard));

export const orderIndexQuery = (order: OrderRef): IndexQuery => ({ ...byOrder, partitions: [orderPartition(order)] });
export const customerIndexQuery = (id: string): IndexQuery => ({ ...byCustomer, partitions: [customerPartition(id)] });
export const trackingIndexQuery = (number: string): IndexQuery => ({
  ...byTracking,
  partitions: [trackingPartition(number)],
});
export const statusIndexQuery = (status: Status): IndexQuery => ({
  ...byStatus,
  partitions: partitionNames((shard) => statusPartition(status, shard)),
});
export const creationIndexQuery = (): IndexQuery => ({ ...byCreation, partitions: partitionNames(returnsPartition) });
export const updateIndexQuery = (): IndexQuery => ({ ...byUpdate, partitions: partitionNames(returnsPartition) });
export const deadlineIndexQuery = (): IndexQuery => ({ ...byDeadline, partitions: partitionNames(returnsPartition) });

/** The attributes by which the indexes find a return. */
export const indexAttributes = (summary: Summary): Record<string, string> => {
  const { id, status, order, customerId, updatedAt, dueAt } = summary;
  const shard = partitionIndexOf(id, partitionCount);
  return {
    id,
    [byOrder.attribute]: orderPartition(order),
    ...(customerId === undefined ? {} : { [byCustomer.attribute]: customerPartition(customerId) }),
    [byStatus.attribute]: statusPartition(status, shard),
    [byCreation.attribute]: returnsPartition(shard),
    // Instants of ours all have the same length: as text they sort as times.
    [byUpdate.sort]: `${updatedAt}#${id}`,
    ...(dueAt === undefined ? {} : { [byDeadline.sort]: `${dueAt}#${id}` }),
  };
};
