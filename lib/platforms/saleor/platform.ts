import { fail, ok, type Result } from '../../contract/result.ts';
import { isObject } from '../../runtime/json.ts';
import {
  type PlatformChange,
  type ChangeBatch,
  type ChangeQuery,
  topicsLeadingTo,
  type Parked,
  type Receiver,
  type RemoteSnapshot,
  type ShopFailure,
  type Translator,
  type SkippedDelivery,
} from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { readEach, notInFuture } from '../shared/http/read-each.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import { isGlobalId, refundedOnly, returnedStatuses } from './amounts.ts';
import { callApi } from './api.ts';
import { orderFacts } from './facts.ts';
import { readRefundRecords } from './refund-records.ts';
import { matchRefunds } from './match-refunds.ts';
import {
  type ChangedNode,
  type ChangedPage,
  changedQuery,
  type OrderNode,
  orderQuery,
  type ReasonsNode,
  reasonsQuery,
} from './queries.ts';
import { orderIdOf, returnOf, returnsIn } from './returns.ts';
import { authenticate } from './verify.ts';

/** Why things came back; nothing where Saleor is too old to know, which it says by refusing the question. */
const fetchReasons = async (shop: Shop, id: string): Promise<Result<ReasonsNode | undefined, ShopFailure>> => {
  const answer = await callApi<{ order: ReasonsNode | null }>(shop, reasonsQuery, { id });
  if (answer.ok) return ok(answer.value.data.order ?? undefined);
  return answer.failure.kind === 'permanent' ? ok(undefined) : answer;
};

/**
 * Sees how an order stands in Saleor now: its facts, what of it came back with the money that was given for it, and other
 * money that was given back. Nothing for an order of which there is neither.
 * https://docs.saleor.io/api-reference/orders/queries/order
 */
const fetchSnapshot = async (
  shop: Shop,
  { orderId: id }: { readonly orderId: string },
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await callApi<{ order: OrderNode | null }>(shop, orderQuery, { id });
  if (!answer.ok) return answer;
  const { data, denied } = answer.value;
  const { order } = data;
  // Saleor leaves out all of an order of which it may not show a part that every order has.
  if (order === null)
    return denied
      ? fail({ kind: 'retryable', reason: 'shop_denied_access' })
      : permanentFailure('shop_order_not_found');
  if (order.id !== id) return permanentFailure('shop_order_not_found');
  const given = readRefundRecords(order);
  if (!given.ok) return given;
  const nodes = returnsIn(order);
  const { read: money, unread: unreadMoney } = given.value;
  if (nodes.length === 0 && money.length === 0 && unreadMoney === undefined) return ok(undefined);
  const facts = orderFacts(order, { whole: !denied, observedAt: seenAt });
  if (!facts.ok) return facts;
  const reasons = nodes.length === 0 ? ok(undefined) : await fetchReasons(shop, id);
  if (!reasons.ok) return reasons;
  const { ofReturns, others } = matchRefunds(order, money);
  const returns = readEach(nodes, (node) => {
    const refunds = ofReturns.get(node.id) ?? [];
    const seen = returnOf(node, { order, reasons: reasons.value, refunds, seenAt });
    return seen.ok ? ok({ seen: seen.value, refunds }) : seen;
  });
  if (!returns.ok) return returns;
  const unread = returns.value.unread ?? unreadMoney;
  return ok({
    kind: 'seen',
    order: withUnread(facts.value, unread),
    returns: returns.value.read,
    refunds: others,
    ...(unread !== undefined && { unread }),
  });
};

/** The events that may tell of returns or money. None of them names one: they only lead to the order. */
const events: ReadonlySet<string> = new Set([
  'order_updated',
  'order_fulfilled',
  'order_paid',
  'order_fully_paid',
  'order_refunded',
  'order_fully_refunded',
  'fulfillment_created',
  'fulfillment_approved',
  'fulfillment_canceled',
  'fulfillment_metadata_updated',
  'fulfillment_tracking_number_updated',
]);

/** The event that stands for a change that no delivery told us of. */
const changedTopic = 'order_updated';

type Translation = { readonly kind: 'order'; readonly orderId: string } | SkippedDelivery;

/** Deeper than any payload has its order. */
const maxDepth = 6;

const parked = (reason: string): Parked => ({ kind: 'parked', reason, path: '' });

const names = ['id', 'orderId', 'order_id'] as const;

/** The ids of orders that stand directly in these objects. */
const idsIn = (objects: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    objects
      .filter(isObject)
      .flatMap((object) => names.map((name) => object[name]).filter((id) => isGlobalId(id, 'Order'))),
  );

const childrenOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * Reads which order a verified delivery is about. Its body has the shape that the subscription of whoever set up the
 * webhook gives it, so the order is looked for, from outside in: `[{id}]`, `{order{id}}`, `{fulfillment{order{id}}}`. Ids
 * are told by their type, and an order that stands deeper, such as the one that another replaces, is not meant.
 */
export const translate = (topic: string, payload: unknown): Translation => {
  if (!events.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  let level = [payload];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const [orderId, ...others] = idsIn(level);
    if (others.length > 0) return parked('payload_ambiguous');
    if (orderId !== undefined) return { kind: 'order', orderId };
    level = level.flatMap(childrenOf);
  }
  return parked('payload_without_order');
};

/** Saleor tells the time of a change before it can be seen: the last minutes are looked at again. */
const overlapMs = 120_000;

/** Where to go on: the time that all pages of a listing began at, and the last of them that was read, if it goes on. */
type Cursor = { readonly since: string; readonly after?: string };

const readCursor = (text: string): Cursor | undefined => {
  const [time = '', after] = text.split(' ');
  const since = instant(time);
  return since === undefined ? undefined : { since, ...(after !== undefined && { after }) };
};

const writeCursor = ({ since, after }: Cursor): string => (after === undefined ? since : `${since} ${after}`);

/** Most orders that change are none of ours: nothing of them came back. */
const hasReturnsOrRefunds = ({ fulfillments, transactions, grantedRefunds }: ChangedNode): boolean =>
  fulfillments.some(({ status }) => returnedStatuses.has(status) || status === refundedOnly) ||
  transactions.some(({ refundedAmount }) => refundedAmount.amount !== 0) ||
  grantedRefunds.length > 0;

const changeOf = ({ id, updatedAt }: ChangedNode): PlatformChange => ({
  topic: changedTopic,
  deliveryId: `${id}.${updatedAt}`,
  body: { order: { id } },
});

/**
 * The orders that have changed since, of which something came back or money was given for, a page of them at a time. A
 * listing that goes on does so by Saleor's own cursor, and begins anew where that is not understood any more.
 */
const fetchChanges = async (shop: Shop, from: ChangeQuery): Promise<Result<ChangeBatch, ShopFailure>> => {
  const { since, after } = readCursor(from.cursor ?? '') ?? { since: from.since };
  const answer = await callApi<ChangedPage>(shop, changedQuery, { since, after: after ?? null });
  if (!answer.ok && after !== undefined && answer.failure.kind === 'permanent') return fetchChanges(shop, { since });
  if (!answer.ok) return answer;
  const { orders } = answer.value.data;
  if (orders === null) return fail({ kind: 'retryable', reason: 'shop_denied_access' });
  const nodes = orders.edges.map(({ node }) => node).filter(({ id }) => isGlobalId(id, 'Order'));
  const found = nodes.filter(hasReturnsOrRefunds).map(changeOf);
  const { hasNextPage, endCursor } = orders.pageInfo;
  if (hasNextPage && endCursor !== null && !endCursor.includes(' '))
    return ok({ found, cursor: writeCursor({ since, after: endCursor }), more: true });
  const last = instant(nodes.at(-1)?.updatedAt);
  const next = last === undefined ? since : new Date(Date.parse(notInFuture(last)) - overlapMs).toISOString();
  return ok({ found, cursor: next > since ? next : since, more: false });
};

const refetchReturn: Translator['refetchReturn'] = async (source, externalId, deadline) => {
  const orderId = orderIdOf(externalId);
  const seen = orderId === undefined ? ok(undefined) : await fetchSnapshot({ source, deadline }, { orderId });
  if (!seen.ok) return seen;
  const found = seen.value?.returns.find((one) => one.seen.externalId === externalId);
  return found === undefined ? permanentFailure('shop_return_not_found') : ok(found.seen);
};

/** Saleor's webhooks. */
export const receiver: Receiver = {
  name: 'saleor',
  authenticate,
  // A body that tells when its event happened is in the delivery's id already.
  bodyNamesEvent: () => false,
  hasTopic: (topic) => events.has(topic),
};

/** What they mean, with the GraphQL API for how the order stands. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(events, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn,
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
