import { encodeTime } from 'ulid';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input } from '../../contract/contract.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { Filter } from '../../returns/summary.ts';
import {
  creationIndexQuery,
  customerIndexQuery,
  deadlineIndexQuery,
  orderIndexQuery,
  statusIndexQuery,
  trackingIndexQuery,
  updateIndexQuery,
  type IndexQuery,
} from '../../store/engine/indexes.ts';

/** The field that a list is sorted by, the latest first. */
export type Sort = Exclude<Input<'listReturns'>['sort'], undefined>;

/** An index to read, the filters that it decides alone, and the positions within them. */
type IndexChoice = {
  readonly lookup: IndexQuery;
  readonly settled: readonly (keyof Filter)[];
  readonly from?: string;
  readonly before?: string;
};

/** An id is created shortly before its return. The clock may be set back in between. */
const marginMs = 60_000;

/** Returns the lowest id of a return created since a time. Ids are ULIDs, which begin with the time. */
const minId = (createdFrom: string): string => `ret_${encodeTime(Math.max(0, Date.parse(createdFrom) - marginMs), 10)}`;

const chooseCreationIndex = ({ platform, orderId, customerId, trackingNumber, status }: Filter): IndexChoice => {
  if (trackingNumber !== undefined) return { lookup: trackingIndexQuery(trackingNumber), settled: ['trackingNumber'] };
  if (platform !== undefined && orderId !== undefined)
    return { lookup: orderIndexQuery({ platform, orderId }), settled: ['platform', 'orderId'] };
  if (customerId !== undefined) return { lookup: customerIndexQuery(customerId), settled: ['customerId'] };
  if (status !== undefined) return { lookup: statusIndexQuery(status), settled: ['status'] };
  return { lookup: creationIndexQuery(), settled: [] };
};

/** Filters whose index is sorted by creation alone. */
const sortedByCreation = ['trackingNumber', 'orderId', 'customerId'] as const;
const filterSortedByCreation = (filter: Filter) => sortedByCreation.find((name) => filter[name] !== undefined);

/** Returns whether the filter selects only returns with an open deadline. */
const hasDeadline = ({ overdue, dueBefore }: Filter): boolean => overdue === true || dueBefore !== undefined;

/** Returns the default sort: by deadline when the filter needs one and its index supports it. */
export const defaultSort = (filter: Filter): Sort =>
  hasDeadline(filter) && filterSortedByCreation(filter) === undefined ? 'dueAt' : 'createdAt';

const sortNotAllowed = (message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'These filters do not support this sort.',
    errors: [{ path: '/sort', code: 'enum', message }],
  });

/**
 * Chooses the index of the narrowest filter. Fails when that index does not have the requested sort.
 *
 * @param now the time that deadlines are compared with
 */
export const chooseIndex = (filter: Filter, sort: Sort, now: Instant): Result<IndexChoice> => {
  if (sort === 'createdAt') {
    const { createdFrom } = filter;
    return ok({ ...chooseCreationIndex(filter), ...(createdFrom === undefined ? {} : { from: minId(createdFrom) }) });
  }
  const other = filterSortedByCreation(filter);
  if (other !== undefined) return sortNotAllowed(`must be createdAt with ${other}`);
  if (sort === 'dueAt') {
    if (!hasDeadline(filter)) return sortNotAllowed('must not be dueAt without overdue=true or dueBefore');
    const { overdue, dueBefore = now } = filter;
    const before = overdue === true && now < dueBefore ? now : dueBefore;
    return ok({
      lookup: deadlineIndexQuery(),
      settled: overdue === false ? ['dueBefore'] : ['overdue', 'dueBefore'],
      before,
    });
  }
  const { updatedFrom } = filter;
  const from = updatedFrom === undefined ? {} : { from: updatedFrom };
  return ok({ lookup: updateIndexQuery(), settled: ['updatedFrom'], ...from });
};
