import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { wholeOf } from '../../../runtime/exact-json.ts';
import { clip, idOf, instant, objectsOf } from '../shared/fields/fields.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';

/** The order of a refund, the currency of its payment, and its shipping in minor units. */
export type RefundedOrder = {
  readonly platform: string;
  readonly orderId: string;
  readonly currency: string;
  readonly shipping?: { readonly paid: number; readonly tax: number };
};

type Line = NonNullable<RemoteRefund['lines']>[number];

const itemsOf = (refund: JsonObject, type: string): readonly JsonObject[] =>
  objectsOf(refund['items']).filter(({ item_type: itemType }) => itemType === type);

/** Returns the lines of the order, each once. The API does not report the amount of each line. */
const linesOf = (refund: JsonObject): Line[] => {
  const units = itemsOf(refund, 'PRODUCT').flatMap(({ item_id: id, quantity }) => {
    const [orderLineId, count] = [idOf(id), wholeOf(quantity)];
    return orderLineId === undefined || count === undefined || count < 1 ? [] : [{ orderLineId, quantity: count }];
  });
  return Array.from(
    Map.groupBy(units, ({ orderLineId }) => orderLineId),
    ([orderLineId, parts]) => ({ orderLineId, quantity: sum(parts.map(({ quantity }) => quantity)) }),
  );
};

/**
 * Returns the refunded shipping in minor units.
 * Undefined if unknown: a refund is requested with or without its tax, as the store shows its prices.
 */
export const shippingOf = (refund: JsonObject, { currency, shipping }: RefundedOrder): number | undefined => {
  const items = itemsOf(refund, 'SHIPPING');
  const requestedAmount = sumOf(
    items.map(({ requested_amount: amount }) => amount),
    currency,
  );
  if (requestedAmount === undefined || requestedAmount < 0 || items.length === 0)
    return items.length === 0 ? 0 : undefined;
  if (shipping === undefined) return undefined;
  if (shipping.tax === 0) return requestedAmount;
  return requestedAmount === shipping.paid || requestedAmount === shipping.paid - shipping.tax
    ? shipping.paid
    : undefined;
};

const methodOf = ({ provider_id: provider, offline }: JsonObject): RemoteRefund['method'] => {
  const name = clip(provider, 100)?.toLowerCase();
  if (name === 'storecredit') return 'store_credit';
  if (name === 'giftcertificate') return 'gift_card';
  return offline === true ? 'manual' : 'original_payment';
};

/**
 * Returns a refund of an order by its payments that were not declined.
 * Payments follow the refund, and some never happen. Undefined while there is none.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/payment-actions/get-order-refunds
 */
export const refundOf = (refund: JsonObject, owner: RefundedOrder): Result<RemoteRefund | undefined, ShopFailure> => {
  const { platform, orderId, currency } = owner;
  const payments = objectsOf(refund['payments']).filter(({ is_declined: declined }) => declined !== true);
  const parts = payments.map((payment) => minorOf(payment['amount'], currency));
  const externalId = idOf(refund['id']);
  const created = refund['created'];
  const occurredAt = instant(created);
  if (externalId === undefined || occurredAt === undefined) return permanentFailure('refund_unreadable');
  let amount = 0;
  for (const part of parts) {
    if (part === undefined || part < 0) return permanentFailure('refund_unreadable');
    amount += part;
  }
  if (amount === 0) return ok(undefined);
  const lines = linesOf(refund);
  const shipping = shippingOf(refund, owner) ?? 0;
  const [method, ...others] = new Set(payments.map(methodOf));
  return ok({
    platform,
    orderId,
    externalId,
    amount: { amount, currency },
    method: method !== undefined && others.length === 0 ? method : 'original_payment',
    occurredAt,
    ...(lines.length > 0 && { lines }),
    ...(shipping > 0 && shipping <= amount && { shipping: { amount: shipping, currency } }),
  });
};
