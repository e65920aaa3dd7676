import type { Money } from '../../../../contract/scalars.ts';
import { share } from '../../../../domain/money/proration.ts';
import type { OrderFacts, OrderLine } from '../../platform.ts';
import type { RemoteRefund } from '../sync/remote-return.ts';

/**
 * Limits a refund to the lines and units that its order has now.
 * The shop may have removed some since. The service would reject the whole refund, although the money was paid.
 */
export const limitToOrderLines = (refund: RemoteRefund, order: Pick<OrderFacts, 'lines'>): RemoteRefund => {
  const sold = new Map(order.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const { lines = [], ...money } = refund;
  const soldLines = lines.flatMap((line) => {
    const maximum = sold.get(line.orderLineId);
    return maximum === undefined ? [] : [{ ...line, quantity: Math.min(line.quantity, maximum) }];
  });
  return soldLines.length > 0 ? { ...money, lines: soldLines } : money;
};

/**
 * The amount paid for all units of a line, in minor units.
 * `paid` is after discounts, `listed` before. Both are with or without tax.
 */
export type LineSum = { readonly quantity: number; readonly listed: number; readonly paid: number };

/**
 * Returns a unit price and a discount that equal the amount paid for the line.
 * Platforms that report sums may have divided them into prices with more digits than the currency has.
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

/** Returns the part of an amount of all units that belongs to some of them. */
export const partOfUnits = (money: Money | undefined, units: number, part: number): Money | undefined =>
  money && {
    ...money,
    amount: Number(
      share({ total: BigInt(money.amount), units: BigInt(units) }, { units: 0n, amount: 0n }, BigInt(part)),
    ),
  };
