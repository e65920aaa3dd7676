import type { Return, Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';
import { liveExchanges } from './exchanges.ts';
import type { Exchange } from '../model/refund.ts';
import type { Ledger } from './ledger.ts';
import { liveRefunds } from './refund.ts';

/** What the shop pays beside the new item of an exchange, in minor units; where nobody says its price, all of the credit. */
export const paidBeside = ({ balance, credit }: Pick<Exchange, 'balance' | 'credit'>): number =>
  balance === undefined ? credit.amount : Math.max(0, -balance.amount);

/** What commands of the service paid for a return, in minor units: refunds from outside are not among it. */
export const ownPayments = ({ refunds, exchanges }: Pick<Unversioned, 'refunds' | 'exchanges'>): number => {
  const own = liveRefunds({ refunds }).filter(({ external }) => external === undefined);
  return sum([...own.map(({ amount }) => amount.amount), ...liveExchanges({ exchanges }).map(paidBeside)]);
};

/**
 * What may still be paid for a return without an admin, in minor units; undefined where there is no limit. The limit
 * counts all returns of the order. Without the order's ledger it counts only this return, and the answer may be too high.
 */
export const leftToApprove = (state: Return, ledger?: Ledger): number | undefined => {
  const { refundApprovalLimit } = state.terms;
  const currency = state.lines[0]?.amounts.gross.currency ?? '';
  const limit = Object.hasOwn(refundApprovalLimit, currency) ? refundApprovalLimit[currency] : undefined;
  if (limit === undefined) return undefined;
  return Math.max(0, limit - Math.max(ownPayments(state), ledger?.given.own ?? 0));
};
