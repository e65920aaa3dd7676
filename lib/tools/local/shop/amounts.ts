import type { ShopLine, ShopOrder } from './orders.ts';

/* The amounts of the shop, in thousandths of the main unit: no currency of its orders has more digits. */

const steps: Readonly<Record<string, number>> = { JPY: 1000, KWD: 1 };

/** Reads a decimal text. */
export const thousandths = (text: string): number => {
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
};

/** Writes a decimal text with the digits of no currency in particular, as Shopify does. */
export const decimalOf = (amount: number): string =>
  `${Math.floor(amount / 1000)}.${String(amount % 1000)
    .padStart(3, '0')
    .replace(/0{1,2}$/, '')}`;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const paidFor = ({ unitPrice, quantity, discounts, taxes }: ShopLine, taxesIncluded: boolean): number =>
  thousandths(unitPrice) * quantity -
  sum(discounts.map(thousandths)) +
  (taxesIncluded ? 0 : sum(taxes.map(thousandths)));

/** What the customer paid. */
export const paidForOrder = ({ lines, shipping, duties, taxesIncluded }: ShopOrder): number =>
  sum(lines.map((line) => paidFor(line, taxesIncluded))) +
  thousandths(shipping.discounted) +
  (taxesIncluded ? 0 : thousandths(shipping.tax)) +
  thousandths(duties ?? '0.0');

/** What units of a line are worth after units that were refunded before: shares of a running total. */
export const worthOf = (
  { lines, currency, taxesIncluded }: ShopOrder,
  lineId: string,
  before: number,
  units: number,
): number => {
  const line = lines.find(({ id }) => id === lineId);
  if (line === undefined) return 0;
  const step = steps[currency] ?? 10;
  const upTo = (count: number) => Math.round((paidFor(line, taxesIncluded) * count) / line.quantity / step) * step;
  return upTo(before + units) - upTo(before);
};
