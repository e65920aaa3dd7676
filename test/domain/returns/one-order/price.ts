import type { Money, Order, OrderLine } from '../../../../lib/domain/returns/model/order.ts';

/* What was paid for an order, by its facts alone, in BigInt. */

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** Returns an amount in minor units; 0 for none. */
export const minorUnits = (money: Money | undefined): bigint => BigInt(money?.amount ?? 0);

/** Returns what was paid for a line. */
export const priceOfLine = ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }: OrderLine): bigint =>
  minorUnits(unitPrice) * BigInt(quantity) -
  minorUnits(discountTotal) +
  (taxIncluded === true ? 0n : minorUnits(taxTotal));

/** Returns what was paid for an order. */
export const priceOfOrder = ({ facts: { lines, shipping, charges = [] } }: Pick<Order, 'facts'>): bigint =>
  sum([...lines.map(priceOfLine), minorUnits(shipping?.paid), ...charges.map(({ paid }) => minorUnits(paid))]);

/** Returns what the payments of an order are together; undefined while it may have others. */
export const paidOfOrder = ({
  facts: { payments = [], paymentsComplete },
}: Pick<Order, 'facts'>): bigint | undefined =>
  paymentsComplete === true ? sum(payments.map(({ paid }) => minorUnits(paid))) : undefined;
