import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { Wanted, WantedRefund } from '../effect.ts';
import {
  amountText,
  blocked,
  hasAnyMark,
  hasMark,
  isShareOf,
  markOf,
  mayStillArrive,
  type Plan,
} from '../shared/effects/plan.ts';
import { instant, objectOf, objectsOf } from '../shared/fields/fields.ts';
import { idIn, type OrderReading, paymentsOf, textIn, unitsIn } from './order.ts';
import { type Fraction, fractionOf, paidFor, plus, rounded, times, zero } from './price.ts';

/** How long a request without an answer may still pay: Medusa waits for the provider of the payment. */
export const refundSettleMs = 120_000;

/** `POST /admin/payments/<id>/refund`. `amount` is a decimal. */
export type RefundRequest = { readonly paymentId: string; readonly amount: string; readonly note: string };

type Facts = Pick<OrderReading, 'order' | 'currency'> & { readonly now: number };

const amountIn = (value: unknown, currency: string): number | undefined => {
  const read = fractionOf(value);
  return read && rounded(read, currency)?.amount;
};

/** Whether Medusa has booked a refund on the order, which it does after the provider has paid. */
const isBooked = ({ transactions }: JsonObject, refundId: unknown): boolean =>
  objectsOf(transactions).some(({ reference, reference_id: id }) => reference === 'refund' && id === refundId);

/** Returns the plan for a refund that the shop has for us. Medusa stores a refund before the provider has paid. */
const planOfOurs = (own: readonly JsonObject[], wanted: Wanted, amount: number, facts: Facts): Plan<RefundRequest> => {
  const [first = {}] = own;
  const externalId = idIn(first['id']);
  const shop = amountIn(first['amount'], facts.currency);
  if (own.length > 1) return blocked('refunded_twice', { refundIds: own.map(({ id }) => idIn(id) ?? '') });
  if (externalId === undefined || shop !== amount)
    return blocked('amount_differs', { amount, ...(shop !== undefined && { shop }), currency: facts.currency });
  if (isBooked(facts.order, externalId)) return { kind: 'done', externalId, isOurs: true };
  const seen = { refundId: externalId };
  return mayStillArrive(wanted, refundSettleMs, facts.now) ? { kind: 'pending', seen } : blocked('refund_unpaid', seen);
};

/** Returns why the shop has another price for a line of the refund. */
const priceDifference = (refund: WantedRefund, { order, currency }: Facts): Plan<never> | undefined => {
  for (const [id, parts] of Map.groupBy(refund.lines, ({ orderLineId }) => orderLineId)) {
    const item = objectsOf(order['items']).find((node) => node['id'] === id) ?? {};
    const [units, price] = [unitsIn(item['quantity']), fractionOf(item['unit_price'])];
    if (units === undefined || price === undefined) return blocked('order_line_unreadable', { orderLineId: id });
    const all = times(price, { numerator: BigInt(units), denominator: 1n });
    const { total } = paidFor({ price: all, taxIncluded: item['is_tax_inclusive'] === true, node: item }, currency);
    if (total === undefined) return blocked('order_line_unreadable', { orderLineId: id });
    const [quantity, amount] = [sum(parts.map((part) => part.quantity)), sum(parts.map(({ gross }) => gross))];
    if (!isShareOf({ paid: total.amount, units }, quantity, amount))
      return blocked('amount_differs', { orderLineId: id, quantity, amount, units, paid: total.amount, currency });
  }
  return undefined;
};

/** Returns the amount that the order owes the customer by Medusa's own sum, in minor units. */
const owedBy = ({ order, currency }: Facts): number | undefined => {
  const difference = fractionOf(objectOf(order['summary'])['pending_difference']);
  if (difference === undefined) return undefined;
  return difference.numerator >= 0n
    ? 0
    : rounded({ ...difference, numerator: -difference.numerator }, currency)?.amount;
};

/** The money for goods that came back. Medusa owes it after their receipt; the rest becomes a credit of the order. */
const goodsOf = ({ lines, rest }: WantedRefund): number =>
  Math.max(0, sum(lines.filter(({ quantity }) => quantity > 0).map(({ gross }) => gross)) + Math.min(0, rest));

const total = (nodes: unknown): Fraction | undefined =>
  objectsOf(nodes).reduce<Fraction | undefined>((sum, { amount }) => {
    const read = fractionOf(amount);
    return sum && read && plus(sum, read);
  }, zero);

/** Returns what is left of a captured payment, in minor units. */
const leftOf = (payment: JsonObject, currency: string): number => {
  const [captured, refunded] = [total(payment['captures']), total(payment['refunds'])];
  if (captured === undefined || refunded === undefined) return 0;
  if (textIn(payment['currency_code'])?.toUpperCase() !== currency) return 0;
  const left = plus(captured, { ...refunded, numerator: -refunded.numerator });
  return rounded(left, currency)?.amount ?? 0;
};

/**
 * Compares the refunds of an order with a wanted one.
 * Medusa refunds an amount of one payment. It must be the price of the units, and the order must owe it.
 */
export const planRefund = (wanted: Wanted, facts: Facts): Plan<RefundRequest> => {
  const { refund, return: ours } = wanted;
  const { order, currency } = facts;
  if (refund === undefined || ours === undefined) return blocked('refund_missing');
  const { amount } = refund.amount;
  if (refund.amount.currency !== currency) return blocked('currency_differs', { currency });
  const payments = paymentsOf(order);
  const refunds = payments.flatMap((payment) => objectsOf(payment['refunds']));
  const own = refunds.filter(({ note }) => hasMark(note, wanted));
  if (own.length > 0) return planOfOurs(own, wanted, amount, facts);
  const foreign = refunds
    .filter(({ note }) => !hasAnyMark(note))
    .filter((node) => amountIn(node['amount'], currency) === amount)
    .filter((node) => (instant(node['created_at']) ?? ours.requestedAt) >= ours.requestedAt)
    .flatMap(({ id }) => idIn(id) ?? [])
    .filter((id) => wanted.others?.refunds.includes(id) !== true);
  if (foreign.length > 0) return blocked('refund_exists', { refundIds: foreign, amount, currency });
  const difference = priceDifference(refund, facts);
  if (difference !== undefined) return difference;
  const [owed, goods] = [owedBy(facts), goodsOf(refund)];
  // Each line was rounded, and the sum of the order once.
  if (owed === undefined || goods > owed + refund.lines.length)
    return blocked('amount_differs', { amount: goods, ...(owed !== undefined && { shop: owed }), currency });
  const left = payments.map((payment) => ({ id: idIn(payment['id']), left: leftOf(payment, currency) }));
  const paymentId = left.find((payment) => payment.id !== undefined && payment.left >= amount)?.id;
  if (paymentId === undefined)
    return blocked('exceeds_payment', { amount, left: left.map((payment) => payment.left), currency });
  const note = `Return ${ours.rmaNumber} ${markOf(wanted)}`;
  const request = { paymentId, amount: amountText(amount, currency), note };
  return { kind: 'open', request, seen: { paymentId, amount, owed, currency } };
};
