import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { readSearchKeyRing } from '../../execution/key-ring.ts';
import {
  loggedDigest,
  normalizeSearched,
  searchDigest,
  type SearchedText,
} from '../../../store/personal/customer-search.ts';
import { subjectOfCustomer } from '../../../store/personal/text-references.ts';
import type { OrderRef } from '../../../domain/returns/model/order.ts';
import { log } from '../../../runtime/log.ts';
import { mergePages } from '../../../store/engine/index-page.ts';
import { customerIndexQuery, orderIndexQuery } from '../../../store/engine/indexes.ts';
import { readOrderLinks } from '../../../store/orders/orders.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readSubjects } from '../../../store/personal/search-rows.ts';
import { readSummaries, type SummaryPage } from '../../../store/returns/summaries.ts';
import { findOrders, maxFoundOrders } from '../orders/find-orders.ts';
import { listItems, pageOf } from './list-returns.ts';

const defaultLimit = 20;
/** The maximum of customers and orders with one name. A page reads the returns of each. */
const maxSubjects = 100;

const disabled = fail({
  code: 'feature_disabled' as const,
  detail: 'This deployment does not search customers. The parameter CustomerSearch enables the search.',
});

const notOneText = fail({
  code: 'invalid_request' as const,
  detail: 'The search needs either `email` or `name`.',
  errors: [{ path: '', code: 'required', message: 'must have either email or name' }],
});

/** The text is not in the failure: errors are logged and stored by callers. */
const tooManySubjects = (kind: SearchedText['kind']): { readonly ok: false; readonly failure: Failure } =>
  fail({
    code: 'invalid_request' as const,
    detail: `More than ${maxSubjects} customers or orders match. Search by the e-mail address, or find the order.`,
    errors: [{ path: `/${kind}`, code: 'max_items', message: `must belong to at most ${maxSubjects} customers` }],
  });

const searchedIn = ({ email, name }: Input<'searchCustomers'>): SearchedText | undefined => {
  if ((email === undefined) === (name === undefined)) return undefined;
  const kind = email === undefined ? 'name' : 'email';
  const text = normalizeSearched(kind, email ?? name ?? '');
  return text === '' ? undefined : { kind, text };
};

/** The customers of shops, and the orders without a customer, among subjects. */
type Subjects = {
  readonly customers: readonly { readonly platform: string; readonly id: string }[];
  readonly orders: readonly OrderRef[];
};

const subjectPattern = /^([^:]+):(customer|order):([\s\S]+)$/;

const divide = (subjects: readonly string[]): Subjects => {
  const parts = subjects.flatMap((subject) => {
    const [, platform = '', kind = '', id = ''] = subjectPattern.exec(subject) ?? [];
    return id === '' ? [] : [{ platform, kind, id }];
  });
  return {
    customers: parts.filter(({ kind }) => kind === 'customer'),
    orders: parts.flatMap(({ platform, kind, id }) => (kind === 'order' ? [{ platform, orderId: id }] : [])),
  };
};

const emptyPage: SummaryPage = { items: [], rest: false };

/** Reads the returns of subjects. A customer of another shop may have the same id: their returns are left out. */
const readReturnsOf = async (
  session: Session,
  subjects: readonly string[],
  bounds: { readonly before?: string },
  limit: number,
): Promise<SummaryPage> => {
  const { customers, orders } = divide(subjects);
  const customerIds = [...new Set(customers.map(({ id }) => id))];
  const [ofCustomers, ofOrders] = await Promise.all([
    customerIds.length === 0 ? emptyPage : readSummaries(session, customerIndexQuery(...customerIds), bounds, limit),
    orders.length === 0 ? emptyPage : readSummaries(session, orderIndexQuery(...orders), bounds, limit),
  ]);
  const wanted = new Set(subjects);
  const own = ofCustomers.items.filter(({ summary: { order, customerId } }) =>
    wanted.has(subjectOfCustomer(order, customerId)),
  );
  return mergePages([{ ...ofCustomers, items: own }, ofOrders]);
};

/**
 * Reads the orders of subjects: those that links lead to, and those of their returns, which may be older than the links.
 */
const readOrdersOf = async (
  session: Session,
  subjects: readonly string[],
  { items }: SummaryPage,
  include: Input<'searchCustomers'>['include'],
) => {
  const { customers, orders } = divide(subjects);
  const links = await Promise.all(
    customers.map(async ({ platform, id }) =>
      readOrderLinks(session, subjectOfCustomer({ platform, orderId: '' }, id), platform, maxFoundOrders + 1),
    ),
  );
  const refs = [...items.map(({ summary }) => summary.order), ...orders, ...links.flat()];
  const distinct = new Map(refs.map((ref) => [JSON.stringify([ref.platform, ref.orderId]), ref]));
  const found = await findOrders(session, [...distinct.values()], { include, subjects: new Set(subjects) });
  return { orders: found.orders, moreOrders: found.more || links.some(({ length }) => length > maxFoundOrders) };
};

const noOrders = { orders: [], moreOrders: false };

/**
 * Searches the returns of customers by a name or an e-mail address, with every key: after a rotation, some rows have an
 * earlier one. Each search is logged, so that an auditor sees who searched how often.
 */
export const searchCustomers = async (
  input: Input<'searchCustomers'>,
  call: Call,
): Promise<Result<Reply<Output<'searchCustomers'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor, include } = input;
    const ring = await readSearchKeyRing(session);
    if (ring === undefined) return disabled;
    const searched = searchedIn(input);
    if (searched === undefined) return notOneText;
    // A signature reveals nothing of the text, and lets no other search use the cursor.
    const scope = cursorScope('searchCustomers', call, searched);
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const digests = [...ring.keys.values()].map((key) => searchDigest(key, searched));
    const subjects = await readSubjects(session, digests, maxSubjects + 1);
    const bounds = before.value === undefined ? {} : { before: before.value };
    const isTooMany = subjects.length > maxSubjects;
    const found = isTooMany ? emptyPage : await readReturnsOf(session, subjects, bounds, limit + 1);
    const { page, position } = pageOf(found, limit);
    // Returns-On-Behalf-Of may hold a name.
    const { clientId, user } = call.caller;
    log('info', 'customer searched', {
      traceId: call.traceId,
      clientId,
      ...(user === undefined ? {} : { userId: user.id }),
      kind: searched.kind,
      results: page.length,
      digest: loggedDigest(ring.current, searched),
    });
    if (isTooMany) return tooManySubjects(searched.kind);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    const isFirst = before.value === undefined;
    const [items, orders] = await Promise.all([
      listItems(session, page, include),
      isFirst ? readOrdersOf(session, subjects, found, include) : noOrders,
    ]);
    return ok({ status: 200, body: { items: [...items], ...orders, nextCursor: next.value } });
  });
