import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { clip, idOf, objectsOf, platformId, utcInstant } from '../shared/fields/fields.ts';
import { type PaymentFacts, paymentsOf } from '../shared/fields/payments.ts';

/**
 * The statuses of unpaid orders, and of paid ones. An order without a time of payment is unpaid only in the former: in
 * the others it was imported. A plugin's status may mean that a part is paid.
 * https://woocommerce.com/document/managing-orders/order-statuses/
 */
const unpaidStatuses: ReadonlySet<unknown> = new Set(['pending', 'on-hold', 'cancelled', 'failed']);
const paidStatuses: ReadonlySet<unknown> = new Set([...unpaidStatuses, 'processing', 'completed', 'refunded']);

/** The gift cards of the two extensions that sell them. */
const giftCardsIn = (order: JsonObject): readonly JsonObject[] => [
  ...objectsOf(order['gift_cards']),
  ...objectsOf(order['pw_gift_cards_redeemed']),
];

/** Returns the amount paid by gift cards. The total excludes it. */
export const giftCardsOf = (order: JsonObject, currency: string): number | undefined =>
  sumOf(
    giftCardsIn(order).map(({ amount }) => amount),
    currency,
  );

/** Whether the parts of an order show that its total excludes its gift cards, or that it has none. */
type GiftCards = { readonly currency: string; readonly areExcluded: boolean; readonly areNone: boolean };

/**
 * Returns the payments, and whether they are all.
 * An order has one payment, of its total, with an id only if the gateway gave one. The id of a gift card is its place:
 * its code would be money.
 */
export const paymentFacts = (order: JsonObject, { currency, areExcluded, areNone }: GiftCards): PaymentFacts => {
  const { transaction_id: transaction, payment_method: method, date_paid_gmt: paidAt, status } = order;
  const isPaid = utcInstant(paidAt) !== undefined;
  const id = platformId(transaction) ?? idOf(order['id']);
  const total = minorOf(order['total'], currency);
  const cards = giftCardsIn(order).map(({ amount }, index) => ({
    id: `gift_card:${index + 1}`,
    method: 'gift_card',
    amount: minorOf(amount, currency),
  }));
  const tenders = [{ id, method: clip(method, 100) ?? 'unknown', amount: total }, ...(areExcluded ? cards : [])];
  const known = tenders.flatMap(({ id: tenderId, method: name, amount }) =>
    isPaid && tenderId !== undefined && amount !== undefined && amount > 0
      ? [{ id: tenderId, method: name, paid: { amount, currency } }]
      : [],
  );
  const isReadable = tenders.every((tender) => tender.id !== undefined && (tender.amount ?? -1) >= 0);
  const isKnown = areNone || (areExcluded && isPaid);
  const hasKnownStatus = (isPaid ? paidStatuses : unpaidStatuses).has(status);
  return paymentsOf(known, isReadable && isKnown && hasKnownStatus);
};
