import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { addParcel, updateParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { deadlinesOf } from '../../../lib/domain/returns/rules/deadlines.ts';
import {
  accountOf,
  type Account,
  applyResult,
  inAdvance,
  inStatus,
  now,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  timed,
  withFees,
  withUnits,
} from '../../support/money.ts';
import { eur, order } from '../../support/orders.ts';

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

  it.each(['none', 'repair'] as const)('is none, without a due date, for the resolution %s', (resolution) => {
    const account = openAccount(order());
    const line = { orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' }, resolution };
    const ids = { id: 'ret_0', rmaNumber: '0', lineIds: ['rln_0_0'], subject: 'shopify:7' };
    const terms = { ...defaultTerms, approval: 'auto' } as const;
    applyResult(
      account,
      createReturn({ order: account.order, ledger: account.ledger, now }, { lines: [line] }, terms, ids),
    );
    applyResult(account, receive(situationOf(account), { lines: [{ lineId: 'rln_0_0', quantity: 1 }] }, ['unx_0']));
    const found = { id: 'ins_0', lineId: 'rln_0_0', quantity: 1, outcome: 'accept' } as const;
    const inspected = applyResult(account, inspect(situationOf(account), { lines: [found] }));
    if (resolution === 'repair') {
      applyResult(account, addParcel(situationOf(account), {}, 'pcl_0'));
      applyResult(account, updateParcel(situationOf(account), 'pcl_0', { status: 'in_transit' }));
    }
    const completed = applyResult(account, complete(situationOf(account), {}));
    for (const state of [inspected, completed])
      expect([refundStatus(state), deadlinesOf(state).refundDueBy]).toEqual(['none', undefined]);
  });
});
