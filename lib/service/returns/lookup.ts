import { encodeTime } from 'ulid';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input } from '../../contract/contract.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { Filter } from '../../returns/summary.ts';
import {
  creationLookup,
  customerLookup,
  deadlineLookup,
  orderLookup,
  statusLookup,
  trackingLookup,
  updateLookup,
  type Lookup,
} from '../../store/engine/indexes.ts';

/** What a list is sorted by, the latest first. */
export type Sort = Exclude<Input<'listReturns'>['sort'], undefined>;

/** An index that leads a walk, the filters that it settles by itself, and the positions that these let in. */
type Lead = {
  readonly lookup: Lookup;
  readonly settled: readonly (keyof Filter)[];
  readonly from?: string;
  readonly before?: string;
};

/** An id is made moments before its return, by the same clock, which may be set back in between. */
const marginMs = 60_000;

/** The least id of a return created since a time: ids are ULIDs, which begin with the time. */
const minId = (createdFrom: string): string =>
  `ret_${encodeTime(Math.max(0, Date.parse(createdFrom) - marginMs), 10)}`;

const byCreation = ({ platform, orderId, customerId, trackingNumber, status }: Filter): Lead => {
  if (trackingNumber !== undefined) return { lookup: trackingLookup(trackingNumber), settled: ['trackingNumber'] };
  if (platform !== undefined && orderId !== undefined)
    return { lookup: orderLookup({ platform, orderId }), settled: ['platform', 'orderId'] };
  if (customerId !== undefined) return { lookup: customerLookup(customerId), settled: ['customerId'] };
  if (status !== undefined) return { lookup: statusLookup(status), settled: ['status'] };
  return { lookup: creationLookup(), settled: [] };
};

/** Filters whose index is sorted by creation alone. */
const sortedByCreation = ['trackingNumber', 'orderId', 'customerId'] as const;
const onlyByCreation = (filter: Filter) => sortedByCreation.find((name) => filter[name] !== undefined);

/** Whether it lets in returns with an open deadline alone. */
const hasDeadline = ({ overdue, dueBefore }: Filter): boolean => overdue === true || dueBefore !== undefined;

/** The sort of a list that asks for none: returns with a deadline by that, where their index can lead. */
export const defaultSort = (filter: Filter): Sort =>
  hasDeadline(filter) && onlyByCreation(filter) === undefined ? 'dueAt' : 'createdAt';

const notSorted = (message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'These filters do not go with this sort.',
    errors: [{ path: '/sort', code: 'enum', message }],
  });

/**
 * The index that the narrowest filter leads to. A refusal where that index is not sorted as it is asked for.
 *
 * @param now by which a deadline has passed or not
 */
export const leadOf = (filter: Filter, sort: Sort, now: Instant): Result<Lead> => {
  if (sort === 'createdAt') {
    const { createdFrom } = filter;
    return ok({ ...byCreation(filter), ...(createdFrom === undefined ? {} : { from: minId(createdFrom) }) });
  }
  const other = onlyByCreation(filter);
  if (other !== undefined) return notSorted(`must be createdAt with ${other}`);
  if (sort === 'dueAt') {
    if (!hasDeadline(filter)) return notSorted('must not be dueAt without overdue=true or dueBefore');
    const { overdue, dueBefore = now } = filter;
    const before = overdue === true && now < dueBefore ? now : dueBefore;
    return ok({
      lookup: deadlineLookup(),
      settled: overdue === false ? ['dueBefore'] : ['overdue', 'dueBefore'],
      before,
    });
  }
  const { updatedFrom } = filter;
  const from = updatedFrom === undefined ? {} : { from: updatedFrom };
  return ok({ lookup: updateLookup(), settled: ['updatedFrom'], ...from });
};
