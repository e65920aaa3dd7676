import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { instant, latest, objectsOf, optional } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { readEach, type PartialRead } from '../shared/http/read-each.ts';
import type { RemoteExchange, RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';
import { callApi } from './api.ts';
import { exchangePrice } from './exchange-price.ts';
import { orderFacts } from './facts.ts';
import { goodsOf, parcelsOf } from './goods.ts';
import { fetchOrder, idIn, type OrderReading, paymentsOf, soldUnitsIn, textIn } from './order.ts';
import { fractionOf, rounded } from './price.ts';
import type { ResourceRef } from './translate.ts';

/** Whether the shop is still preparing the return, and has not announced it. */
export const isDraft = ({ status, canceled_at: canceledAt }: JsonObject): boolean =>
  status === 'open' && textIn(canceledAt) === undefined;

/** The status by Medusa's. Medusa has no approval: a requested return is approved. */
const statuses: Readonly<Record<string, RemoteReturn['status']>> = {
  requested: 'approved',
  partially_received: 'approved',
  received: 'completed',
  canceled: 'cancelled',
};

/** Whether the shop still owes money on the order, by its own sum. */
const owesRefund = ({ order: { summary }, currency }: OrderReading): boolean => {
  const difference = isObject(summary) ? fractionOf(summary['pending_difference']) : undefined;
  if (difference === undefined || difference.numerator >= 0n) return false;
  return rounded({ ...difference, numerator: -difference.numerator }, currency)?.amount !== 0;
};

/**
 * Returns the status.
 * Some versions do not change the status when they cancel. A status that is unknown here counts as requested.
 */
const statusOf = ({ status, canceled_at: canceledAt }: JsonObject, reading: OrderReading): RemoteReturn['status'] => {
  if (textIn(canceledAt) !== undefined) return 'cancelled';
  const known = typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  return known === 'completed' && owesRefund(reading) ? 'approved' : (known ?? 'requested');
};

/** Returns the initiator. Returns from the storefront have no creator. */
const initiatorOf = ({ created_by: by }: JsonObject): RemoteReturn['initiatedBy'] =>
  textIn(by) === undefined || String(by).startsWith('cus_') ? 'customer' : 'agent';

/**
 * Returns the exchange of a return, or its claim with a replacement. A claim for money alone exchanges nothing, and the
 * price of a replacement is unknown.
 */
const exchangesOf = (
  { exchange_id: exchangeId, exchange, claim_id: claimId, claim }: JsonObject,
  reading: OrderReading,
): readonly RemoteExchange[] => {
  const isForMoney = isObject(claim) && claim['type'] === 'refund';
  const [exchanged, replaced] = [idIn(exchangeId), isForMoney ? undefined : idIn(claimId)];
  return [
    ...(exchanged === undefined
      ? []
      : [{ externalId: exchanged, ...optional('price', exchangePrice(exchange, reading)) }]),
    ...(replaced === undefined ? [] : [{ externalId: replaced }]),
  ];
};

/** Returns a return of an order. It is completed when all units have arrived and all owed money is paid. */
const returnOf = (
  node: JsonObject,
  reading: OrderReading,
  refunds: readonly RemoteRefund[],
): Result<{ readonly remote: RemoteReturn; readonly unread?: ShopFailure }, ShopFailure> => {
  const externalId = idIn(node['id']);
  const createdAt = instant(node['requested_at']) ?? instant(node['created_at']);
  if (externalId === undefined || createdAt === undefined) return permanentFailure('return_unreadable');
  const goods = goodsOf(node, soldUnitsIn(reading.order));
  if (!goods.ok) return goods;
  const { unread, ...came } = goods.value;
  const status = came.lines.length === 0 ? 'cancelled' : statusOf(node, reading);
  const closedAt = latest([instant(node['received_at']), ...refunds.map(({ occurredAt }) => occurredAt)]);
  const remote: RemoteReturn = {
    platform: 'medusa',
    externalId,
    orderId: String(reading.order['id']),
    status,
    createdAt,
    ...(status === 'completed' && closedAt !== undefined && { closedAt }),
    fetchedAt: reading.observedAt,
    initiatedBy: initiatorOf(node),
    ...came,
    parcels: parcelsOf(node),
    exchanges: exchangesOf(node, reading),
  };
  return ok({ remote, ...(unread !== undefined && { unread }) });
};

/** Whether a return was open or received at an instant. */
const isUnderWay = (node: JsonObject, at: string): boolean => {
  const from = instant(node['requested_at']) ?? instant(node['created_at']) ?? at;
  const to = instant(node['canceled_at']);
  return from <= at && (to === undefined || to > at);
};

/** The provider that moves no money itself: the shop pays by other means. */
const manualProvider = 'pp_system_default';

const refundOf = (order: JsonObject, refund: JsonObject, payment: JsonObject): Result<RemoteRefund, ShopFailure> => {
  const externalId = idIn(refund['id']);
  const read = fractionOf(refund['amount']);
  const amount = read && rounded(read, textIn(payment['currency_code'])?.toUpperCase() ?? '');
  const occurredAt = instant(refund['created_at']);
  if (externalId === undefined || amount === undefined || occurredAt === undefined)
    return permanentFailure('refund_unreadable');
  const method = payment['provider_id'] === manualProvider ? 'manual' : 'original_payment';
  return ok({ platform: 'medusa', orderId: String(order['id']), externalId, amount, method, occurredAt });
};

/**
 * Returns the refunds of an order.
 * A shop may compute a refund with more digits than the currency has; the provider rounds it.
 */
export const refundsOf = (order: JsonObject): Result<PartialRead<RemoteRefund>, ShopFailure> => {
  const nodes = paymentsOf(order).flatMap((payment) =>
    objectsOf(payment['refunds']).map((refund) => ({ refund, payment })),
  );
  const refunds = readEach(nodes, ({ refund, payment }) => refundOf(order, refund, payment));
  if (!refunds.ok) return refunds;
  const moved = refunds.value.read.filter(({ amount }) => amount.amount > 0);
  return ok({ ...refunds.value, read: moved.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)) });
};

const pageSize = 50;
const maxPages = 10;

const returnFields = [
  'id,order_id,exchange_id,claim_id,claim.type,status,created_by,created_at,requested_at,received_at,canceled_at',
  'location_id,items.*,items.reason.*,fulfillments.*,fulfillments.labels.*,exchange.additional_items.*',
].join(',');

/**
 * Reads the returns of an order.
 * https://docs.medusajs.com/api/admin#returns_getreturns
 */
export const fetchReturnsOf = async (
  shop: Shop,
  orderId: string,
): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const nodes: JsonObject[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const query = { order_id: orderId, fields: returnFields, order: 'created_at', limit: String(pageSize) };
    const answer = await callApi(shop, 'returns', { ...query, offset: String(page * pageSize) });
    if (!answer.ok) return answer;
    const found = objectsOf(answer.value['returns']);
    nodes.push(...found);
    if (found.length < pageSize) return ok(nodes);
  }
  return permanentFailure('order_too_large');
};

/**
 * Reads the order of a payment.
 * https://docs.medusajs.com/api/admin#payments_getpaymentsid
 */
const fetchOrderIdOfPayment = async (shop: Shop, id: string): Promise<Result<string | undefined, ShopFailure>> => {
  const fields = 'id,payment_collection.order.id';
  const answer = await callApi(shop, `payments/${encodeURIComponent(id)}`, { fields });
  if (!answer.ok) return answer;
  const { payment } = answer.value;
  const collection = isObject(payment) ? payment['payment_collection'] : undefined;
  const order = isObject(collection) ? collection['order'] : undefined;
  return ok(isObject(order) ? idIn(order['id']) : undefined);
};

/**
 * Assigns refunds to returns.
 * Medusa refunds an order and does not report the return. So a refund belongs to the only return that was open at its
 * time. With several, or before all returns, it belongs to none. The times no longer change, so a refund never moves to
 * another return later.
 */
const refundsByReturn = (nodes: readonly JsonObject[], refunds: readonly RemoteRefund[]) =>
  Map.groupBy(refunds, ({ occurredAt }) => {
    const [node, ...others] = nodes.filter((candidate) => isUnderWay(candidate, occurredAt));
    return others.length === 0 ? node : undefined;
  });

type RawSnapshot = { readonly reading: OrderReading } & Pick<RemoteSnapshot, 'returns' | 'refunds' | 'unread'>;

/** Fetches an order with all its returns, except unfinished drafts. */
const fetchOrderSnapshot = async (shop: Shop, orderId: string): Promise<Result<RawSnapshot, ShopFailure>> => {
  const found = await fetchReturnsOf(shop, orderId);
  if (!found.ok) return found;
  const reading = await fetchOrder(shop, orderId);
  if (!reading.ok) return reading;
  const refunds = refundsOf(reading.value.order);
  if (!refunds.ok) return refunds;
  const nodes = found.value.filter((node) => !isDraft(node));
  const byReturn = refundsByReturn(nodes, refunds.value.read);
  const returns = readEach(nodes, (node) => {
    const own = byReturn.get(node) ?? [];
    const partial = returnOf(node, reading.value, own);
    return partial.ok ? ok({ ...partial.value, refunds: own }) : partial;
  });
  if (!returns.ok) return returns;
  const { read } = returns.value;
  const unread = returns.value.unread ?? read.find((partial) => partial.unread)?.unread ?? refunds.value.unread;
  return ok({
    reading: reading.value,
    returns: read.map(({ remote, refunds: own }) => ({ remote, refunds: own })),
    refunds: byReturn.get(undefined) ?? [],
    ...(unread !== undefined && { unread }),
  });
};

/**
 * Fetches the current state of a delivery's subject: an order, its returns and all its refunds.
 * Undefined if the order has neither.
 */
export const fetchSnapshot = async (
  shop: Shop,
  { kind, id }: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const orderId = kind === 'order' ? ok(id) : await fetchOrderIdOfPayment(shop, id);
  if (!orderId.ok) return orderId;
  if (orderId.value === undefined) return ok(undefined);
  const sight = await fetchOrderSnapshot(shop, orderId.value);
  if (!sight.ok) return sight;
  const { reading, ...snapshot } = sight.value;
  if (snapshot.returns.length === 0 && snapshot.refunds.length === 0 && snapshot.unread === undefined)
    return ok(undefined);
  const order = orderFacts(reading);
  return order.ok ? ok({ kind: 'snapshot', order: withUnread(order.value, snapshot.unread), ...snapshot }) : order;
};

/**
 * Fetches one return again.
 * https://docs.medusajs.com/api/admin#returns_getreturnsid
 */
export const refetchReturn = async (shop: Shop, externalId: string): Promise<Result<RemoteReturn, ShopFailure>> => {
  const answer = await callApi(shop, `returns/${encodeURIComponent(externalId)}`, { fields: 'id,order_id' });
  if (!answer.ok) return answer;
  const { return: node } = answer.value;
  const orderId = isObject(node) ? idIn(node['order_id']) : undefined;
  if (orderId === undefined) return permanentFailure('return_without_order');
  const sight = await fetchOrderSnapshot(shop, orderId);
  if (!sight.ok) return sight;
  const found = sight.value.returns.find(({ remote }) => remote.externalId === externalId);
  if (found !== undefined) return ok(found.remote);
  return sight.value.unread === undefined ? permanentFailure('shop_return_not_found') : fail(sight.value.unread);
};
