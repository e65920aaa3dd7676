import type { OrderFacts, OrderLine } from '../../platform.ts';
import type { RemoteRefund } from '../sync/remote-return.ts';

/**
 * A refund with no other lines, nor more units of them, than its order has now: somebody in the shop may have taken some
 * off since. The service would refuse the whole of it, and the money was given all the same.
 */
export const limitToOrderLines = (refund: RemoteRefund, order: Pick<OrderFacts, 'lines'>): RemoteRefund => {
  const sold = new Map(order.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const { lines = [], ...money } = refund;
  const kept = lines.flatMap((line) => {
    const maximum = sold.get(line.orderLineId);
    return maximum === undefined ? [] : [{ ...line, quantity: Math.min(line.quantity, maximum) }];
  });
  return kept.length > 0 ? { ...money, lines: kept } : money;
};

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
