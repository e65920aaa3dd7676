import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { paidForOrder } from '../../../lib/domain/returns/money/amounts.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import {
  beginReturn,
  now,
  openAccount,
  refund,
  situationOf,
  sumOfRefunds,
  reportStatuses,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';
import type { Act } from './one-order/act.ts';
import { settle } from './one-order/settle.ts';
import { liveThrough, soldAs, stories, termsOf } from './one-order/share.ts';

/** Returns an account of an order of 100.00, with goodwill money outside its returns. */
const withGoodwill = (amount: number) => {
  const account = openAccount(order({ lines: [orderLine({ quantity: 2, unitPrice: eur(5000) })] }));
  const moved = { amount: eur(amount), method: 'manual', occurredAt: now } as const;
  const ids = { id: 'rfd_x', externalId: '1', now, latest: now };
  const decision = recordRefund(account.order, account.ledger, undefined, moved, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  account.ledger = decision.value.ledger;
  return account;
};

describe('goodwill outside the returns of an order', () => {
  it('reduces a quote that would exceed the amount paid, as paid before', () => {
    const account = withGoodwill(100);
    beginReturn(account, { 1: 2 });
    expect(quote(situationOf(account), {})).toMatchObject({
      value: { total: eur(9900), breakdown: { deductions: [{ type: 'paid_before', amount: eur(100) }] } },
    });
    refund(account);
    const state = reportStatuses(account, ['submitted', 'succeeded']);
    expect([owed(state), recoveryDue(state)]).toEqual([0, 0]);
  });

  it('reduces only the last return, and again when a refund is reversed', () => {
    const account = withGoodwill(100);
    beginReturn(account, { 1: 1 });
    beginReturn(account, { 1: 1 });
    expect(refund(account, {}, 0).refunds[0]).toMatchObject({ amount: eur(5000), breakdown: { deductions: [] } });
    expect(refund(account, {}, 1).refunds[0]).toMatchObject({ amount: eur(4900) });
    reportStatuses(account, ['submitted', 'succeeded', 'reversed'], 1);
    expect(refund(account, {}, 1).refunds[1]).toMatchObject({ amount: eur(4900) });
    expect(sumOfRefunds(account) + 100).toBe(Number(paidForOrder(account.order, account.ledger)));
  });

  it('lets a return complete when nothing is left to pay', () => {
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

it('the money of returns is settled when rounding moves between them in a promotion of an order paid in part', () => {
  const payments = { weights: [1], percent: 30 };
  const sold = soldAs({ currency: 'JPY', taxIncluded: false, shipping: 0, promotion: 'units', payments });
  const none = [0, 0, 0];
  const doings: readonly Act[] = [
    { name: 'createReturn', which: 0, units: [0, 1, 0], dice: 0 },
    { name: 'createReturn', which: 0, units: [1, 1, 0], dice: 0 },
    { name: 'exchange', which: 1, units: none, dice: 3 },
    { name: 'amendReturn', which: 0, units: [1, 1, 0], dice: 0 },
    { name: 'recordRefund', which: 0, units: none, dice: 2 },
    { name: 'exchange', which: 3, units: none, dice: 0 },
    { name: 'exchange', which: 0, units: none, dice: 0 },
    { name: 'createReturn', which: 0, units: [0, 2, 0], dice: 0 },
    { name: 'createReturn', which: 0, units: [0, 1, 0], dice: 0 },
    { name: 'receive', which: 0, units: none, dice: 10 },
    { name: 'recordRefund', which: 0, units: [1, 0, 0], dice: 4 },
    { name: 'exchange', which: 2, units: none, dice: 0 },
  ];
  // Each return paid back the minor unit that the other one had taken again.
  expect(settle(liveThrough({ sold, terms: termsOf('in_transit'), doings }))).toEqual([]);
});

it('a refund after the cancellation of a dearer item pays no more than the promotion leaves', () => {
  const sold = soldAs({ currency: 'JPY', taxIncluded: false, shipping: 2, promotion: 'units', payments: undefined });
  const of = { which: 0, units: [1, 1, 1], dice: 1 };
  const doings: readonly Act[] = [
    { ...of, name: 'createReturn' },
    { ...of, name: 'exchange', dice: 9 },
    { ...of, name: 'exchangeResult' },
    { ...of, name: 'refund', dice: 0 },
    { ...of, name: 'exchangeResult', dice: 0 },
  ];
  const { account } = liveThrough({ sold, terms: termsOf('approved'), doings });
  const { state } = situationOf(account);
  expect(state.exchanges).toMatchObject([{ gross: { amount: 274 }, balance: { amount: 1076 }, status: 'cancelled' }]);
  // Goods of 1468 less a fee of 624. The goods of this refund bear 274 of the 506 that are open.
  expect(owed(state)).toBe(844);
  expect(quote(situationOf(account), {})).toMatchObject({
    value: {
      total: { amount: 844 },
      breakdown: {
        deductions: [
          { type: 'promotion', amount: { amount: 274 } },
          { type: 'paid_before', amount: { amount: 232 } },
        ],
        exchange: { amount: 1076 },
      },
    },
  });
});

it('the money of a return can always be settled by allowed commands, from every reachable state', () => {
  fc.assert(
    fc.property(stories(24), (story) => {
      expect(settle(liveThrough(story))).toEqual([]);
    }),
    { numRuns: runs(250), seed: 20261124 },
  );
});
