import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject } from '../../../runtime/json.ts';
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
  permanentFailure,
} from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { readEach, notInFuture } from '../shared/http/read-each.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
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

/** Reads the reasons of returns; undefined if Saleor is too old and rejects the query. */
const fetchReasons = async (shop: Shop, id: string): Promise<Result<ReasonsNode | undefined, ShopFailure>> => {
  const answer = await callApi<{ order: ReasonsNode | null }>(shop, reasonsQuery, { id });
  if (answer.ok) return ok(answer.value.data.order ?? undefined);
  return answer.failure.kind === 'permanent' ? ok(undefined) : answer;
};

/**
 * Fetches the current state of an order: its facts, its returns with refunds, and other refunds.
 * Undefined for an order with neither.
 * https://docs.saleor.io/api-reference/orders/queries/order
 */
const fetchSnapshot = async (
  shop: Shop,
  { orderId: id }: { readonly orderId: string },
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const answer = await callApi<{ order: OrderNode | null }>(shop, orderQuery, { id });
  if (!answer.ok) return answer;
  const { data, denied } = answer.value;
  const { order } = data;
  // Saleor returns null for an order if the token may not read a required part.
  if (order === null)
    return denied
      ? fail({ kind: 'retryable', reason: 'shop_denied_access' })
      : permanentFailure('shop_order_not_found');
  if (order.id !== id) return permanentFailure('shop_order_not_found');
  const refundRecords = readRefundRecords(order);
  if (!refundRecords.ok) return refundRecords;
  const nodes = returnsIn(order);
  const { read: money, unread: unreadMoney } = refundRecords.value;
  if (nodes.length === 0 && money.length === 0 && unreadMoney === undefined) return ok(undefined);
  const facts = orderFacts(order, { whole: !denied, observedAt: fetchedAt });
  if (!facts.ok) return facts;
  const reasons = nodes.length === 0 ? ok(undefined) : await fetchReasons(shop, id);
  if (!reasons.ok) return reasons;
  const { ofReturns, others } = matchRefunds(order, money);
  const returns = readEach(nodes, (node) => {
    const refunds = ofReturns.get(node.id) ?? [];
    const remote = returnOf(node, { order, reasons: reasons.value, refunds, fetchedAt });
    return remote.ok ? ok({ remote: remote.value, refunds }) : remote;
  });
  if (!returns.ok) return returns;
  const unread = returns.value.unread ?? unreadMoney;
  return ok({
    kind: 'snapshot',
    order: withUnread(facts.value, unread),
    returns: returns.value.read,
    refunds: others,
    ...(unread !== undefined && { unread }),
  });
};

/** The events that may report returns or refunds. An event names only the order. */
export const events: ReadonlySet<string> = new Set([
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

/** The topic of a change that reconciliation finds. */
const changedTopic = 'order_updated';

type Translation = { readonly kind: 'order'; readonly orderId: string } | SkippedDelivery;

/** The maximum depth of an order in any payload. */
const maxDepth = 6;

const parked = (reason: string): Parked => ({ kind: 'parked', reason, path: '' });

const names = ['id', 'orderId', 'order_id'] as const;

/** Returns the ids of orders that are direct members of these objects. */
const idsIn = (objects: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    objects
      .filter(isObject)
      .flatMap((object) => names.map((name) => object[name]).filter((id) => isGlobalId(id, 'Order'))),
  );

const childrenOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * Reads the order of a verified delivery.
 * The subscription of the webhook defines the shape of the body. So the order is searched from outside in: `[{id}]`,
 * `{order{id}}`, `{fulfillment{order{id}}}`. The type of an id shows whether it is an order. A deeper order, such as a
 * replaced one, does not count.
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

/** Saleor sets the time of a change before the change is visible, so the last minutes are read again. */
const overlapMs = 120_000;

/** The start time of a listing for all its pages, and the last read item if it continues. */
type Cursor = { readonly since: string; readonly after?: string };

const readCursor = (text: string): Cursor | undefined => {
  const [time = '', after] = text.split(' ');
  const since = instant(time);
  return since === undefined ? undefined : { since, ...(after !== undefined && { after }) };
};

const writeCursor = ({ since, after }: Cursor): string => (after === undefined ? since : `${since} ${after}`);

/** Whether a changed order has returns or refunds. Most have none. */
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
 * Finds changed orders with returns or refunds, one page at a time.
 * A listing continues at Saleor's own cursor, and restarts if that is no longer valid.
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
  const snapshot = orderId === undefined ? ok(undefined) : await fetchSnapshot({ source, deadline }, { orderId });
  if (!snapshot.ok) return snapshot;
  const found = snapshot.value?.returns.find((candidate) => candidate.remote.externalId === externalId);
  return found === undefined ? permanentFailure('shop_return_not_found') : ok(found.remote);
};

const permissionsQuery = 'query Permissions { app { permissions { code } } }';

type Permissions = { readonly app: { readonly permissions: readonly { readonly code: string }[] | null } | null };

/** Returns the permissions that the app of a token lacks. Without this one, Saleor delivers no events of orders. */
const missingScopes = async (shop: Shop): Promise<Result<readonly string[], ShopFailure>> => {
  const answer = await callApi<Permissions>(shop, permissionsQuery, {});
  if (!answer.ok) return answer;
  const granted = answer.value.data.app?.permissions ?? [];
  return ok(['MANAGE_ORDERS'].filter((needed) => !granted.some(({ code }) => code === needed)));
};

/** Receives Saleor's webhooks. */
export const receiver: Receiver = {
  name: 'saleor',
  authenticate,
  // If a body has the time of its event, the delivery's id covers it already.
  bodyNamesEvent: () => false,
  hasTopic: (topic) => events.has(topic),
};

/** Translates the webhooks, with the state of the order from the GraphQL API. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(events, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn,
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
  missingScopes: async (source, deadline) => missingScopes({ source, deadline }),
};
