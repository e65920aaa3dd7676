import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { withCurrentWorth } from '../../../lib/domain/returns/money/revalue.ts';
import {
  type Account,
  beginReturn,
  inAdvance,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  withFees,
  withUnits,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

/** Returns an account with two returns of a unit each. The two units cost 29.89 together, and the first one 14.95. */
const twoReturns = (): Account => {
  const account = openAccount(
    order({ lines: [orderLine({ quantity: 2, unitPrice: eur(1500), discountTotal: eur(11) })] }),
  );
  beginReturn(account, { 1: 1 }, withFees({ restockingBps: 1000 }, inAdvance));
  beginReturn(account, { 1: 1 }, withFees({ restockingBps: 1000 }, inAdvance));
  return account;
};

describe('a return after a refund of another return of the order', () => {
  it('has a quote and a fee of the current worth, and completes after its refund', () => {
    const account = twoReturns();
    refund(account, {}, 0);
    reportStatuses(account, ['submitted', 'succeeded'], 0);
    const quoted = quote(situationOf(account, 1), {});
    expect(quoted).toMatchObject({
      value: { total: eur(1345), breakdown: { deductions: [{ type: 'restocking', amount: eur(149) }] } },
    });
    refund(account, {}, 1);
    reportStatuses(account, ['submitted', 'succeeded'], 1);
    const [line] = account.returns[1]?.lines ?? [];
    expect(line?.amounts.maxRefundable).toEqual(eur(1494));
    withUnits(account, { received: 1, accepted: 1 }, 1);
    account.returns[1] = { ...situationOf(account, 1).state, status: 'inspected' };
    const { state } = situationOf(account, 1);
    expect([feesOf(state)[0]?.amount, owed(state)]).toEqual([eur(149), 0]);
    expect(complete(situationOf(account, 1), {}).ok).toBe(true);
  });

  it('stores the current worth with its next command, and reads it before', () => {
    const account = twoReturns();
    refund(account, {}, 0);
    const stored = account.returns[1];
    const { state, stale } = situationOf(account, 1);
    expect(stored?.lines[0]?.amounts.gross).toEqual(eur(1495));
    expect([state.lines[0]?.amounts.gross, stale]).toEqual([eur(1494), new Set(['rln_1_0'])]);
    refund(account, {}, 1);
    expect(account.returns[1]?.lines[0]?.amounts.gross).toEqual(eur(1494));
    const cancelled = reportStatuses(account, ['cancelled'], 1);
    expect(cancelled.lines[0]?.amounts.gross).toEqual(eur(1494));
  });

  it('keeps the stored worth when the facts of the order are removed', () => {
    const account = twoReturns();
    refund(account, {}, 0);
    const [, stored] = account.returns;
    expect(stored && withCurrentWorth(stored, undefined, account.ledger).state).toBe(stored);
  });

  it('is the stored state while its worth is current', () => {
    const account = twoReturns();
    expect(situationOf(account, 1).state).toBe(account.returns[1]);
  });
});
