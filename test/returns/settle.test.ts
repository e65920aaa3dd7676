import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete } from '../../lib/returns/commands/endings.ts';
import { recordRefund } from '../../lib/returns/commands/money/record-refund.ts';
import { paidForOrder } from '../../lib/returns/money/amounts.ts';
import { quote } from '../../lib/returns/money/quote.ts';
import { owed, recoveryDue } from '../../lib/returns/money/recovery.ts';
import { beginReturn, now, openAccount, refund, situationOf, sumOfRefunds, tell } from '../support/money.ts';
import { eur, order, orderLine } from '../support/orders.ts';
import { runs } from '../support/samples.ts';
import { settleAll } from './one-order/settle.ts';
import { liveThrough, stories } from './one-order/share.ts';

/** An order of 100.00 with an account, and money that was given for it and for none of its returns. */
const withGoodwill = (amount: number) => {
  const account = openAccount(order({ lines: [orderLine({ quantity: 2, unitPrice: eur(5000) })] }));
  const moved = { amount: eur(amount), method: 'manual', occurredAt: now } as const;
  const ids = { id: 'rfd_x', externalId: '1', now, latest: now };
  const decision = recordRefund(account.order, account.ledger, undefined, moved, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  account.ledger = decision.value.ledger;
  return account;
};

describe('money that was given for an order and for none of its returns', () => {
  it('is taken off the quote that would exceed what was paid, as paid before', () => {
    const account = withGoodwill(100);
    beginReturn(account, { 1: 2 });
    expect(quote(situationOf(account), {})).toMatchObject({
      value: { total: eur(9900), breakdown: { deductions: [{ type: 'paid_before', amount: eur(100) }] } },
    });
    refund(account);
    const state = tell(account, ['submitted', 'succeeded']);
    expect([owed(state), recoveryDue(state)]).toEqual([0, 0]);
  });

  it('is taken off the last return alone, and again where a refund is reversed', () => {
    const account = withGoodwill(100);
    beginReturn(account, { 1: 1 });
    beginReturn(account, { 1: 1 });
    expect(refund(account, {}, 0).refunds[0]).toMatchObject({ amount: eur(5000), breakdown: { deductions: [] } });
    expect(refund(account, {}, 1).refunds[0]).toMatchObject({ amount: eur(4900) });
    tell(account, ['submitted', 'succeeded', 'reversed'], 1);
    expect(refund(account, {}, 1).refunds[1]).toMatchObject({ amount: eur(4900) });
    expect(sumOfRefunds(account) + 100).toBe(Number(paidForOrder(account.order)));
  });

  it('lets a return complete that nothing is left to pay for', () => {
    const account = withGoodwill(10_000);
    const state = beginReturn(account, { 1: 2 });
    const [line] = state.lines;
    if (line === undefined) throw new Error('no line');
    account.returns[0] = {
      ...state,
      status: 'inspected',
      lines: [{ ...line, quantities: { ...line.quantities, received: 2, accepted: 2 } }],
    };
    expect(complete(situationOf(account), {}).ok).toBe(true);
  });
});

it('has a sequence of allowed commands that settles all money, from every reachable state', () => {
  fc.assert(
    fc.property(stories(24), (story) => {
      const { account } = liveThrough(story);
      settleAll(account);
      for (const state of account.returns) expect(recoveryDue(state)).toBe(0);
    }),
    { numRuns: runs(250), seed: 20261124 },
  );
});
