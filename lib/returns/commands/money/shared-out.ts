import { live } from '../../goods/quantities.ts';
import type { RefundedLine, ReturnLineShare } from '../../model/refund.ts';
import type { Line } from '../../model/return.ts';

/** Units of order lines that were refunded, but that no return holds. */
export type Alone = readonly { readonly orderLineId: string; readonly quantity: number }[];

/** The share of `part` of `quantity` units in an amount, rounded down; the product may exceed what a number can hold. */
const floorShare = (amount: number, part: number, quantity: number): number =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(quantity));

/** Shares refunded units out to a return's lines, each as far as it has units; what is left over is refunded alone. */
export const sharedOut = (
  lines: readonly Line[],
  refunded: readonly RefundedLine[],
): { lines: readonly ReturnLineShare[]; alone: Alone } => {
  const shares: ReturnLineShare[] = [];
  const alone: Alone[number][] = [];
  for (const { orderLineId, quantity, gross } of refunded) {
    let units = quantity;
    let money = gross.amount;
    const own = lines.filter((line) => line.orderLineId === orderLineId);
    for (const [index, { id, quantities }] of own.entries()) {
      const part = Math.min(units, Math.max(0, live(quantities) - quantities.refunded));
      // The last line of the return takes what is left of the money, so that none of it is lost.
      const share = index === own.length - 1 ? money : floorShare(gross.amount, part, quantity);
      if (part > 0 || share > 0) shares.push({ lineId: id, quantity: part, gross: { ...gross, amount: share } });
      units -= part;
      money -= share;
    }
    if (units > 0) alone.push({ orderLineId, quantity: units });
  }
  return { lines: shares, alone };
};
