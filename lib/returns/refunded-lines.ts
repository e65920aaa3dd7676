import { liveRefunds, type Refund } from './refund.ts';
import type { Unversioned } from './return.ts';
import { sum } from './sum.ts';

/** The return with these refunds, and with what they paid of each of its lines. */
export const withRefunds = (
  { lines }: Pick<Unversioned, 'lines'>,
  refunds: readonly Refund[],
): Pick<Unversioned, 'lines' | 'refunds'> => {
  const shares = liveRefunds({ refunds }).flatMap(({ returnLines }) => returnLines);
  return {
    refunds,
    lines: lines.map((line) => {
      const own = shares.filter(({ lineId }) => lineId === line.id);
      const units = sum(own.map(({ quantity }) => quantity));
      const amount = sum(own.map(({ gross }) => gross.amount));
      return {
        ...line,
        quantities: { ...line.quantities, refunded: units },
        amounts: { ...line.amounts, refunded: { ...line.amounts.refunded, amount } },
      };
    }),
  };
};
