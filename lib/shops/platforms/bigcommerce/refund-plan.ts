import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { sum } from '../../../runtime/sum.ts';
import type { Wanted, WantedRefund } from '../effect.ts';
import {
  amountText,
  type Blocked,
  blocked,
  hasAnyMark,
  hasMark,
  markOf,
  mayStillArrive,
  type Plan,
} from '../shared/effects/plan.ts';
import { clip, idOf, instant, objectOf, objectsOf } from '../shared/fields/fields.ts';
import { currencyOf, shippingCost } from './facts.ts';

/** How long a request without an answer may still pay. BigCommerce processes the refunds of an order one by one. */
export const refundSettleMs = 120_000;

/** An item of a refund. BigCommerce keeps no reason of the refund itself, so the reason of each item has our key. */
export type RefundItem = {
  readonly item_type: 'PRODUCT' | 'SHIPPING' | 'ORDER';
  readonly item_id: number;
  readonly quantity?: number;
  /** A decimal. */
  readonly amount?: string;
  readonly reason: string;
};

export type RefundPayment = { readonly provider_id: string; readonly amount: string; readonly offline: false };

/** The body of `POST /v3/orders/<id>/payment_actions/refunds`. */
export type RefundRequest = { readonly items: readonly RefundItem[]; readonly payments: readonly RefundPayment[] };

/** Returns JSON in which each amount is a number with its exact digits. */
export const bodyOf = (request: JsonObject): string =>
  JSON.stringify(request).replaceAll(/"amount":"(\d+(?:\.\d+)?)"/g, '"amount":$1');

type Facts = { readonly order: JsonObject; readonly refunds: readonly JsonObject[]; readonly now: number };

const reasonsIn = (refund: JsonObject): readonly unknown[] => [
  refund['reason'],
  ...objectsOf(refund['items']).map(({ reason }) => reason),
];

/** Returns the sum of the payments that were not declined, in minor units. */
export const paidBy = (refund: JsonObject, currency: string): number | undefined =>
  sumOf(
    objectsOf(refund['payments'])
      .filter(({ is_declined: isDeclined }) => isDeclined !== true)
      .map(({ amount }) => amount),
    currency,
  );

/** Returns the plan for a refund that the store has for us. A payment provider may decline it later. */
const planOfOurs = (own: readonly JsonObject[], wanted: Wanted, amount: number, facts: Facts): Plan<never> => {
  const [first = {}] = own;
  const currency = currencyOf(facts.order);
  const [externalId, shop] = [idOf(first['id']), paidBy(first, currency)];
  if (own.length > 1) return blocked('refunded_twice', { refundIds: own.map(({ id }) => idOf(id) ?? '') });
  const seen = { ...(externalId !== undefined && { refundId: externalId }) };
  if (externalId !== undefined && shop === amount) return { kind: 'done', externalId, isOurs: true };
  // Payments follow their refund.
  if (shop === 0 && mayStillArrive(wanted, refundSettleMs, facts.now)) return { kind: 'pending', seen };
  const isDeclined = objectsOf(first['payments']).some(({ is_declined: declined }) => declined === true);
  if (shop === 0) return blocked(isDeclined ? 'refund_declined' : 'refund_unpaid', seen);
  return blocked('amount_differs', { ...seen, amount, ...(shop !== undefined && { shop }), currency });
};

/** Returns the ids of refunds of the same amount since the return that are unknown here: people may have made them. */
const foreignLike = (wanted: Wanted, amount: number, { order, refunds }: Facts): readonly string[] => {
  const since = wanted.return?.requestedAt ?? '';
  return refunds
    .filter((refund) => !reasonsIn(refund).some(hasAnyMark) && paidBy(refund, currencyOf(order)) === amount)
    .filter(({ created }) => (instant(created) ?? '~') >= since.slice(0, 19))
    .flatMap(({ id }) => idOf(id) ?? [])
    .filter((id) => wanted.others?.refunds.includes(id) !== true);
};

/** Returns the id of the only address to which the order was shipped. */
const addressOf = ({ consignments }: JsonObject): string | undefined => {
  const groups = isObject(consignments) ? [consignments] : objectsOf(consignments);
  const [address, ...others] = groups.flatMap(({ shipping }) => objectsOf(shipping));
  return others.length === 0 ? idOf(address?.['id']) : undefined;
};

/** Returns the shipping, which is refunded as a whole: its amount has no tax where the store shows prices without it. */
const shippingItem = ({ shipping }: WantedRefund, order: JsonObject, reason: string): RefundItem | undefined => {
  const currency = currencyOf(order);
  const cost = shippingCost(order, currency);
  const address = addressOf(order);
  if (cost === undefined || address === undefined || cost.paid.amount !== shipping) return undefined;
  const amount = order['is_tax_inclusive_pricing'] === true ? shipping : shipping - cost.tax.amount;
  return { item_type: 'SHIPPING', item_id: Number(address), amount: amountText(amount, currency), reason };
};

const inexpressible = (part: string): Result<never, Blocked> => fail(blocked('part_not_expressible', { part }));

/**
 * Returns the items of a refund, or why BigCommerce has none for a part: money of a line without units, a deduction, a
 * part of the shipping, or money on top beside others.
 */
const itemsOf = (refund: WantedRefund, order: JsonObject, reason: string): Result<readonly RefundItem[], Blocked> => {
  const { lines, shipping, rest } = refund;
  const items = Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([id, parts]): RefundItem => {
      const quantity = sum(parts.map((part) => part.quantity));
      return { item_type: 'PRODUCT', item_id: Number(id), quantity, reason };
    },
  );
  if (items.some(({ quantity }) => quantity === 0)) return inexpressible('line');
  if (rest !== 0 && (rest < 0 || lines.length > 0 || shipping > 0)) return inexpressible('rest');
  if (rest > 0) {
    const amount = amountText(rest, refund.amount.currency);
    return ok([{ item_type: 'ORDER', item_id: Number(idOf(order['id'])), amount, reason }]);
  }
  const ofShipping = shipping === 0 ? undefined : shippingItem(refund, order, reason);
  if (shipping > 0 && ofShipping === undefined) return inexpressible('shipping');
  return ok([...items, ...(ofShipping === undefined ? [] : [ofShipping])]);
};

/** The items of a refund that the store is asked about. */
type Quoted = { readonly refund: WantedRefund; readonly items: readonly RefundItem[] };

/** Compares the refunds of an order with a wanted one. The request has the items to ask the store about. */
export const planItems = (wanted: Wanted, facts: Facts): Plan<Quoted> => {
  const { refund, return: ours } = wanted;
  if (refund === undefined || ours === undefined) return blocked('refund_missing');
  const { amount, currency } = refund.amount;
  if (currencyOf(facts.order) !== currency) return blocked('currency_differs', { currency });
  const own = facts.refunds.filter((node) => reasonsIn(node).some((reason) => hasMark(reason, wanted)));
  if (own.length > 0) return planOfOurs(own, wanted, amount, facts);
  const foreign = foreignLike(wanted, amount, facts);
  if (foreign.length > 0) return blocked('refund_exists', { refundIds: foreign, amount, currency });
  const items = itemsOf(refund, facts.order, `Return ${ours.rmaNumber} ${markOf(wanted)}`);
  return items.ok ? { kind: 'open', request: { refund, items: items.value } } : items.failure;
};

/** Store credit is no way back to the customer's own payment. */
const credits: ReadonlySet<unknown> = new Set(['storecredit', 'giftcertificate']);

type Method = readonly { readonly provider: string; readonly amount: number; readonly isOffline: boolean }[];

const isCredit = ({ provider }: Method[number]): boolean => credits.has(provider.toLowerCase());

/** Returns the ways to pay. One without a readable amount counts as offline. */
const methodsIn = (quote: JsonObject, currency: string): readonly Method[] => {
  const listed: readonly unknown[] = Array.isArray(quote['refund_methods']) ? quote['refund_methods'] : [];
  return listed.map((method) =>
    objectsOf(method).map(({ provider_id: provider, amount, offline }) => {
      const units = minorOf(amount, currency);
      return {
        provider: clip(provider, 100) ?? '',
        amount: units ?? 0,
        isOffline: offline !== false || units === undefined,
      };
    }),
  );
};

/** Compares the store's quote with the wanted refund, and selects the payments of the customer. */
export const planPayments = ({ refund, items }: Quoted, answer: unknown): Plan<RefundRequest> => {
  const { amount, currency } = refund.amount;
  const quote = objectOf(objectOf(answer)['data']);
  const methods = methodsIn(quote, currency);
  const online = methods.filter((method) => method.length > 0 && method.every(({ isOffline }) => !isOffline));
  // A part that was paid by store credit goes back to it, beside the rest.
  const method =
    online.find((options) => !options.some(isCredit)) ?? online.find((options) => !options.every(isCredit));
  if (method === undefined)
    return blocked('refund_offline', { providers: methods.flat().map(({ provider }) => provider) });
  const shop = sum(method.map((option) => option.amount));
  if (shop !== amount) return blocked('amount_differs', { amount, shop, currency });
  const payments = method.map((option) => ({
    provider_id: option.provider,
    amount: amountText(option.amount, currency),
    offline: false as const,
  }));
  return { kind: 'open', request: { items, payments }, seen: { amount, currency } };
};
