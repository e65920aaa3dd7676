import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outstanding, undecided } from '../../../lib/domain/returns/goods/quantities.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { payableNow } from '../../../lib/domain/returns/money/refund-status.ts';
import { obligationsOf, openAmount } from '../../../lib/domain/returns/rules/obligations.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { recordRecovery } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { anyLife, visitLife } from '../../support/any-return.ts';
import {
  accountOf,
  applyResult,
  beginReturn,
  inAdvance,
  now,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  timed,
  withFees,
} from '../../support/money.ts';
import { sealed } from '../../support/return-case.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const openOf = (state: Return, debtor: 'shop' | 'customer'): number =>
  obligationsOf(state)
    .filter((obligation) => obligation.debtor === debtor)
    .reduce((total, obligation) => total + openAmount(obligation), 0);

describe('the obligations of a return', () => {
  it('that are open are what the shop owes and what the customer owes, in every reachable state', () => {
    fc.assert(
      fc.property(anyLife, (life) =>
        visitLife(life, ({ state }) => {
          for (const { amount, booked, settled } of obligationsOf(state)) {
            expect(Math.min(amount - 1, booked, settled)).toBeGreaterThanOrEqual(0);
            expect(booked + settled).toBeLessThanOrEqual(amount);
          }
          const dueOf = (debtor: 'shop' | 'customer') =>
            obligationsOf(state).reduce((total, one) => total + (one.debtor === debtor ? one.due : 0), 0);
          expect([dueOf('shop'), dueOf('customer')]).toEqual([payableNow(state), recoveryDue(state)]);
          const isOpen = state.lines.some(({ quantities }) => undecided(quantities) + outstanding(quantities) > 0);
          if (isOpen) return;
          const [shop, customer] = [openOf(state, 'shop'), openOf(state, 'customer')];
          expect({ shop, customer, status: state.status }).toEqual({
            // A reopened return owes again what its completion waived.
            shop: state.status === 'completed' && state.waiver ? 0 : Math.max(0, owed(state)),
            customer: recoveryDue(state),
            status: state.status,
          });
        }),
      ),
      { numRuns: runs(400) },
    );
  });

  it('of a cheaper exchange are settled by a waiver', () => {
    const account = accountOf(inAdvance, 1);
    const newItem = { sku: 'NEW', quantity: 1, price: eur(600) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    const state = { ...situationOf(account).state, status: 'completed', waiver: { reason: sealed('why') } } as const;
    expect(obligationsOf(state)).toMatchObject([{ cause: 'exchange', amount: 400, settled: 400, due: 0 }]);
  });

  it('of a dearer exchange that goods pay are settled by a waiver too', () => {
    const account = accountOf(inAdvance, 2);
    const newItem = { sku: 'NEW', quantity: 1, price: eur(1300) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    const state = { ...situationOf(account).state, status: 'completed', waiver: { reason: sealed('why') } } as const;
    expect(obligationsOf(state)).toMatchObject([
      { cause: 'exchange', debtor: 'customer', amount: 300, settled: 300, due: 0 },
      { cause: 'goods', debtor: 'shop', amount: 1000, settled: 1000, due: 0 },
    ]);
  });

  it('have what was paid for a dearer item that is cancelled', () => {
    const account = accountOf(inAdvance, 1);
    const newItem = { sku: 'NEW', quantity: 1, price: eur(1300) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    applyResult(account, recordRecovery(situationOf(account), { amount: eur(300) }, 'rcv_1'));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'cancelled' }));
    const { state } = situationOf(account);
    expect([owed(state), openOf(state, 'shop')]).toEqual([1300, 1300]);
  });

  it('of an unpaid order have no difference of a cheaper exchange', () => {
    const account = accountOf(inAdvance, 1, { paymentsComplete: true, payments: [] });
    const newItem = { sku: 'NEW', quantity: 1, price: eur(600) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    const { state } = situationOf(account);
    expect([owed(state), obligationsOf(state)]).toEqual([0, []]);
  });

  it('have what a deduction for wear makes the customer owe after goods paid a dearer item', () => {
    const lines = ['1', '2'].map((lineId) => orderLine({ lineId, quantity: 1 }));
    const account = openAccount(order({ lines }));
    beginReturn(account, { 1: 1, 2: 1 }, withFees({ inspectionCapBps: 10_000 }, timed('received')));
    const units = [0, 1].map((at) => ({ lineId: `rln_0_${at}`, quantity: 1 }));
    applyResult(account, receive(situationOf(account), { lines: units }, ['unx_0', 'unx_1']));
    const newItem = { sku: 'NEW', quantity: 1, price: eur(2500) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    applyResult(account, recordRecovery(situationOf(account), { amount: eur(500) }, 'rcv_1'));
    const worn = { id: 'ins_1', lineId: 'rln_0_1', quantity: 1, outcome: 'accept', deductionBps: 5000 } as const;
    const whole = { ...worn, id: 'ins_0', lineId: 'rln_0_0', deductionBps: 0 } as const;
    applyResult(account, inspect(situationOf(account), { lines: [whole, worn] }));
    const { state } = situationOf(account);
    expect(recoveryDue(state)).toBe(500);
    expect(obligationsOf(state)).toContainEqual({
      cause: 'overpayment',
      debtor: 'customer',
      amount: 500,
      booked: 0,
      settled: 0,
      due: 500,
    });
  });

  it('have what was recorded beside a refund that pays a dearer item', () => {
    const account = openAccount(order({ lines: [orderLine({ quantity: 2, unitPrice: eur(10_000) })] }));
    beginReturn(account, { 1: 2 }, { ...timed('received'), inspection: 'skipped' });
    applyResult(account, receive(situationOf(account), { lines: [{ lineId: 'rln_0_0', quantity: 2 }] }, ['unx_0']));
    const newItem = { sku: 'NEW', quantity: 1, price: eur(15_000) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    for (const status of ['ordered', 'fulfilled'] as const)
      applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status }));
    refund(account);
    const facts = { amount: eur(8000), method: 'manual', occurredAt: now } as const;
    const ids = { id: 'rfd_x', externalId: 'x', now, latest: now };
    const recorded = recordRefund(account.order, account.ledger, situationOf(account).state, facts, ids);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    const [event] = recorded.value.events;
    if (event === undefined) throw new Error('no event');
    const state = applyResult(account, { ok: true, value: { events: [event], ledger: recorded.value.ledger } });
    // The customer has an item of 150.00 and 80.00 for goods of 200.00. The refund is not paid yet.
    expect(recoveryDue(state)).toBe(3000);
    expect(obligationsOf(state)).toMatchObject([
      { cause: 'exchange', debtor: 'customer', amount: 5000, booked: 5000, due: 0 },
      { cause: 'goods', debtor: 'shop', amount: 10_000, booked: 2000, settled: 8000, due: 0 },
      { cause: 'overpayment', debtor: 'customer', amount: 3000, booked: 0, settled: 0, due: 3000 },
    ]);
  });

  it('of a cheaper exchange and a payment on top are booked, then settled', () => {
    const account = accountOf(inAdvance, 1);
    const newItem = { sku: 'NEW', quantity: 1, price: eur(600) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    const difference = { cause: 'exchange', debtor: 'shop', amount: 400, exchangeId: 'exc_1' };
    const onTop = { cause: 'compensation', debtor: 'shop', amount: 150 };
    const open = () => obligationsOf(situationOf(account).state);
    expect(open()).toMatchObject([{ ...difference, booked: 0, settled: 0 }]);
    refund(account);
    expect(open()).toMatchObject([{ ...difference, booked: 400, settled: 0 }]);
    reportStatuses(account, ['succeeded']);
    const extra = { type: 'compensation', amount: eur(150), reason: 'goodwill' } as const;
    applyResult(account, compensate(situationOf(account, 0, true), extra, { id: 'rfd_c' }));
    expect(open()).toMatchObject([
      { ...difference, booked: 0, settled: 400 },
      { ...onTop, booked: 150, settled: 0 },
    ]);
    reportStatuses(account, ['succeeded']);
    expect(open().at(-1)).toMatchObject({ ...onTop, booked: 0, settled: 150 });
  });
});
