import type { OrderLine } from '../../platform.ts';

/** What a customer paid for all units of a line, in minor units: `paid` after discounts, `listed` before; both with or without tax. */
export type LineSum = { readonly quantity: number; readonly listed: number; readonly paid: number };

/**
 * A price per unit and a discount that come to exactly what was paid for the line: platforms that tell of sums may have
 * divided them into prices with more digits than the currency has.
 */
export const pricesOf = (
  { quantity, listed, paid }: LineSum,
  currency: string,
): Required<Pick<OrderLine, 'unitPrice' | 'discountTotal'>> => {
  const unit = Math.ceil(Math.max(listed, paid) / quantity);
  return {
    unitPrice: { amount: unit, currency },
    discountTotal: { amount: unit * quantity - paid, currency },
  };
};
