import { describe, expect, it } from 'vitest';
import { exchange } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { applyResult, inAdvance, now, openAccount, refund, reportStatuses, situationOf } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

describe('two lines of a return with one order line', () => {
  it('share what an exchange left of a unit that a recorded refund paid in part', () => {
    const account = openAccount(order({ lines: [orderLine({ quantity: 3, unitPrice: eur(2000) })] }));
    const one = { orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } };
    const ids = { id: 'ret_0', rmaNumber: '0', lineIds: ['rln_0', 'rln_1'], subject: 'x' };
    const { order: sold, ledger } = account;
    applyResult(account, createReturn({ order: sold, ledger, now }, { lines: [one, one] }, inAdvance, ids));
    const newItem = { sku: 'NEW', quantity: 1 };
    applyResult(account, exchange(situationOf(account), 'exc_0', { lineId: 'rln_0', quantity: 1, newItem }));
    const facts = { amount: eur(500), method: 'manual', occurredAt: now, lines: [one] } as const;
    const alone = { id: 'rfd_x', externalId: 'x', now, latest: now };
    const recorded = recordRefund(account.order, account.ledger, undefined, facts, alone);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    account.ledger = recorded.value.ledger;
    expect(owed(situationOf(account).state)).toBe(3500);
    expect(refund(account).refunds).toMatchObject([{ amount: eur(3500) }]);
    const state = reportStatuses(account, ['succeeded']);
    expect([owed(state), recoveryDue(state)]).toEqual([0, 0]);
  });
});
