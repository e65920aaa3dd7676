import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { Wanted, WantedRefund } from '../effect.ts';
import {
  amountText,
  type Blocked,
  blocked,
  hasAnyMark,
  hasMark,
  isShareOf,
  markOf,
  mayStillArrive,
  type Plan,
} from '../shared/effects/plan.ts';
import { instant } from '../shared/fields/fields.ts';
import { moneyOf } from './amounts.ts';
import type { MoneyNode } from './queries.ts';
import type { GrantNode, RefundedOrderNode } from './refund-queries.ts';

/** How long a request without an answer may still change the shop. */
export const refundSettleMs = 60_000;

/** What is to do: to grant the refund and to request its payment, or only the latter. */
export type RefundRequest =
  | { readonly step: 'grant'; readonly input: JsonObject }
  | { readonly step: 'request'; readonly grantId: string };

type Facts = { readonly order: RefundedOrderNode; readonly now: number };

/** Returns an amount in minor units of a currency. */
const amountIn = (node: MoneyNode, currency: string): number | undefined => {
  const read = moneyOf(node);
  return read?.currency === currency ? read.amount : undefined;
};

/** Returns the plan for a paid grant. Its event has the id under which the refund is reported. */
const planOfPaid = (grant: GrantNode, { amount, currency }: WantedRefund['amount']): Plan<never> => {
  const events = (grant.transactionEvents ?? []).toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const paid = events.find(({ type }) => type === 'REFUND_SUCCESS');
  const seen = { grantId: grant.id };
  if (paid === undefined) return { kind: 'pending', seen };
  if (events.some(({ type, pspReference }) => type === 'REFUND_REVERSE' && pspReference === paid.pspReference))
    return blocked('refund_reversed', seen);
  const shop = amountIn(paid.amount, currency);
  return shop === amount
    ? { kind: 'done', externalId: paid.id, isOurs: true }
    : blocked('amount_differs', { ...seen, amount, ...(shop !== undefined && { shop }), currency });
};

/** Returns the plan for our grants. Saleor rejects a request for one that is pending or paid. */
const planOfOurs = (
  own: readonly GrantNode[],
  refund: WantedRefund,
  wanted: Wanted,
  now: number,
): Plan<RefundRequest> => {
  const requested = own.filter(({ status }) => status !== 'NONE');
  if (requested.length > 1) return blocked('refunded_twice', { grantIds: requested.map(({ id }) => id) });
  const [grant = own[0]] = requested;
  if (grant === undefined) return { kind: 'pending' };
  const seen = { grantId: grant.id };
  if (grant.status === 'SUCCESS') return planOfPaid(grant, refund.amount);
  if (grant.status === 'FAILURE') return blocked('refund_failed', seen);
  if (grant.status === 'PENDING' || mayStillArrive(wanted, refundSettleMs, now)) return { kind: 'pending', seen };
  return { kind: 'open', request: { step: 'request', grantId: grant.id } };
};

/** Returns the ids of grants and payments of the same amount since the return that are unknown here. */
const foreignLike = (
  { order }: Facts,
  wanted: Wanted,
  { amount, currency }: WantedRefund['amount'],
): readonly string[] => {
  const known = new Set(wanted.others?.refunds);
  const marked = order.grantedRefunds.filter(({ reason }) => hasAnyMark(reason));
  for (const { transactionEvents: events } of marked) for (const { id } of events ?? []) known.add(id);
  const isLike = (node: { readonly amount: MoneyNode; readonly createdAt: string }): boolean =>
    amountIn(node.amount, currency) === amount &&
    (instant(node.createdAt) ?? '~') >= (wanted.return?.requestedAt ?? '');
  const grants = order.grantedRefunds.filter((grant) => {
    const isKnown = marked.includes(grant) || grant.transactionEvents?.some(({ id }) => known.has(id)) === true;
    return !isKnown && grant.status !== 'FAILURE' && isLike(grant);
  });
  const payments = order.transactions
    .flatMap(({ events }) => events)
    .filter((event) => event.type === 'REFUND_SUCCESS' && !known.has(event.id) && isLike(event));
  return [...grants, ...payments].map(({ id }) => id).filter((id) => !known.has(id));
};

/** Returns why the shop has another price for a part of the refund. Shipping is granted as a whole. */
const priceDifference = (refund: WantedRefund, order: RefundedOrderNode): Blocked | undefined => {
  const { currency } = refund.amount;
  for (const [id, parts] of Map.groupBy(refund.lines, ({ orderLineId }) => orderLineId)) {
    const line = order.lines.find((candidate) => candidate.id === id);
    const paid = line && amountIn(line.totalPrice.gross, currency);
    if (line === undefined || paid === undefined) return blocked('order_line_unreadable', { orderLineId: id });
    const [quantity, amount] = [sum(parts.map((part) => part.quantity)), sum(parts.map(({ gross }) => gross))];
    if (quantity > line.quantity || !isShareOf({ paid, units: line.quantity }, quantity, amount))
      return blocked('amount_differs', { orderLineId: id, quantity, amount, units: line.quantity, paid, currency });
  }
  const shipping = amountIn(order.shippingPrice.gross, currency);
  return refund.shipping === 0 || refund.shipping === shipping
    ? undefined
    : blocked('part_not_expressible', { part: 'shipping' });
};

const inputOf = (refund: WantedRefund, transactionId: string, reason: string): JsonObject => ({
  transactionId,
  reason,
  // A number of JSON: the shortest decimal of a double has the digits of an amount.
  amount: Number(amountText(refund.amount.amount, refund.amount.currency)),
  lines: Array.from(
    Map.groupBy(
      refund.lines.filter(({ quantity }) => quantity > 0),
      ({ orderLineId }) => orderLineId,
    ),
    ([id, parts]) => ({ id, quantity: sum(parts.map((part) => part.quantity)) }),
  ),
  grantRefundForShipping: refund.shipping > 0,
});

/**
 * Compares the refunds of an order with a wanted one.
 * A refund is granted with our key in its reason, then its payment is requested. The payment app reports it later.
 */
export const planRefund = (wanted: Wanted, facts: Facts): Plan<RefundRequest> => {
  const { refund, return: ours } = wanted;
  const { order, now } = facts;
  if (refund === undefined || ours === undefined) return blocked('refund_missing');
  const { amount, currency } = refund.amount;
  if (order.total.gross.currency !== currency) return blocked('currency_differs', { currency });
  const own = order.grantedRefunds.filter(({ reason }) => hasMark(reason, wanted));
  if (own.length > 0) return planOfOurs(own, refund, wanted, now);
  if (mayStillArrive(wanted, refundSettleMs, now)) return { kind: 'pending' };
  const foreign = foreignLike(facts, wanted, refund.amount);
  if (foreign.length > 0) return blocked('refund_exists', { refundIds: foreign, amount, currency });
  const difference = priceDifference(refund, order);
  if (difference !== undefined) return difference;
  const charged = order.transactions.map(({ id, chargedAmount }) => ({
    id,
    left: amountIn(chargedAmount, currency) ?? 0,
  }));
  const transaction = charged.find(({ left }) => left >= amount);
  if (transaction === undefined)
    return blocked('exceeds_payment', { amount, left: charged.map(({ left }) => left), currency });
  const input = inputOf(refund, transaction.id, `Return ${ours.rmaNumber} ${markOf(wanted)}`);
  return { kind: 'open', request: { step: 'grant', input } };
};
