import type { Return } from '../return.ts';
import { sum } from '../sum.ts';
import { liveExchanges, type Exchange } from './exchanges.ts';
import { liveRefunds } from './refund.ts';

/** What the shop pays beside the new item of an exchange, in minor units; where nobody says its price, all of the credit. */
export const paidBeside = ({ balance, credit }: Pick<Exchange, 'balance' | 'credit'>): number =>
  balance === undefined ? credit.amount : Math.max(0, -balance.amount);

/** What may still be paid for a return without an admin, in minor units; undefined where there is no limit. */
export const leftToApprove = ({ refunds, exchanges, terms, lines }: Return): number | undefined => {
  const { refundApprovalLimit } = terms;
  const currency = lines[0]?.amounts.gross.currency ?? '';
  const limit = Object.hasOwn(refundApprovalLimit, currency) ? refundApprovalLimit[currency] : undefined;
  if (limit === undefined) return undefined;
  // All that is paid for a return together: a limit that two steps get around is none.
  const own = liveRefunds({ refunds }).filter(({ external }) => external === undefined);
  const paid = sum([...own.map(({ amount }) => amount.amount), ...liveExchanges({ exchanges }).map(paidBeside)]);
  return Math.max(0, limit - paid);
};
