import type { OrderRef } from '../../returns/model/order.ts';
import type { Summary } from '../../returns/summary.ts';
import type { Status } from '../../returns/model/status.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { customerPartition, orderPartition, returnsPartition, statusPartition, trackingPartition } from './keys.ts';
import type { IndexPartitions } from './index-page.ts';

/**
 * The partitions of an index that would otherwise have one or a few. Each takes 1,000 writes a second. A page reads all
 * of them.
 */
const partitionCount = 8;

/**
 * A query over returns, and whether its index holds summaries. A position is the id, which begins with the creation
 * time, or another time and the id.
 */
export type IndexQuery = IndexPartitions & {
  /** An index whose keys seldom change holds only keys. Then most commands write nothing to it. */
  readonly holds: 'keys' | 'summaries';
};

const byOrder = { name: 'byOrder', attribute: 'orderKey', sort: 'id', holds: 'keys' } as const;
const byCustomer = { name: 'byCustomer', attribute: 'customerKey', sort: 'id', holds: 'keys' } as const;
const byCreation = { name: 'byCreation', attribute: 'listKey', sort: 'id', holds: 'keys' } as const;
const byStatus = { name: 'byStatus', attribute: 'statusKey', sort: 'id', holds: 'summaries' } as const;
const byUpdate = { name: 'byUpdate', attribute: 'listKey', sort: 'updatedKey', holds: 'summaries' } as const;
/** Holds only returns with an open deadline. */
const byDeadline = { name: 'byDeadline', attribute: 'listKey', sort: 'dueKey', holds: 'keys' } as const;
/** Rows apart from the returns: several returns may share a tracking number, and a return may have several. */
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

/** Returns the attributes by which the indexes find a return. */
export const indexAttributes = (summary: Summary): Record<string, string> => {
  const { id, status, order, customerId, updatedAt, dueAt } = summary;
  const shard = partitionIndexOf(id, partitionCount);
  return {
    id,
    [byOrder.attribute]: orderPartition(order),
    ...(customerId === undefined ? {} : { [byCustomer.attribute]: customerPartition(customerId) }),
    [byStatus.attribute]: statusPartition(status, shard),
    [byCreation.attribute]: returnsPartition(shard),
    // All instants of this service have the same length, so they sort as text.
    [byUpdate.sort]: `${updatedAt}#${id}`,
    ...(dueAt === undefined ? {} : { [byDeadline.sort]: `${dueAt}#${id}` }),
  };
};
