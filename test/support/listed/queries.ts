import fc from 'fast-check';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import { uninspected } from '../../../lib/domain/returns/goods/quantities.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { statuses } from '../../../lib/domain/returns/model/status.ts';
import { deadlinesOf, openRefundDueBy } from '../../../lib/domain/returns/rules/deadlines.ts';
import { isUnsettled } from '../../../lib/domain/returns/saved-views.ts';
import { summarizeReturn, type Summary } from '../../../lib/domain/returns/summary.ts';
import { customerIds, type Listed, orders, reasons, skus, trackingNumbers } from './returns.ts';

export type Query = Omit<Input<'listReturns'>, 'limit' | 'cursor' | 'include'>;
export type Item = Output<'listReturns'>['items'][number];

const ended: ReadonlySet<string> = new Set(['completed', 'rejected', 'cancelled', 'expired']);
const numbers = ['1001', '#1001', '1002', '#1002', 'W-7', '#W-7', '##5 ü', '#5 ü', 'w-4', 'w-3', 'none'];
const parties = ['customer', 'staff', 'warehouse', 'finance', 'platform'] as const;
const flags = ['discrepancy', 'unexpected', 'recovery', 'refund_unknown'] as const;

type View = NonNullable<Query['view']>;

/** Returns whether the shop has missed a deadline: to inspect received units, or to pay. */
const isLate = (state: Return, now: string): boolean => {
  const { inspectBy = now } = deadlinesOf(state);
  const waits = state.lines.some(({ quantities }) => uninspected(quantities) > 0);
  return (waits && inspectBy < now) || (openRefundDueBy(state) ?? now) < now;
};

/** The views, from the returns themselves. The service decides on their summaries. */
const inView: Readonly<Record<View, (state: Return, now: string) => boolean>> = {
  to_decide: ({ status, managedBy }) => status === 'requested' && managedBy !== 'platform',
  waiting_for_customer: (state) =>
    state.status === 'info_requested' || summarizeReturn(state).nextStep?.by === 'customer',
  to_receive: ({ status }) => ['in_transit', 'partially_received'].includes(status),
  to_inspect: (state) => !ended.has(state.status) && state.lines.some(({ quantities }) => uninspected(quantities) > 0),
  refund_due: (state) => {
    const { amounts, nextStep } = summarizeReturn(state);
    return amounts.due.amount > 0 && (!ended.has(state.status) || nextStep?.by === 'finance');
  },
  overdue: (state, now) => !ended.has(state.status) && isLate(state, now),
  refund_unknown: ({ refunds }) =>
    refunds.some(({ external, status }) => external === undefined && status === 'unknown'),
  discrepancies: ({ status, discrepancies }) => !ended.has(status) && discrepancies.length > 0,
  unexpected_items: (state) => summarizeReturn(state).flags.includes('unexpected'),
};

export const views = Object.keys(inView) as readonly View[];

/** Returns the returns of a view. */
export const returnsInView = (view: View, returns: readonly Listed[], now: string): readonly Return[] =>
  returns.map(({ state }) => state).filter((state) => inView[view](state, now));

/** Returns a filter that is absent in most queries, so that many queries have results. */
const rarely = <Value>(weight: number, value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value });

const instants = (values: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom(-1, 0, 0, 1))
    .map(([value, shift]) => new Date(Date.parse(value) + shift).toISOString());

/** Any combination of filters and sorts, most of them with values that some of the returns have. */
export const queriesFor = (returns: readonly Listed[]): fc.Arbitrary<Query> => {
  const states = returns.map(({ state }) => state);
  const due = returns.flatMap(({ state }) => summarizeReturn(state).dueAt ?? []);
  const refs = states.flatMap(({ externalRefs }) => externalRefs.map(({ platform, id }) => `${platform}:${id}`));
  const status = fc
    .subarray([...statuses], { minLength: 1, maxLength: 5 })
    .chain((some) => fc.shuffledSubarray([...some, ...some.slice(0, 1)], { minLength: 1 }))
    .map((some) => some.join(','));
  return fc
    .record({
      status: rarely(4, status),
      open: rarely(3, fc.boolean()),
      nextBy: rarely(2, fc.constantFrom(...parties)),
      flag: rarely(2, fc.constantFrom(...flags)),
      view: rarely(3, fc.constantFrom(...views)),
      order: rarely(3, fc.constantFrom(...orders)),
      named: fc.constantFrom('platform', 'platform', 'orderId'),
      orderNumber: rarely(2, fc.constantFrom(...numbers)),
      customerId: rarely(1, fc.constantFrom(...customerIds)),
      rmaNumber: rarely(1, fc.constantFrom(...states.map(({ rmaNumber }) => rmaNumber))),
      trackingNumber: rarely(1, fc.constantFrom(...trackingNumbers)),
      externalRef: rarely(1, fc.constantFrom(...refs)),
      sku: rarely(1, fc.constantFrom(...skus)),
      reason: rarely(1, fc.constantFrom(...reasons)),
      createdFrom: rarely(2, instants(states.map(({ createdAt }) => createdAt))),
      updatedFrom: rarely(2, instants(states.map(({ updatedAt }) => updatedAt))),
      overdue: rarely(3, fc.boolean()),
      dueBefore: rarely(2, instants(due)),
      sort: rarely(7, fc.constantFrom('createdAt', 'updatedAt', 'dueAt')),
    })
    .map(({ order, named, ...query }) => ({
      ...query,
      ...(order === undefined ? {} : { platform: order.platform }),
      ...(order === undefined || named === 'platform' ? {} : { orderId: order.orderId }),
    }))
    .map((query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Query);
};

/** Filters whose lists are sorted by creation alone. */
const isSortedByCreation = ({ trackingNumber, orderId, orderNumber, customerId }: Query): boolean =>
  [trackingNumber, orderId, orderNumber, customerId].some((value) => value !== undefined);

const hasDeadline = ({ overdue, view, dueBefore }: Query): boolean =>
  overdue === true || view === 'overdue' || dueBefore !== undefined;

/** Whether a query selects at most one return, whatever its sort. */
const isUnique = ({ externalRef, rmaNumber, trackingNumber }: Query): boolean =>
  (externalRef !== undefined || rmaNumber !== undefined) && trackingNumber === undefined;

/** Whether the filters of a query do not support its sort. */
export const isRefused = (query: Query): boolean => {
  if (isUnique(query) || query.sort === undefined || query.sort === 'createdAt') return false;
  return isSortedByCreation(query);
};

const plain = (number: string): string => number.replace(/^#/, '');

/** Returns whether a return matches all filters of a query. */
const matches = (query: Query, { state, orderNumbers, trackingNumbers: tracked }: Listed, now: string): boolean => {
  const { status, order, lines, externalRefs } = state;
  const { dueAt, nextStep, flags: raised } = summarizeReturn(state);
  const { createdFrom = '', updatedFrom = '' } = query;
  return (
    (query.status === undefined || query.status.split(',').includes(status)) &&
    (query.open === undefined || query.open !== ended.has(status)) &&
    (query.nextBy === undefined || nextStep?.by === query.nextBy) &&
    (query.flag === undefined || raised.includes(query.flag)) &&
    (query.view === undefined || inView[query.view](state, now)) &&
    (query.platform === undefined || order.platform === query.platform) &&
    (query.orderId === undefined || order.orderId === query.orderId) &&
    (query.orderNumber === undefined || orderNumbers.map(plain).includes(plain(query.orderNumber))) &&
    (query.customerId === undefined || state.customer.id === query.customerId) &&
    (query.rmaNumber === undefined || state.rmaNumber === query.rmaNumber) &&
    (query.trackingNumber === undefined || tracked.includes(query.trackingNumber)) &&
    (query.externalRef === undefined ||
      externalRefs.some(({ platform, id }) => `${platform}:${id}` === query.externalRef)) &&
    (query.sku === undefined || lines.some(({ sku }) => sku === query.sku)) &&
    (query.reason === undefined || lines.some(({ reason }) => reason.code === query.reason)) &&
    state.createdAt >= createdFrom &&
    state.updatedAt >= updatedFrom &&
    (query.overdue === undefined || query.overdue === (dueAt !== undefined && dueAt < now)) &&
    (query.dueBefore === undefined || (dueAt !== undefined && dueAt < query.dueBefore))
  );
};

/** Sorts returns as a list does. By deadline, those without one are the last, and the newest of them is first. */
const sorted = (returns: readonly Listed[], sort: Query['sort']): readonly Listed[] => {
  const by = (rankOf: (state: Return) => string): readonly Listed[] =>
    returns
      .map((one) => ({ one, rank: rankOf(one.state) }))
      .toSorted((a, b) => (a.rank < b.rank ? 1 : -1))
      .map(({ one }) => one);
  if (sort === 'createdAt') return by(({ id }) => id);
  if (sort === 'updatedAt') return by(({ updatedAt, id }) => `${updatedAt} ${id.slice(-16)}`);
  const dueAtOf = ({ state }: Listed) => summarizeReturn(state).dueAt;
  const due = by((state) => `${summarizeReturn(state).dueAt} ${state.id.slice(-16)}`).toReversed();
  return [...due.filter((one) => dueAtOf(one)), ...by(({ id }) => id).filter((one) => dueAtOf(one) === undefined)];
};

/** Whether a sort lists a return: by deadline, ended returns without a deadline and without work are left out. */
const isListed = ({ state }: Listed, sort: Query['sort']): boolean =>
  sort !== 'dueAt' ||
  summarizeReturn(state).dueAt !== undefined ||
  !ended.has(state.status) ||
  isUnsettled(summarizeReturn(state));

/** Returns the returns that match a query, in its order. */
export const expectedOf = (query: Query, returns: readonly Listed[], now: string): readonly Listed[] => {
  const { sort = hasDeadline(query) && !isSortedByCreation(query) ? 'dueAt' : 'createdAt' } = query;
  return sorted(
    returns.filter((one) => matches(query, one, now) && (isUnique(query) || isListed(one, sort))),
    sort,
  );
};

/** Returns a return as a list shows it. */
export const itemOf = ({ state }: Listed): Item => {
  const {
    id: returnId,
    isGift,
    customerId,
    shopDueAt: _,
    uninspected: __,
    ...summary
  }: Summary = summarizeReturn(state);
  const customer = isGift === true || customerId === undefined ? {} : { customerId };
  return { returnId, ...summary, ...customer } as Item;
};
