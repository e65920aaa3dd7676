import type { Money } from '../../../contract/scalars.ts';
import { share } from '../../../domain/money/proration.ts';
import { sum } from '../../../runtime/sum.ts';
import type { OrderLine } from '../platform.ts';
import { optional } from '../shared/fields/fields.ts';
import { taxesOf } from '../shared/fields/tax-lines.ts';
import { moneyOf, type OrderNode } from './nodes.ts';

/** A discount on the whole order, in minor units: without tax, and the tax in it. */
type TotalDiscount = { readonly net: number; readonly tax: number };

/**
 * Reads the discount on the total price of an order.
 * Without the taxes of the order, it has one amount.
 * https://docs.commercetools.com/api/projects/carts#discountontotalprice
 *
 * @returns undefined if it is unreadable
 */
const discountOf = (
  { discountedAmount, discountedGrossAmount, discountedNetAmount }: NonNullable<OrderNode['discountOnTotalPrice']>,
  currency: string,
): TotalDiscount | undefined => {
  const gross = moneyOf(discountedGrossAmount ?? discountedAmount);
  const net = discountedGrossAmount === undefined ? gross : moneyOf(discountedNetAmount ?? discountedGrossAmount);
  if (gross?.currency !== currency || net?.currency !== currency || net.amount > gross.amount) return undefined;
  return { net: net.amount, tax: gross.amount - net.amount };
};

/** Returns the shares of parts in an amount, which add up to the amount. Each share is at most its part. */
const sharesOf = (amount: number, parts: readonly number[]): readonly number[] => {
  const paid = { total: BigInt(amount), units: BigInt(sum(parts)) };
  let granted = { units: 0n, amount: 0n };
  return parts.map((part) => {
    if (paid.units === 0n) return 0;
    const units = BigInt(part);
    const own = share(paid, granted, units);
    granted = { units: granted.units + units, amount: granted.amount + own };
    return Number(own);
  });
};

const taxIn = ({ taxTotal }: OrderLine): number => taxTotal?.amount ?? 0;
/** Returns what was paid for a line without tax. */
const netOf = (line: OrderLine): number => {
  const price = line.unitPrice.amount * line.quantity - (line.discountTotal?.amount ?? 0);
  return line.taxIncluded === true ? Math.max(0, price - taxIn(line)) : price;
};

/** Returns the tax lines of a lowered tax. The discount states no rates, so several lines stay only if it lowers none. */
const leftOf = (taxes: OrderLine['taxes'] = [], tax: Money | undefined): OrderLine['taxes'] => {
  const [only, ...others] = taxes;
  return taxesOf(only === undefined || others.length > 0 ? taxes : [tax && { ...only, amount: tax }], tax);
};

/**
 * Shares the discount on the total price of an order over its lines, by what was paid for them.
 * The tax in the discount is shared by the taxes of the lines.
 *
 * @returns undefined if the discount is unreadable, or exceeds what was paid for the lines
 */
export const withTotalDiscount = (
  lines: readonly OrderLine[],
  { discountOnTotalPrice, totalPrice: { currencyCode: currency } }: OrderNode,
): readonly OrderLine[] | undefined => {
  if (!discountOnTotalPrice) return lines;
  const discount = discountOf(discountOnTotalPrice, currency);
  const [nets, taxes] = [lines.map(netOf), lines.map(taxIn)];
  if (discount === undefined || discount.net > sum(nets) || discount.tax > sum(taxes)) return undefined;
  const [ofNet, ofTax] = [sharesOf(discount.net, nets), sharesOf(discount.tax, taxes)];
  return lines.map((line, index) => {
    const [net = 0, tax = 0] = [ofNet[index], ofTax[index]];
    const lowered = (line.discountTotal?.amount ?? 0) + net + (line.taxIncluded === true ? tax : 0);
    const { taxes, taxTotal, ...untaxed } = line;
    const left = taxTotal && { amount: taxTotal.amount - tax, currency };
    return {
      ...untaxed,
      discountTotal: { amount: lowered, currency },
      ...optional('taxTotal', left),
      ...optional('taxes', leftOf(taxes, left)),
    };
  });
};
