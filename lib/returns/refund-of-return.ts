import type { RefundRecorded } from './entry.ts';
import { live } from './quantities.ts';
import type { Excess, RefundedLine } from './refund.ts';
import type { Return } from './return.ts';

/** Shares the refunded units out to the return's lines; what they have no room for goes beyond the return. */
export const sharedOut = (
  state: Return,
  refunded: readonly RefundedLine[],
): { lines: RefundRecorded['lines']; excess: Excess[] } => {
  const lines: RefundRecorded['lines'][number][] = [];
  const excess: Excess[] = [];
  for (const { orderLineId, quantity, gross } of refunded) {
    let units = quantity;
    let money = gross.amount;
    const own = state.lines.filter((line) => line.orderLineId === orderLineId);
    for (const [index, { id, quantities }] of own.entries()) {
      const part = Math.min(units, Math.max(0, live(quantities) - quantities.refunded));
      // The last line of the return takes what is left of the money, so that none of it is lost.
      const share = index === own.length - 1 ? money : Math.floor((gross.amount * part) / quantity);
      if (part > 0 || share > 0) lines.push({ lineId: id, quantity: part, gross: { ...gross, amount: share } });
      units -= part;
      money -= share;
    }
    if (units > 0)
      excess.push(['refund_exceeds_return', `More units of line ${orderLineId} were refunded than are returned.`]);
  }
  return { lines, excess };
};
