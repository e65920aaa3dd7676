import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Input } from '../../../contract/contract.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import { type Status, statuses } from '../../../domain/returns/model/status.ts';
import { endedStatuses } from '../../../domain/returns/rules/states.ts';
import { viewStatuses } from '../../../domain/returns/saved-views.ts';
import type { Filter } from '../../../domain/returns/summary.ts';
import {
  assigneeIndexQuery,
  creationIndexQuery,
  customerIndexQuery,
  deadlineIndexQuery,
  type IndexQuery,
  openIndexQuery,
  orderIndexQuery,
  trackingIndexQuery,
  updateIndexQuery,
  withStatuses,
  workIndexQuery,
} from '../../../store/engine/indexes.ts';
import { returnIdSince } from '../../../store/returns/whole-returns.ts';

/** The field that a list is sorted by: the latest first, or the earliest deadline first. */
export type Sort = Exclude<Input<'listReturns'>['sort'], undefined>;

/** An index to read, the filters that it decides alone, and the positions within them. */
export type IndexChoice = {
  readonly lookup: IndexQuery;
  readonly covered: readonly (keyof Filter)[];
  readonly from?: string;
  readonly before?: string;
};

/** Chooses the index of the narrowest filter, sorted by creation. */
const chooseCreationIndex = ({
  platform,
  orderId,
  orders,
  customerId,
  trackingNumber,
  assignee,
  status,
  view,
}: Filter): IndexChoice => {
  if (trackingNumber !== undefined) return { lookup: trackingIndexQuery(trackingNumber), covered: ['trackingNumber'] };
  if (platform !== undefined && orderId !== undefined)
    return { lookup: orderIndexQuery({ platform, orderId }), covered: ['platform', 'orderId'] };
  if (orders !== undefined) return { lookup: orderIndexQuery(...orders), covered: ['orders'] };
  if (customerId !== undefined) return { lookup: customerIndexQuery(customerId), covered: ['customerId'] };
  if (assignee !== undefined) {
    const isOpen = status?.every((wanted) => !endedStatuses.has(wanted)) === true || view !== undefined;
    return { lookup: assigneeIndexQuery(assignee, isOpen ? true : undefined), covered: ['assignee'] };
  }
  if (view !== undefined) return { lookup: workIndexQuery(), covered: [] };
  if (status?.every((wanted) => !endedStatuses.has(wanted)) === true) return { lookup: openIndexQuery(), covered: [] };
  return { lookup: creationIndexQuery(), covered: [] };
};

/** Chooses the index of returns with work, for those without a deadline. */
export const chooseWorkIndex = ({ view, status = view && viewStatuses[view] }: Filter): IndexChoice =>
  coverStatus({ lookup: workIndexQuery(), covered: [] }, status);

/** The number of open statuses: a filter with all of them selects the whole index of open returns. */
const openStatusCount = statuses.length - endedStatuses.size;

/** Lets the engine leave out returns in other statuses, where the index has the status. */
const coverStatus = (choice: IndexChoice, status: readonly Status[] | undefined): IndexChoice => {
  const { lookup, covered } = choice;
  if (status === undefined || lookup.holds === 'keys') return choice;
  const isWholeIndex = lookup.name === openIndexQuery().name && status.length === openStatusCount;
  return {
    ...choice,
    lookup: isWholeIndex ? lookup : withStatuses(lookup, status),
    covered: [...covered, 'status'],
  };
};

/** Filters whose index is sorted by creation alone. */
const sortedByCreation = ['trackingNumber', 'orderId', 'orders', 'customerId'] as const;
const filterSortedByCreation = (filter: Filter) => sortedByCreation.find((name) => filter[name] !== undefined);

/** Returns whether the filter selects only returns with an open deadline. */
export const hasDeadline = (filter: Filter): boolean => isOverdue(filter) || filter.dueBefore !== undefined;

/** Returns whether the filter selects only returns with a passed deadline. A view has those of the shop. */
const isOverdue = ({ overdue, view }: Filter): boolean => overdue === true || view === 'overdue';

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
  const { status = filter.view === undefined ? undefined : viewStatuses[filter.view] } = filter;
  if (sort === 'createdAt') {
    const { createdFrom } = filter;
    const choice = coverStatus(chooseCreationIndex(filter), status);
    return ok({ ...choice, ...(createdFrom === undefined ? {} : { from: returnIdSince(Date.parse(createdFrom)) }) });
  }
  const other = filterSortedByCreation(filter);
  if (other !== undefined)
    return sortNotAllowed(`must be createdAt with ${other === 'orders' ? 'orderNumber' : other}`);
  if (sort === 'dueAt') {
    const { overdue, dueBefore } = filter;
    const before = isOverdue(filter) && (dueBefore === undefined || now < dueBefore) ? now : dueBefore;
    const bounds = { ...(before !== undefined && { before }), ...(overdue === false && { from: now }) };
    return ok(coverStatus({ lookup: deadlineIndexQuery(), covered: ['overdue', 'dueBefore'], ...bounds }, status));
  }
  const { updatedFrom } = filter;
  const from = updatedFrom === undefined ? {} : { from: updatedFrom };
  return ok(coverStatus({ lookup: updateIndexQuery(), covered: ['updatedFrom'], ...from }, status));
};
