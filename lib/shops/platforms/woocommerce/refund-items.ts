import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { roundHalfUp } from '../../../domain/money/proration.ts';
import { wholeOf } from '../../../runtime/exact-json.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import type { WantedRefund } from '../effect.ts';
import { amountText, type Blocked, blocked, isShareOf } from '../shared/effects/plan.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { refundedItem } from './refund.ts';

/*
 * The items of a refund to create. WooCommerce keeps the money of an item without tax, and the tax by rate. It computes
 * neither: so they are the parts of what the order has for the item, less what earlier refunds took.
 */

/** What a refund is to give back for one item of the order, in minor units, tax included. */
type Share = { readonly id: string; readonly quantity: number; readonly gross: number };

/** An item of the order: what was paid for it, and what earlier refunds took. Amounts are in minor units, with tax. */
type Item = {
  readonly id: string;
  readonly units: number;
  readonly paid: number;
  readonly taxes: ReadonlyMap<string, number>;
  readonly refundedUnits: number;
  readonly refunded: number;
  readonly refundedTaxes: ReadonlyMap<string, number>;
};

/** An item as `POST /orders/<id>/refunds` takes it. */
export type RefundItem = {
  readonly id: number;
  readonly quantity: number;
  readonly refund_total: string;
  readonly refund_tax: readonly { readonly id: number; readonly refund_total: string }[];
};

const itemsIn = (node: JsonObject): readonly JsonObject[] =>
  ['line_items', 'fee_lines', 'shipping_lines'].flatMap((kind) => objectsOf(node[kind]));

/** Returns the tax by the id of its rate, over all nodes; undefined if an amount is unreadable. */
const taxesIn = (nodes: readonly JsonObject[], currency: string): ReadonlyMap<string, number> | undefined => {
  const taxes = new Map<string, number>();
  for (const { id, total } of nodes.flatMap((node) => objectsOf(node['taxes']))) {
    // A rate that does not apply has an empty text.
    if (total === '' || total === undefined) continue;
    const [rate, amount] = [idOf(id), minorOf(total, currency)];
    if (rate === undefined || amount === undefined) return undefined;
    taxes.set(rate, (taxes.get(rate) ?? 0) + Math.abs(amount));
  }
  return taxes;
};

const paidIn = (nodes: readonly JsonObject[], currency: string): number | undefined =>
  sumOf(
    nodes.flatMap(({ total, total_tax: tax }) => [total, tax ?? '0']),
    currency,
  );

/** Reads an item; undefined if an amount is unreadable or below zero. */
const itemOf = (node: JsonObject, refunds: readonly JsonObject[], currency: string): Item | undefined => {
  const id = idOf(node['id']);
  const earlier = refunds.flatMap(itemsIn).filter((item) => refundedItem(item) === id);
  const [paid, refunded] = [paidIn([node], currency), paidIn(earlier, currency)];
  const [taxes, refundedTaxes] = [taxesIn([node], currency), taxesIn(earlier, currency)];
  if (id === undefined || paid === undefined || paid < 0 || refunded === undefined) return undefined;
  if (taxes === undefined || refundedTaxes === undefined) return undefined;
  const refundedUnits = sum(earlier.map(({ quantity }) => Math.abs(wholeOf(quantity) ?? 0)));
  // Fees and shipping have no units.
  const units = node['quantity'] === undefined ? 1 : wholeOf(node['quantity']);
  if (units === undefined || units < 1) return undefined;
  return { id, units, paid, taxes, refundedUnits, refunded: Math.abs(refunded), refundedTaxes };
};

/** Whether the shop would give the same money for the units, of what is left. The last units get all of it. */
const isShopsPrice = (item: Item, { quantity, gross }: Share): boolean => {
  const left = item.paid - item.refunded;
  const isRest = quantity === item.units - item.refundedUnits && gross === left;
  return gross <= left && (isRest || isShareOf(item, quantity, gross));
};

/** Splits a share into net and tax. Each tax is the part of its running total, so all refunds add up to it exactly. */
const refundItem = (item: Item, { id, quantity, gross }: Share, currency: string): RefundItem => {
  // A free item has no tax to split.
  const taxes = [...(item.paid > 0 ? item.taxes : [])].map(([rate, whole]) => {
    const next = roundHalfUp(BigInt(whole) * BigInt(item.refunded + gross), BigInt(item.paid));
    return { rate, amount: Math.max(0, Number(next) - (item.refundedTaxes.get(rate) ?? 0)) };
  });
  const net = Math.max(0, gross - sum(taxes.map(({ amount }) => amount)));
  return {
    id: Number(id),
    quantity,
    refund_total: amountText(net, currency),
    refund_tax: taxes
      .filter(({ amount }) => amount > 0)
      .map(({ rate, amount }) => ({ id: Number(rate), refund_total: amountText(amount, currency) })),
  };
};

type Items = Result<readonly RefundItem[], Blocked>;

const lineItem = (share: Share, node: JsonObject | undefined, facts: OrderAndRefunds, currency: string): Items => {
  const item = node && itemOf(node, facts.refunds, currency);
  const seen = { orderLineId: share.id };
  if (item === undefined) return fail(blocked('order_line_unreadable', seen));
  const left = item.units - item.refundedUnits;
  if (share.quantity > left) return fail(blocked('units_refunded', { ...seen, quantity: share.quantity, left }));
  if (!isShopsPrice(item, share)) {
    const shop = Number(roundHalfUp(BigInt(item.paid) * BigInt(share.quantity), BigInt(item.units)));
    const amounts = { amount: share.gross, shop, refunded: item.refunded, paid: item.paid };
    return fail(blocked('amount_differs', { ...seen, ...amounts, currency }));
  }
  return ok(share.gross === 0 && share.quantity === 0 ? [] : [refundItem(item, share, currency)]);
};

/** Gives the money for shipping to the shipping lines, in their order. */
const shippingItems = (shipping: number, { order, refunds }: OrderAndRefunds, currency: string): Items => {
  let open = shipping;
  const found: RefundItem[] = [];
  for (const node of objectsOf(order['shipping_lines'])) {
    const item = itemOf(node, refunds, currency);
    const gross = item === undefined ? 0 : Math.min(open, Math.max(0, item.paid - item.refunded));
    if (item !== undefined && gross > 0) found.push(refundItem(item, { id: item.id, quantity: 0, gross }, currency));
    open -= gross;
  }
  if (open === 0) return ok(found);
  return fail(blocked('amount_differs', { part: 'shipping', amount: shipping, shop: shipping - open, currency }));
};

/** An order with all its refunds, as the site has them. */
export type OrderAndRefunds = { readonly order: JsonObject; readonly refunds: readonly JsonObject[] };

/** Returns the items of a refund, or why the site would give other money for a line or for shipping. */
export const refundItems = (refund: WantedRefund, facts: OrderAndRefunds): Items => {
  const { currency } = refund.amount;
  const nodes = new Map(itemsIn(facts.order).map((node) => [idOf(node['id']), node]));
  const items: RefundItem[] = [];
  for (const [id, parts] of Map.groupBy(refund.lines, ({ orderLineId }) => orderLineId)) {
    const share = {
      id,
      quantity: sum(parts.map((part) => part.quantity)),
      gross: sum(parts.map((part) => part.gross)),
    };
    const item = lineItem(share, nodes.get(id), facts, currency);
    if (!item.ok) return item;
    items.push(...item.value);
  }
  const shipping = shippingItems(refund.shipping, facts, currency);
  return shipping.ok ? ok([...items, ...shipping.value]) : shipping;
};
