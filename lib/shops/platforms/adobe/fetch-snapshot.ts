import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type OrderFacts, type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { clip, idOf, objectsOf, providerReference, utcInstant } from '../shared/fields/fields.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { amountOf, extensionOf, roundedMoney, sumOf, unitsOf } from './amounts.ts';
import { callApi, type RegisteredShop, searchFor } from './api.ts';
import type { ResourceRef } from './envelope.ts';
import { orderFacts } from './facts.ts';
import { fetchReturn } from './return.ts';

/** Open memos wait for the payment provider. Cancelled ones moved no money. */
const refundedState = 2;

/** Returns the refund methods of a memo. Gift cards and store credit are refunded in addition to the grand total. */
const refundMethodsOf = (memo: JsonObject) => {
  const extension = extensionOf(memo);
  return [
    { method: 'original_payment', amount: sumOf(memo['grand_total']) },
    {
      method: 'store_credit',
      amount: sumOf(extension['customer_balance_amount'], extension['reward_currency_amount']),
    },
    { method: 'gift_card', amount: sumOf(extension['gift_cards_amount']) },
  ] as const;
};

/**
 * Returns the refund of a credit memo.
 * Commerce does not report its return, so it belongs to none. Its rows are left out for the same reason. Most memos are
 * for units of a return, and would count them again as refunded without a return. The amount is rounded as in orders.
 *
 * @returns undefined if no money has moved
 */
export const refundOf = (
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  memo: JsonObject,
): Result<RemoteRefund | undefined, ShopFailure> => {
  if (unitsOf(memo['state']) !== refundedState) return ok(undefined);
  const { order_currency_code: currency } = memo;
  const [externalId, occurredAt] = [idOf(memo['entity_id']), utcInstant(memo['created_at'])];
  const modes = refundMethodsOf(memo).filter(({ amount }) => amount !== 0n);
  const isReported = amountOf(memo['grand_total']) !== undefined && typeof currency === 'string';
  const total = sumOf(...modes.map((mode) => mode.amount));
  // A fee may exceed the goods. Then the customer gets nothing.
  if (isReported && total <= 0n) return ok(undefined);
  const amount = isReported && modes.every((mode) => mode.amount > 0n) ? roundedMoney(total, currency) : undefined;
  if (amount === undefined || externalId === undefined || occurredAt === undefined)
    return permanentFailure('refund_unreadable');
  if (amount.amount === 0) return ok(undefined);
  const transaction = clip(memo['transaction_id'], 200);
  const providerRef = providerReference(transaction);
  const [mode, ...others] = modes;
  // Without a transaction, the shop paid by means that Commerce does not know.
  const isKnown = others.length > 0 || mode?.method !== 'original_payment' || transaction !== undefined;
  const shipping = roundedMoney(sumOf(memo['shipping_amount'], memo['shipping_tax_amount']), amount.currency);
  return ok({
    platform,
    orderId,
    externalId,
    amount,
    occurredAt,
    ...(isKnown && { method: others.length === 0 && mode !== undefined ? mode.method : 'original_payment' }),
    ...(providerRef !== undefined && { providerRef }),
    // A deducted fee may leave less than the shipping alone.
    ...(shipping !== undefined && shipping.amount > 0 && shipping.amount <= amount.amount && { shipping }),
  });
};

/**
 * Reads a credit memo from the shop, and the id of its order in the REST API.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param id its `entity_id`
 */
const fetchMemo = async (
  shop: RegisteredShop,
  id: string,
): Promise<Result<{ readonly memo: JsonObject; readonly orderId: string }, ShopFailure>> => {
  const answer = await callApi(shop, `creditmemo/${id}`);
  if (!answer.ok) return answer;
  const orderId = idOf(answer.value['order_id']);
  return orderId === undefined || idOf(answer.value['entity_id']) !== id
    ? permanentFailure('refund_unreadable')
    : ok({ memo: answer.value, orderId });
};

const maxShipments = 100;

/**
 * Reads an order from the shop, with its shipments, as the input of registerOrder.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param id its `entity_id`
 */
const fetchOrder = async (shop: RegisteredShop, id: string): Promise<Result<OrderFacts, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const order = await callApi(shop, `orders/${id}`);
  if (!order.ok) return order;
  const search = searchFor([{ field: 'order_id', condition: 'eq', value: id }], {
    sortBy: ['entity_id'],
    pageSize: maxShipments,
  });
  const found = await callApi(shop, `shipments?${search}`);
  if (!found.ok) return found;
  const shipments = objectsOf(found.value['items']);
  return orderFacts({
    platform: shop.platform,
    order: order.value,
    shipments,
    whole: shipments.length < maxShipments,
    observedAt,
  });
};

const fetchReturnSnapshot = async (shop: RegisteredShop, id: string): Promise<Result<RemoteSnapshot, ShopFailure>> => {
  const read = await fetchReturn(shop, id);
  if (!read.ok) return read;
  const order = await fetchOrder(shop, read.value.orderId);
  if (!order.ok) return order;
  const { remote, unread } = read.value;
  const returns = [{ remote, refunds: [] }];
  const noted = withUnread(order.value, unread);
  return ok({ kind: 'snapshot', order: noted, returns, refunds: [], ...(unread !== undefined && { unread }) });
};

const fetchMemoSnapshot = async (
  shop: RegisteredShop,
  id: string,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const read = await fetchMemo(shop, id);
  if (!read.ok) return read;
  const order = await fetchOrder(shop, read.value.orderId);
  if (!order.ok) return order;
  const refund = refundOf(order.value, read.value.memo);
  if (!refund.ok) return refund;
  return ok(refund.value && { kind: 'snapshot' as const, order: order.value, returns: [], refunds: [refund.value] });
};

const fetchOrderSnapshot = async (shop: RegisteredShop, id: string): Promise<Result<RemoteSnapshot, ShopFailure>> => {
  const order = await fetchOrder(shop, id);
  return order.ok ? ok({ kind: 'snapshot', order: order.value, returns: [], refunds: [] }) : order;
};

/** Fetches the current state of a delivery's subject; undefined for a credit memo that moved no money. */
export const fetchSnapshot = async (
  shop: RegisteredShop,
  { kind, id }: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  switch (kind) {
    case 'return':
      return fetchReturnSnapshot(shop, id);
    case 'creditmemo':
      return fetchMemoSnapshot(shop, id);
    case 'order':
      return fetchOrderSnapshot(shop, id);
  }
};
