import { ok, type Result } from '../../../../runtime/result.ts';
import type { Money } from '../../../../contract/scalars.ts';
import { type DecimalMoney, decimalText, minorUnits } from '../../../../domain/money/decimal.ts';
import type { Wanted, WantedRefund } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { isOurNote, isSameUnits, noteOf, type RepeatedPlan } from '../../shared/effects/repeated-plan.ts';
import { callApi } from '../api.ts';
import { money } from '../queries.ts';
import { fetchRefund } from '../refund.ts';
import { gidOf } from '../words.ts';
import { fetchExisting, foreignReturns, type ExistingReturn } from './create.ts';
import type { Mutation } from './mutate.ts';
import {
  amountsOf,
  planOfRefund,
  type SuggestedNode,
  suggestedFields,
  type Suggestion,
  transactionsOf,
} from './refund.ts';
import { refundFields, type RefundState, refundStateOf, type RefundStateNode } from './state.ts';

/* Money without a return at the shop, by `refundCreate`. Shopify takes our key, so a repeat has no second effect. */

export type OrderMoney = {
  readonly currency: string;
  readonly refunds: readonly RefundState[];
  readonly existing: readonly ExistingReturn[];
  readonly suggestion: Suggestion;
  readonly maximum: Money | undefined;
  /** The refunds of people with our amount, and whether they have the units of ours. */
  readonly similar: readonly { readonly id: string; readonly isSame: boolean }[];
};

const orderQuery = `query OrderMoney($id: ID!, $lines: [RefundLineItemInput!], $shipping: Money) {
  order(id: $id) {
    presentmentCurrencyCode
    refunds(first: 30) { ${refundFields} }
    suggestedRefund(refundLineItems: $lines, shippingAmount: $shipping) {
      amountSet { ${money} }
      maximumRefundableSet { ${money} }
      suggestedTransactions { ${suggestedFields} }
    }
  }
}`;

type Bag = { readonly presentmentMoney: DecimalMoney };
type OrderData = {
  readonly order: {
    readonly presentmentCurrencyCode: string;
    readonly refunds: readonly RefundStateNode[];
    readonly suggestedRefund: {
      readonly amountSet: Bag;
      readonly maximumRefundableSet: Bag;
      readonly suggestedTransactions: readonly SuggestedNode[];
    } | null;
  } | null;
};

const maxRefunds = 30;

const shippingOf = ({ shipping, amount: { currency } }: WantedRefund): string | undefined =>
  shipping > 0 ? decimalText({ amount: shipping, currency }) : undefined;

const linesOf = ({ lines }: WantedRefund) =>
  lines.map(({ orderLineId, quantity }) => ({
    lineItemId: gidOf('LineItem', orderLineId),
    quantity,
    restockType: 'NO_RESTOCK',
  }));

/** Reads the units of refunds that people made with our amount. */
const fetchSimilar = async (shop: Shop, refunds: readonly RefundState[], wanted: Wanted, refund: WantedRefund) => {
  const candidates = refunds.filter(
    ({ id, note, amount }) =>
      amount?.amount === refund.amount.amount && !isOurNote(note) && wanted.others?.refunds.includes(id) !== true,
  );
  const similar: OrderMoney['similar'][number][] = [];
  for (const { id, gid } of candidates) {
    const read = await fetchRefund(shop, gid);
    if (!read.ok) return read;
    const lines = read.value.refund.ok ? read.value.refund.value?.lines : undefined;
    similar.push({ id, isSame: lines !== undefined && lines.length > 0 && isSameUnits(lines, refund.lines) });
  }
  return ok(similar);
};

/** Reads the refunds of an order, and what Shopify would pay. */
export const fetchOrderMoney = async (
  shop: Shop,
  wanted: Wanted,
  refund: WantedRefund,
): Promise<Result<OrderMoney, ShopFailure>> => {
  const existing = refund.lines.length === 0 ? ok([]) : await fetchExisting(shop, wanted.orderId);
  if (!existing.ok) return existing;
  const answer = await callApi<OrderData>(shop, orderQuery, {
    id: gidOf('Order', wanted.orderId),
    lines: linesOf(refund),
    shipping: shippingOf(refund) ?? null,
  });
  if (!answer.ok) return answer;
  const { order } = answer.value.data;
  if (order === null)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_order_not_found');
  if (order.refunds.length >= maxRefunds) return permanentFailure('order_too_large');
  const refunds = order.refunds.map(refundStateOf);
  const similar = await fetchSimilar(shop, refunds, wanted, refund);
  if (!similar.ok) return similar;
  const suggested = order.suggestedRefund;
  return ok({
    currency: order.presentmentCurrencyCode,
    refunds,
    existing: existing.value,
    similar: similar.value,
    maximum: suggested === null ? undefined : minorUnits(suggested.maximumRefundableSet.presentmentMoney),
    suggestion: {
      kind: suggested === null ? 'nothing' : 'refund',
      amount: suggested === null ? undefined : minorUnits(suggested.amountSet.presentmentMoney),
      transactions: transactionsOf(suggested?.suggestedTransactions ?? []),
    },
  });
};

type Payment = { readonly gateway: string; readonly parentId: string; readonly amount: string };

/** The payments that pay a refund: as Shopify suggests, or the first that has enough left for money without lines. */
const paymentsOf = (
  { transactions }: Suggestion,
  { amount }: WantedRefund,
  isSuggested: boolean,
): readonly Payment[] | undefined => {
  const text = decimalText(amount) ?? '';
  const payments = transactions.flatMap(({ gateway, parentGid, amount: part, maximum }) => {
    const usable = isSuggested ? minorUnits(part) : maximum && minorUnits(maximum);
    if (usable === undefined || usable.amount === 0 || usable.currency !== amount.currency) return [];
    return [{ gateway, parentId: parentGid, amount: isSuggested ? part.amount : text, units: usable.amount }];
  });
  const paying = isSuggested ? payments : payments.filter(({ units }) => units >= amount.amount).slice(0, 1);
  const sum = paying.reduce((units, payment) => units + payment.units, 0);
  if (paying.length === 0 || (isSuggested && sum !== amount.amount)) return undefined;
  const named = paying.flatMap(({ gateway, parentId, amount: part }) =>
    gateway === undefined || parentId === undefined ? [] : [{ gateway, parentId, amount: part }],
  );
  return named.length === paying.length ? named : undefined;
};

/** Why Shopify must not be asked for a refund, as far as the order says; undefined if nothing is against it. */
const obstacleTo = (state: OrderMoney, wanted: Wanted, refund: WantedRefund): RepeatedPlan<never> | undefined => {
  const { amount, lines, shipping, rest } = refund;
  const { existing, suggestion, maximum } = state;
  if (amount.currency !== state.currency)
    return blocked('currency_differs', { ours: amount.currency, shop: state.currency });
  const foreign = foreignReturns(existing, lines, wanted.others);
  const ours = wanted.return?.externalId;
  if (lines.length > 0 && (ours !== undefined || foreign.length > 0))
    return blocked('return_stands', { returns: foreign.map(({ gid }) => gid) });
  const hasParts = lines.length > 0 || shipping > 0;
  if (hasParts && rest !== 0) return blocked('parts_not_expressible', { rest, currency: amount.currency });
  if (hasParts && suggestion.amount?.amount !== amount.amount)
    return blocked('amount_differs', amountsOf(amount, suggestion.amount));
  if ((maximum?.amount ?? 0) < amount.amount) return blocked('refund_exceeds_payments', amountsOf(amount, maximum));
  return undefined;
};

export const planRefund = (state: OrderMoney, wanted: Wanted, refund: WantedRefund): RepeatedPlan<Mutation> => {
  const { amount, lines } = refund;
  const equal = state.similar.filter(({ isSame }) => isSame);
  const found = planOfRefund(state.refunds, wanted, ({ id }) => equal.some((similar) => similar.id === id), true);
  if (found !== undefined) return found;
  if (lines.length === 0 && state.similar.length > 0)
    return blocked('refund_unclear', { refunds: state.similar.map(({ id }) => id) });
  const obstacle = obstacleTo(state, wanted, refund);
  if (obstacle !== undefined) return obstacle;
  const payments = paymentsOf(state.suggestion, refund, lines.length > 0 || refund.shipping > 0);
  if (payments === undefined) return blocked('payment_unknown', amountsOf(amount, state.maximum));
  const orderId = gidOf('Order', wanted.orderId);
  const shipping = shippingOf(refund);
  const input = {
    orderId,
    note: noteOf(wanted.key),
    notify: false,
    currency: amount.currency,
    refundLineItems: linesOf(refund),
    transactions: payments.map((payment) => ({ orderId, kind: 'REFUND', ...payment })),
    ...(shipping !== undefined && { shipping: { amount: shipping } }),
  };
  return {
    kind: 'open',
    request: { name: 'refundCreate', variables: { input, key: wanted.key } },
    repeat: 'safe',
  };
};
