import { expect } from 'vitest';
import type { Return } from '../../../../lib/domain/returns/model/return.ts';
import { openExchanges } from '../../../../lib/domain/returns/money/exchanges.ts';
import { quote } from '../../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import { payableNow } from '../../../../lib/domain/returns/money/refund-status.ts';
import { type Obligation, obligationsOf, openAmount } from '../../../../lib/domain/returns/rules/obligations.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';

/** Checks that the obligations of a return are its balance, and that what is due is what may be paid now. */
export const expectObligations = (state: Return): void => {
  const obligations = obligationsOf(state);
  const sumOf = (debtor: Obligation['debtor'], part: (obligation: Obligation) => number): number =>
    obligations.reduce((total, one) => total + (one.debtor === debtor ? part(one) : 0), 0);
  for (const { amount, booked, settled } of obligations) {
    expect(Math.min(amount - 1, booked, settled)).toBeGreaterThanOrEqual(0);
    expect(booked + settled).toBeLessThanOrEqual(amount);
  }
  expect(sumOf('shop', ({ due }) => due)).toBe(payableNow(state));
  expect(sumOf('customer', ({ due }) => due)).toBe(recoveryDue(state));
  const ofShop = state.status === 'completed' && state.waiver !== undefined ? 0 : Math.max(0, owed(state));
  expect(sumOf('shop', openAmount) - sumOf('customer', openAmount)).toBe(ofShop - recoveryDue(state));
};

/** Checks that a refund pays at most what is owed for the goods, but for the rounding of its lines. */
export const expectQuoteIsOwed = (situation: Situation): void => {
  const { state } = situation;
  const quoted = quote(situation, {});
  // An item that is not fulfilled may be cancelled, so a refund does not wait for it.
  if (!quoted.ok || openExchanges(state).length > 0) return;
  const { total, breakdown } = quoted.value;
  const owing = BigInt(Math.max(0, owed(state))) + BigInt(state.lines.length);
  expect(BigInt(total.amount) - BigInt(breakdown.shipping.amount)).toBeLessThanOrEqual(owing);
};
