import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import {
  accountOf,
  type Account,
  inAdvance,
  inStatus,
  refund,
  reportStatuses,
  situationOf,
  timed,
  withFees,
  withUnits,
} from '../../support/money.ts';
import { eur } from '../../support/orders.ts';

describe('recovery due', () => {
  const overpaid = () => {
    const account = accountOf(inAdvance);
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    return account;
  };
  /** Two units arrive, one of them is refused, and the third is missing. */
  const halfAccepted = { received: 2, missing: 1, accepted: 1, refused: 1 };
  const settle = (account: Account, units: Parameters<typeof withUnits>[1], worth: number) => {
    withUnits(account, units);
    const { state } = situationOf(account);
    account.returns[0] = {
      ...state,
      lines: state.lines.map((line) => ({ ...line, amounts: { ...line.amounts, maxRefundable: eur(worth) } })),
    };
    return situationOf(account).state;
  };

  it('is the amount paid for units that were not accepted, when nothing is outstanding', () => {
    const account = overpaid();
    expect(recoveryDue(situationOf(account).state)).toBe(0);
    const state = settle(account, halfAccepted, 1000);
    expect(recoveryDue(state)).toBe(2000);
    expect(refundStatus(state)).toBe('recovery_due');
  });

  it('includes a fee that was charged after the refund', () => {
    const account = overpaid();
    const { state } = situationOf(account);
    account.returns[0] = { ...state, terms: withFees({ returnShipping: 490 }) };
    expect(recoveryDue(settle(account, { received: 3, accepted: 3 }, 3000))).toBe(490);
  });

  it('excludes a refund that was never paid', () => {
    const account = accountOf(inAdvance);
    refund(account);
    reportStatuses(account, ['submitted']);
    expect(recoveryDue(settle(account, halfAccepted, 1000))).toBe(0);
  });

  it('excludes the cent that rounding gave to another return', () => {
    const account = overpaid();
    expect(recoveryDue(settle(account, { received: 3, accepted: 3 }, 2999))).toBe(0);
  });
});

describe('refund status', () => {
  it('is due as soon as a refund would pay anything', () => {
    const waiting = accountOf(timed('received'));
    expect(refundStatus(situationOf(waiting).state)).toBe('none');
    withUnits(waiting, { received: 1, accepted: 1 });
    inStatus(waiting, 'partially_received');
    expect(refundStatus(situationOf(waiting).state)).toBe('due');
    expect(refundStatus(situationOf(accountOf(withFees({ returnShipping: 3000 }))).state)).toBe('none');
    expect(refundStatus(situationOf(accountOf({ ...defaultTerms })).state)).toBe('none');
  });

  it('is the worst status of the refunds, then follows from their sum', () => {
    const account = accountOf(withFees({ restockingBps: 1000 }));
    const refundStatuses: string[] = [];
    const read = () => refundStatuses.push(refundStatus(situationOf(account).state));
    refund(account, { lines: [{ lineId: 'rln_0_0', quantity: 1 }] });
    read();
    reportStatuses(account, ['submitted', 'unknown']);
    read();
    reportStatuses(account, ['failed']);
    read();
    reportStatuses(account, ['submitted', 'succeeded']);
    read();
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    read();
    expect(refundStatuses).toEqual(['pending', 'unknown', 'failed', 'partially_refunded', 'refunded']);
  });
});
