import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { namedUserId } from '../../execution/named-user.ts';
import { toMillisecondInstant } from '../../execution/observation.ts';
import { subjectOfCustomer } from '../../../store/personal/text-references.ts';
import type { Instant, OrderRef } from '../../../domain/returns/model/order.ts';
import { type Status, statuses } from '../../../domain/returns/model/status.ts';
import { endedStatuses } from '../../../domain/returns/rules/states.ts';
import { type Filter, matchesFilter, type Summary } from '../../../domain/returns/summary.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readOrdersByNumber } from '../../../store/orders/orders.ts';
import { readPersons } from '../../../store/personal/personal.ts';
import { findByExternalRefs, findByRmaNumber } from '../../../store/returns/returns.ts';
import { readSummaries, readSummary, type SummaryPage } from '../../../store/returns/summaries.ts';
import { personView } from '../../views/views.ts';
import { chooseIndex, chooseWorkIndex, defaultSort, hasDeadline, type IndexChoice, type Sort } from './choose-index.ts';

const defaultLimit = 50;
/** The number of returns that a page examines for the other filters. A page may therefore be short. */
const maxExamined = 200;
/** The number of rows that the engine examines for a status, in the index. */
const maxStatusRows = 1000;
/** The number of orders that may have one number. A page reads the returns of each. */
const maxOrders = 50;

const orderNeedsPlatform = fail({
  code: 'invalid_request' as const,
  detail: 'The filter `orderId` needs the filter `platform`.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
});

const tooManyOrders = fail({
  code: 'invalid_request' as const,
  detail: `More than ${maxOrders} orders have this number. Filter by \`platform\` and \`orderId\`.`,
  errors: [{ path: '/orderNumber', code: 'max_items', message: `must belong to at most ${maxOrders} orders` }],
});

type ListFilters = Omit<Input<'listReturns'>, 'limit' | 'cursor' | 'sort' | 'include'>;

/** Returns the statuses that the filters `status` and `open` select together. */
const statusesIn = (named: string | undefined, open: boolean | undefined): readonly Status[] => {
  const wanted = new Set(named?.split(',') ?? statuses);
  return statuses.filter((status) => wanted.has(status) && (open === undefined || open !== endedStatuses.has(status)));
};

/** Returns the filter with times in milliseconds, as returns have them, so that they compare as text. */
const filterOf = (filters: Omit<ListFilters, 'orderNumber'>, orders: readonly OrderRef[] | undefined): Filter => {
  const { status, open, externalRef, createdFrom, updatedFrom, dueBefore, ...filter } = filters;
  const [platform = '', ...id] = externalRef?.split(':') ?? [];
  return {
    ...filter,
    ...(status === undefined && open === undefined ? {} : { status: statusesIn(status, open) }),
    ...(orders === undefined ? {} : { orders }),
    ...(externalRef === undefined ? {} : { externalRef: { platform, id: id.join(':') } }),
    ...(createdFrom === undefined ? {} : { createdFrom: toMillisecondInstant(createdFrom) }),
    ...(updatedFrom === undefined ? {} : { updatedFrom: toMillisecondInstant(updatedFrom) }),
    ...(dueBefore === undefined ? {} : { dueBefore: toMillisecondInstant(dueBefore) }),
  };
};

/** Returns the one return that a unique filter selects, as a page. */
const readUnique = async (
  session: Session,
  { externalRef, rmaNumber, trackingNumber }: Filter,
): Promise<SummaryPage | undefined> => {
  if (externalRef === undefined && rmaNumber === undefined) return undefined;
  // A return does not have its tracking numbers in clear text. The index rows of the number decide.
  if (trackingNumber !== undefined) return undefined;
  const id =
    externalRef === undefined
      ? await findByRmaNumber(session, rmaNumber ?? '')
      : await findByExternalRefs(session, [externalRef]);
  const summary = id === undefined ? undefined : await readSummary(session, id);
  return { items: summary === undefined ? [] : [{ position: summary.id, summary }], rest: false };
};

type ListQuery = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly now: Instant };

/** Whether no return can match: no status, or no order with the number. */
const selectsNothing = ({ status, orders }: Filter): boolean => status?.length === 0 || orders?.length === 0;

/** Reads a page of the chosen index, with more rows when the index does not decide all filters. */
const readChosen = async (
  session: Session,
  { lookup, covered, from, before }: IndexChoice,
  { filter, limit }: ListQuery,
  cursor: string | undefined,
): Promise<SummaryPage> => {
  const narrowed = Object.keys(filter).some((name) => !covered.some((known) => known === name));
  const bounds = {
    ...(from !== undefined && { from }),
    ...(before !== undefined && { before }),
    ...(cursor !== undefined && (lookup.ascending === true ? { after: cursor } : { before: cursor })),
  };
  const examined = lookup.only === undefined ? (narrowed ? maxExamined : 0) : maxStatusRows;
  // One more than the limit shows whether there is a next page.
  return readSummaries(session, lookup, bounds, Math.max(limit, examined) + 1);
};

/** Positions of the list by deadline are instants, then ids: returns without a deadline follow, the newest first. */
const idPrefix = 'ret_';
const highestId = `${idPrefix}~`;

const readIndex = async (
  session: Session,
  query: ListQuery,
  cursor: string | undefined,
): Promise<Result<SummaryPage>> => {
  const { filter, sort, now } = query;
  const choice = chooseIndex(filter, sort, now);
  if (!choice.ok) return choice;
  if (selectsNothing(filter)) return ok({ items: [], rest: false });
  const isWithoutToo = sort === 'dueAt' && !hasDeadline(filter);
  if (isWithoutToo && cursor?.startsWith(idPrefix) === true) {
    const page = await readChosen(session, chooseWorkIndex(filter), query, cursor);
    return ok({ ...page, items: page.items.filter(({ summary }) => summary.dueAt === undefined) });
  }
  const page = await readChosen(session, choice.value, query, cursor);
  return ok(isWithoutToo && !page.rest ? { ...page, rest: true, last: highestId } : page);
};

/** Returns the summaries of a page that fit, and the last read position when more may follow. */
export const pageOf = ({ items, rest, last }: SummaryPage, limit: number) => {
  const page = takeFitting(items.slice(0, limit).map(({ summary }) => summary));
  if (items.length > page.length) return { page, position: items[page.length - 1]?.position };
  return { page, position: rest ? last : undefined };
};

type Item = Output<'listReturns'>['items'][number];

const listItem = (stored: Summary): Item => {
  const { id: returnId, isGift, customerId, shopDueAt: _, uninspected: __, ...summary } = stored;
  return {
    returnId,
    ...summary,
    ...(isGift === true || customerId === undefined ? {} : { customerId }),
  } as Item;
};

const subjectOf = ({ order, customerId }: Summary): string => subjectOfCustomer(order, customerId);

/** Makes the wire forms of summaries, with the customers if wanted. Like getReturn, it names no customer of a gift. */
export const listItems = async (
  session: Session,
  page: readonly Summary[],
  include: 'customer' | undefined,
): Promise<readonly Item[]> => {
  if (include === undefined) return page.map(listItem);
  const persons = await readPersons(session, page.filter(({ isGift }) => isGift !== true).map(subjectOf));
  return page.map((summary) => {
    const customer = summary.isGift === true ? undefined : personView(persons.get(subjectOf(summary)));
    return { ...listItem(summary), ...(customer === undefined ? {} : { customer }) };
  });
};

/** Lists returns by a filter: the newest first, the last updated first, or the first due first. */
export const listReturns = async (
  input: Input<'listReturns'>,
  call: Call,
): Promise<Result<Reply<Output<'listReturns'>>>> => {
  const { limit = defaultLimit, cursor, sort: wanted, include, ...filters } = input;
  const { orderNumber, ...others } = filters;
  const assignee = others.assignee === undefined ? ok(undefined) : namedUserId(others.assignee, call, '/assignee');
  if (!assignee.ok) return assignee;
  if (others.orderId !== undefined && others.platform === undefined) return orderNeedsPlatform;
  return withStore(call, async (session) => {
    const orders =
      orderNumber === undefined ? undefined : await readOrdersByNumber(session, orderNumber, maxOrders + 1);
    if (orders !== undefined && orders.length > maxOrders) return tooManyOrders;
    const filter = filterOf({ ...others, ...(assignee.value !== undefined && { assignee: assignee.value }) }, orders);
    const sort = wanted ?? defaultSort(filter);
    const query: ListQuery = { filter, sort, limit, now: new Date().toISOString() };
    const scope = cursorScope('listReturns', call, { ...filters, sort });
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const unique = await readUnique(session, filter);
    const candidates = unique === undefined ? await readIndex(session, query, before.value) : ok(unique);
    if (!candidates.ok) return candidates;
    const found = candidates.value.items.filter(({ summary }) => matchesFilter(summary, query.filter, query.now));
    const { page, position } = pageOf({ ...candidates.value, items: found }, query.limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    const items = await listItems(session, page, include);
    return ok({ status: 200, body: { items: [...items], nextCursor: next.value } });
  });
};
