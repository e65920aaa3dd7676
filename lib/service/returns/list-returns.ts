import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { toMillisecondInstant } from '../../execution/observation.ts';
import type { Instant } from '../../returns/model/order.ts';
import { type Filter, matchesFilter, type Summary, summarizeReturn } from '../../returns/summary.ts';
import { takeFitting } from '../../store/engine/pack.ts';
import type { Session } from '../../store/engine/session.ts';
import { findByExternalRefs, findByRmaNumber, readReturn } from '../../store/returns/returns.ts';
import { readSummaries, type SummaryPage } from '../../store/returns/summaries.ts';
import { chooseIndex, type Sort, defaultSort } from './choose-index.ts';

const defaultLimit = 50;
/** The number of summaries that a page reads for the other filters. A page may therefore be short. */
const maxExamined = 200;

const orderNeedsPlatform = fail({
  code: 'invalid_request' as const,
  detail: 'The filter `orderId` needs the filter `platform`.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
});

type ListFilters = Omit<Input<'listReturns'>, 'limit' | 'cursor' | 'sort'>;

/** Returns the filter with times in milliseconds, as returns have them, so that they compare as text. */
const filterOf = ({ externalRef, createdFrom, updatedFrom, dueBefore, ...filter }: ListFilters): Filter => {
  const [platform = '', ...id] = externalRef?.split(':') ?? [];
  return {
    ...filter,
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
  const state = id === undefined ? undefined : await readReturn(session, id);
  return { items: state === undefined ? [] : [{ position: state.id, summary: summarizeReturn(state) }], rest: false };
};

type ListQuery = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly now: Instant };

const readIndex = async (
  session: Session,
  { filter, sort, limit, now }: ListQuery,
  cursor: string | undefined,
): Promise<Result<SummaryPage>> => {
  const lead = chooseIndex(filter, sort, now);
  if (!lead.ok) return lead;
  const { lookup, settled, from } = lead.value;
  const before = cursor ?? lead.value.before;
  const narrowed = Object.keys(filter).some((name) => !settled.some((one) => one === name));
  const bounds = { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) };
  // One more than the limit shows whether there is a next page.
  return ok(await readSummaries(session, lookup, bounds, (narrowed ? Math.max(limit, maxExamined) : limit) + 1));
};

/** Returns a page of matching summaries, and the last read position when more may follow. */
const pageOf = ({ items, rest, last }: SummaryPage, { filter, limit, now }: ListQuery) => {
  const found = items.filter(({ summary }) => matchesFilter(summary, filter, now));
  const page = takeFitting(found.slice(0, limit).map(({ summary }) => summary));
  if (found.length > page.length) return { page, position: found[page.length - 1]?.position };
  return { page, position: rest ? last : undefined };
};

/** Makes the wire form of a summary. Like getReturn, it names no customer of a gift. */
const listItem = ({ id: returnId, isGift, customerId, ...summary }: Summary) => ({
  returnId,
  ...summary,
  ...(isGift === true || customerId === undefined ? {} : { customerId }),
});

/** Lists returns by a filter: the newest first, or the last updated, or the last due ones. */
export const listReturns = async (
  input: Input<'listReturns'>,
  call: Call,
): Promise<Result<Reply<Output<'listReturns'>>>> => {
  const { limit = defaultLimit, cursor, sort: asked, ...looked } = input;
  const filter = filterOf(looked);
  const sort = asked ?? defaultSort(filter);
  if (filter.orderId !== undefined && filter.platform === undefined) return orderNeedsPlatform;
  const walk: ListQuery = { filter, sort, limit, now: new Date().toISOString() };
  return withStore(call, async (session) => {
    const scope = cursorScope('listReturns', call, { ...filter, sort });
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const unique = await readUnique(session, filter);
    const candidates = unique === undefined ? await readIndex(session, walk, before.value) : ok(unique);
    if (!candidates.ok) return candidates;
    const { page, position } = pageOf(candidates.value, walk);
    const items = page.map(listItem);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: structuredClone({ items, nextCursor: next.value }) as Output<'listReturns'> });
  });
};
