import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { matches, summaryOf, type Filter } from '../../returns/summary.ts';
import { customerLookup, everyLookup, orderLookup, statusLookup, type Lookup } from '../../store/indexes.ts';
import { fitting } from '../../store/pack.ts';
import { findByExternalRefs, findByRmaNumber, readReturn } from '../../store/returns.ts';
import type { Session } from '../../store/session.ts';
import { readSummaries, type SummaryPage } from '../../store/summaries.ts';
import type { Call, Reply } from '../port.ts';
import { cursorScope, openCursor, signCursor } from './cursor.ts';
import { withStore } from './execute.ts';

const usualLimit = 50;
/** How many summaries a page looks at for those that pass the other filters; what it does not find is a short page. */
const looksAt = 200;

const orderNeedsPlatform = fail({
  code: 'invalid_request' as const,
  detail: 'An order is known by its platform and its id.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
});

const filterOf = ({ externalRef, ...filter }: Omit<Input<'listReturns'>, 'limit' | 'cursor'>): Filter => {
  if (externalRef === undefined) return filter;
  const [platform = '', ...id] = externalRef.split(':');
  return { ...filter, externalRef: { platform, id: id.join(':') } };
};

/** The one return that a unique filter can mean, as a page. */
const readUnique = async (session: Session, { externalRef, rmaNumber }: Filter): Promise<SummaryPage | undefined> => {
  if (externalRef === undefined && rmaNumber === undefined) return undefined;
  const id =
    externalRef === undefined
      ? await findByRmaNumber(session, rmaNumber ?? '')
      : await findByExternalRefs(session, [externalRef]);
  const state = id === undefined ? undefined : await readReturn(session, id);
  return { items: state === undefined ? [] : [summaryOf(state)], rest: false };
};

/** The index that the narrowest filter leads to, and the filters that it settles; the others are applied to its finds. */
const lookupOf = ({ platform, orderId, customerId, status }: Filter): { lookup: Lookup; settled: Filter } => {
  if (platform !== undefined && orderId !== undefined)
    return { lookup: orderLookup({ platform, orderId }), settled: { platform, orderId } };
  if (customerId !== undefined) return { lookup: customerLookup(customerId), settled: { customerId } };
  if (status !== undefined) return { lookup: statusLookup(status), settled: { status } };
  return { lookup: everyLookup(), settled: {} };
};

const readIndex = async (session: Session, filter: Filter, before: string | undefined, limit: number) => {
  const { lookup, settled } = lookupOf(filter);
  const narrowed = Object.keys(filter).some((name) => !(name in settled));
  // One more than asked for tells whether there is a next page.
  return readSummaries(session, lookup, before, (narrowed ? Math.max(limit, looksAt) : limit) + 1);
};

/** A page of those that match, and the id of the last one that was looked at when there may be more behind it. */
const pageOf = ({ items, rest }: SummaryPage, filter: Filter, limit: number) => {
  const found = items.filter((summary) => matches(summary, filter));
  const page = fitting(found.slice(0, limit));
  if (found.length > page.length) return { page, last: page.at(-1)?.id };
  return { page, last: rest ? items.at(-1)?.id : undefined };
};

/** Lists returns, the newest first, by what they are looked for. */
export const listReturns = async (
  input: Input<'listReturns'>,
  call: Call,
): Promise<Result<Reply<Output<'listReturns'>>>> => {
  const { limit = usualLimit, cursor, ...looked } = input;
  const filter = filterOf(looked);
  if (filter.orderId !== undefined && filter.platform === undefined) return orderNeedsPlatform;
  return withStore(call, async (session) => {
    const scope = cursorScope('listReturns', call, filter);
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const candidates = (await readUnique(session, filter)) ?? (await readIndex(session, filter, before.value, limit));
    const { page, last } = pageOf(candidates, filter, limit);
    const next = last === undefined ? ok(null) : await signCursor(last, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: structuredClone({ items: page, nextCursor: next.value }) as Output<'listReturns'> });
  });
};
