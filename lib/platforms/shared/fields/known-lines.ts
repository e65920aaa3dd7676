import type { SeenRefund } from '../sync/seen.ts';
import type { OrderFacts } from '../../platform.ts';

/**
 * A refund with no other lines, nor more units of them, than its order has now: somebody in the shop may have taken some
 * off since. The service would refuse the whole of it, and the money was given all the same.
 */
export const ofKnownLines = (refund: SeenRefund, order: Pick<OrderFacts, 'lines'>): SeenRefund => {
  const sold = new Map(order.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const { lines = [], ...money } = refund;
  const kept = lines.flatMap((line) => {
    const most = sold.get(line.orderLineId);
    return most === undefined ? [] : [{ ...line, quantity: Math.min(line.quantity, most) }];
  });
  return kept.length > 0 ? { ...money, lines: kept } : money;
};
