import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Summary } from '../../domain/returns/summary.ts';
import type { Status } from '../../domain/returns/model/status.ts';
import { endedStatuses } from '../../domain/returns/rules/states.ts';
import { isUnsettled } from '../../domain/returns/saved-views.ts';
import { listsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import {
  assigneePartition,
  customerPartition,
  openReturnsPartition,
  orderPartition,
  returnsPartition,
  trackingPartition,
  unsettledReturnsPartition,
} from './keys.ts';
import type { IndexPartitions } from './index-page.ts';

const config = configured(listsConfig);

/**
 * A query over returns, and whether its index holds summaries. A position is the id, which begins with the creation
 * time, or another time and the last letters of the id.
 */
export type IndexQuery = IndexPartitions & {
  /** An index whose keys seldom change holds only keys. Then most commands write nothing to it. */
  readonly holds: 'keys' | 'summaries';
};

const byOrder = { name: 'byOrder', attribute: 'orderKey', sort: 'id', holds: 'keys' } as const;
const byCustomer = { name: 'byCustomer', attribute: 'customerKey', sort: 'id', holds: 'keys' } as const;
const byAssignee = { name: 'byAssignee', attribute: 'assigneeKey', sort: 'id', holds: 'keys' } as const;
const byCreation = { name: 'byCreation', attribute: 'listKey', sort: 'id', holds: 'summaries' } as const;
/** Holds open returns, and apart from them the ended returns that still have work. */
const byStatus = { name: 'byStatus', attribute: 'statusKey', sort: 'id', holds: 'summaries' } as const;
const byUpdate = { name: 'byUpdate', attribute: 'listKey', sort: 'updatedKey', holds: 'summaries' } as const;
/** Holds only returns with an open deadline. */
const byDeadline = { name: 'byDeadline', attribute: 'listKey', sort: 'dueKey', holds: 'summaries' } as const;
/** Rows apart from the returns: several returns may share a tracking number, and a return may have several. */
const byTracking = { attribute: 'pk', sort: 'sk', holds: 'keys' } as const;

/** The attribute by which the engine leaves out rows of other statuses. */
const statusAttribute = 'returnStatus';

/**
 * The partitions of an index that would otherwise have one or a few. Each takes 1,000 write units a second, and a page
 * reads all of them. A deployment may raise their number at any time: a return moves with its next change.
 */
const partitionNames = (partition: (index: number) => string): string[] =>
  Array.from({ length: config().partitions }, (_, index) => partition(index));

/** Orders may share a number, so a query takes several. */
export const orderIndexQuery = (...orders: readonly OrderRef[]): IndexQuery => ({
  ...byOrder,
  partitions: orders.map(orderPartition),
});
export const customerIndexQuery = (...ids: readonly string[]): IndexQuery => ({
  ...byCustomer,
  partitions: ids.map(customerPartition),
});
/** The returns of an assignee. `hasWork` selects those with work, or the others. */
export const assigneeIndexQuery = (userId: string, hasWork?: boolean): IndexQuery => ({
  ...byAssignee,
  partitions: (hasWork === undefined ? [true, false] : [hasWork]).map((work) => assigneePartition(userId, work)),
});
export const trackingIndexQuery = (number: string): IndexQuery => ({
  ...byTracking,
  partitions: [trackingPartition(number)],
});
export const openIndexQuery = (): IndexQuery => ({ ...byStatus, partitions: partitionNames(openReturnsPartition) });
/** The returns with work: the open ones, and ended ones with unsettled units, items or money. */
export const workIndexQuery = (): IndexQuery => ({
  ...byStatus,
  partitions: [...partitionNames(openReturnsPartition), ...partitionNames(unsettledReturnsPartition)],
});
export const creationIndexQuery = (): IndexQuery => ({ ...byCreation, partitions: partitionNames(returnsPartition) });
export const updateIndexQuery = (): IndexQuery => ({ ...byUpdate, partitions: partitionNames(returnsPartition) });
/** The earliest deadline is first. */
export const deadlineIndexQuery = (): IndexQuery => ({
  ...byDeadline,
  partitions: partitionNames(returnsPartition),
  ascending: true,
});

/** Restricts a query of an index with summaries to returns in these statuses. */
export const withStatuses = (query: IndexQuery, statuses: readonly Status[]): IndexQuery => ({
  ...query,
  only: { attribute: statusAttribute, values: statuses },
});

/** The random letters of an id. They make a position unique, and cost less than the whole id. */
const randomLetters = 16;

/** Returns a position by a time. All instants of this service have the same length, so positions sort as text. */
export const positionAt = (instant: string, id: string): string => `${instant}#${id.slice(-randomLetters)}`;

/** Returns the partition of byStatus that a return is in; undefined for a return without work. */
const workPartition = (summary: Summary, index: number): string | undefined => {
  if (!endedStatuses.has(summary.status)) return openReturnsPartition(index);
  return isUnsettled(summary) ? unsettledReturnsPartition(index) : undefined;
};

/** Returns the attributes by which the indexes find a return. */
export const indexAttributes = (summary: Summary): Record<string, string> => {
  const { id, status, order, customerId, assignee, updatedAt, dueAt } = summary;
  const index = partitionIndexOf(id, config().partitions);
  const work = workPartition(summary, index);
  return {
    id,
    [statusAttribute]: status,
    [byOrder.attribute]: orderPartition(order),
    ...(customerId === undefined ? {} : { [byCustomer.attribute]: customerPartition(customerId) }),
    ...(assignee === undefined ? {} : { [byAssignee.attribute]: assigneePartition(assignee.id, work !== undefined) }),
    ...(work === undefined ? {} : { [byStatus.attribute]: work }),
    [byCreation.attribute]: returnsPartition(index),
    [byUpdate.sort]: positionAt(updatedAt, id),
    ...(dueAt === undefined ? {} : { [byDeadline.sort]: positionAt(dueAt, id) }),
  };
};
