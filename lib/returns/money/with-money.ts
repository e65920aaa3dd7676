import { bookings } from './bookings.ts';
import type { Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';

type Money = Pick<Unversioned, 'refunds' | 'recoveries'>;

/** The return with these refunds and recoveries, and with what was refunded of each of its lines after them. */
export const withMoney = (
  { lines, refunds, recoveries }: Pick<Unversioned, 'lines'> & Money,
  changed: Partial<Money>,
): Pick<Unversioned, 'lines'> & Money => {
  const money = { refunds, recoveries, ...changed };
  const shares = bookings(money).flatMap(({ returnLines }) => returnLines);
  return {
    ...money,
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
