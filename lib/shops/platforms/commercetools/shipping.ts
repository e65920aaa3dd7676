import type { Money } from '../../../contract/scalars.ts';
import type { OrderFacts } from '../platform.ts';
import { optional } from '../shared/fields/fields.ts';
import { taxesOf } from '../shared/fields/tax-lines.ts';
import { type DeliveryNode, moneyOf, type OrderNode, type ShippingInfoNode, taxLinesOf, taxOf } from './nodes.ts';

type ShippingFacts = NonNullable<OrderFacts['shipping']>;

const factsOf = ({ price, discountedPrice, taxedPrice, taxRate }: ShippingInfoNode): ShippingFacts | undefined => {
  const charged = moneyOf(discountedPrice?.value ?? price);
  const gross = moneyOf(taxedPrice?.totalGross) ?? (taxRate?.includedInPrice === true ? charged : undefined);
  const paid = gross ?? charged;
  if (paid === undefined) return undefined;
  return { paid, ...optional('tax', taxOf(taxedPrice)), ...optional('standardCost', moneyOf(price)) };
};

const methodsOf = ({ shippingInfo, shipping = [] }: OrderNode): readonly ShippingInfoNode[] => [
  ...(shippingInfo === undefined ? [] : [shippingInfo]),
  ...shipping.map((method) => method.shippingInfo),
];

/** Returns the sum of amounts; undefined without amounts, if one is missing, or in several currencies. */
const sumOf = (amounts: readonly (Money | undefined)[]): Money | undefined => {
  const [first] = amounts;
  let total = 0;
  for (const money of amounts) {
    if (first === undefined || money?.currency !== first.currency) return undefined;
    total += money.amount;
  }
  return first && { ...first, amount: total };
};

/**
 * Returns the shipping facts of an order. With the shipping mode `Multiple` an order has several shipping methods, each
 * with a price of its own. The contract has one, so they are summed.
 * https://docs.commercetools.com/api/projects/orders#shippingmode
 *
 * @returns undefined without a shipping method, or if the price of one is unreadable
 */
export const shippingFacts = (order: OrderNode): OrderFacts['shipping'] => {
  const nodes = methodsOf(order);
  const methods = nodes.map(factsOf);
  const paid = sumOf(methods.map((method) => method?.paid));
  if (paid === undefined) return undefined;
  const tax = sumOf(methods.map((method) => method?.tax));
  const standardCost = sumOf(methods.map((method) => method?.standardCost));
  const taxes = taxesOf(nodes.flatMap(taxLinesOf), tax);
  return { paid, ...optional('tax', tax), ...optional('taxes', taxes), ...optional('standardCost', standardCost) };
};

/** Whether an order has a shipping method, or should have one. */
export const hasShipping = (order: OrderNode): boolean =>
  methodsOf(order).length > 0 || (order.shippingMode === 'Multiple' && order.shipping === undefined);

/** Returns the deliveries of an order, from all its shipping methods. */
export const deliveriesOf = (order: OrderNode): readonly DeliveryNode[] =>
  methodsOf(order).flatMap(({ deliveries = [] }) => deliveries);

/** Returns the address of an order. Several shipping methods have one each, which counts if all are in one country. */
export const addressOf = ({ shippingAddress, shipping = [] }: OrderNode): OrderNode['shippingAddress'] => {
  if (shippingAddress !== undefined) return shippingAddress;
  const [first, ...others] = shipping.map((method) => method.shippingAddress);
  return others.every((other) => other?.country === first?.country) ? first : undefined;
};
