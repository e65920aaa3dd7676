import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { Wanted, WantedRefund, WantedReturn } from '../effect.ts';
import { amountText, blocked, hasAnyMark, hasMark, markOf, mayStillArrive, type Plan } from '../shared/effects/plan.ts';
import { idOf, objectsOf, utcInstant } from '../shared/fields/fields.ts';
import { type OrderAndRefunds, type RefundItem, refundItems } from './refund-items.ts';

/**
 * The longest time after which a request that got no answer may still pay: PHP ends a script after 30 s by default, and
 * the call of a payment provider does not count.
 */
export const refundSettleMs = 120_000;

/** The metadata with our key. The reason has it too: WooCommerce saves it with the refund, and the metadata later. */
const metaKey = '_returns_refund';

/** The body of `POST /orders/<id>/refunds`. */
export type RefundRequest = {
  readonly amount: string;
  readonly reason: string;
  readonly api_refund: true;
  readonly api_restock: boolean;
  readonly line_items: readonly RefundItem[];
  readonly meta_data: readonly { readonly key: string; readonly value: string }[];
};

type Facts = OrderAndRefunds & { readonly now: number };

const isOurs = (refund: JsonObject, wanted: Wanted): boolean =>
  hasMark(refund['reason'], wanted) ||
  objectsOf(refund['meta_data']).some(({ key, value }) => key === metaKey && value === wanted.key);

/**
 * Whether all units of the refund are to be restocked. Restocking is for a whole refund, so mixed units are restocked by
 * people.
 */
const restocksAll = ({ lines }: WantedRefund, { lines: returned }: Pick<WantedReturn, 'lines'>): boolean =>
  lines.length > 0 &&
  lines.every(({ orderLineId, quantity }) => {
    const found = returned.filter((line) => line.orderLineId === orderLineId).flatMap((line) => line.found);
    const isRestock = found.every(({ outcome, disposition }) => outcome === 'accept' && disposition === 'restock');
    return isRestock && quantity > 0 && sum(found.map((finding) => finding.quantity)) >= quantity;
  });

/** Returns the plan for a refund that the site has for us. The site marks it as paid after its payment provider has. */
const planOfOurs = (own: readonly JsonObject[], wanted: Wanted, { refund, facts }: Compared): Plan<RefundRequest> => {
  const [first = {}] = own;
  const externalId = idOf(first['id']);
  const { amount, currency } = refund.amount;
  const shop = minorOf(first['amount'], currency);
  const seen = { ...(externalId !== undefined && { refundId: externalId }) };
  if (own.length > 1) return blocked('refunded_twice', { refundIds: own.map(({ id }) => idOf(id) ?? '') });
  if (externalId === undefined || shop !== amount)
    return blocked('amount_differs', { ...seen, amount, ...(shop !== undefined && { shop }), currency });
  if (first['refunded_payment'] !== true)
    return mayStillArrive(wanted, refundSettleMs, facts.now)
      ? { kind: 'pending', seen }
      : blocked('refund_unpaid', seen);
  const others = foreignLike(wanted, { refund, facts });
  return { kind: 'done', externalId, isOurs: true, ...(others.length > 0 && { seen: { ...seen, others } }) };
};

type Compared = { readonly refund: WantedRefund; readonly facts: Facts };

/**
 * Returns the ids of refunds without a mark of an intent, of the same amount and since the return, that are unknown here.
 * People made them, or a plugin that answers its payment provider by a second refund.
 */
const foreignLike = (wanted: Wanted, { refund, facts }: Compared): readonly string[] => {
  const since = wanted.return?.requestedAt ?? '';
  return facts.refunds
    .filter((node) => !hasAnyMark(node['reason']) && !isOurs(node, wanted))
    .filter(({ amount }) => minorOf(amount, refund.amount.currency) === refund.amount.amount)
    .filter((node) => (utcInstant(node['date_created_gmt']) ?? '~') >= since.slice(0, 19))
    .flatMap(({ id }) => idOf(id) ?? [])
    .filter((id) => wanted.others?.refunds.includes(id) !== true);
};

const leftOf = ({ order, refunds }: Facts, currency: string): number | undefined => {
  const paid = minorOf(order['total'], currency);
  const refunded = sumOf(
    refunds.map(({ amount }) => amount),
    currency,
  );
  return paid === undefined || refunded === undefined ? undefined : paid - refunded;
};

/**
 * Compares the refunds of an order with a wanted one.
 * The amount leads: WooCommerce takes less than its items, which is a deduction, and more, which is on top.
 */
export const planRefund = (wanted: Wanted, facts: Facts): Plan<RefundRequest> => {
  const { refund, return: of } = wanted;
  if (refund === undefined || of === undefined) return blocked('refund_missing');
  const compared = { refund, facts };
  const { amount, currency } = refund.amount;
  if (facts.order['currency'] !== currency) return blocked('currency_differs', { currency });
  const own = facts.refunds.filter((node) => isOurs(node, wanted));
  if (own.length > 0) return planOfOurs(own, wanted, compared);
  const foreign = foreignLike(wanted, compared);
  if (foreign.length > 0) return blocked('refund_exists', { refundIds: foreign, amount, currency });
  const left = leftOf(facts, currency);
  if (left === undefined || amount > left)
    return blocked('exceeds_payment', { amount, ...(left !== undefined && { left }), currency });
  const items = refundItems(refund, facts);
  if (!items.ok) return items.failure;
  return {
    kind: 'open',
    seen: { amount, left, currency },
    request: {
      amount: amountText(amount, currency),
      reason: `Return ${of.rmaNumber} ${markOf(wanted)}`,
      // Both are true where they are missing.
      api_refund: true,
      api_restock: restocksAll(refund, of),
      line_items: items.value,
      meta_data: [{ key: metaKey, value: wanted.key }],
    },
  };
};
