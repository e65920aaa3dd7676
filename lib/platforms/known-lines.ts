import type { Input } from '../contract/schemas.ts';
import type { SeenRefund } from './follow/seen.ts';

/**
 * A refund without the lines that its order has no more, as when somebody in the shop took them off: the service would
 * refuse the whole of it, and the money was given all the same.
 */
export const ofKnownLines = (refund: SeenRefund, order: Input<'registerOrder'>): SeenRefund => {
  const known = new Set(order.lines.map(({ lineId }) => lineId));
  const { lines, ...money } = refund;
  const kept = lines?.filter(({ orderLineId }) => known.has(orderLineId)) ?? [];
  return kept.length > 0 ? { ...money, lines: kept } : money;
};
