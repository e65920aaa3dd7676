import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRecovery } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { paymentsLeft, splitByPayment } from '../../../lib/domain/returns/money/payments.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import {
  type Account,
  accountOf,
  applyResult,
  beginReturn,
  inAdvance,
  moneyFacts,
  now,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
} from '../../support/money.ts';
import { runs } from '../../support/samples.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

const lines = [orderLine({ quantity: 1, unitPrice: eur(10_000) })];
const payment = (id: string, paid: number, method = 'card') => ({ id, method, paid: eur(paid) });

/** Returns an account with an approved return of a unit that costs 100.00. */
const paidBy = (payments: OrderFacts['payments'], facts: Partial<OrderFacts> = {}): Account =>
  accountOf({ ...inAdvance, shipping: 'proportional' }, 1, {
    lines,
    paymentsComplete: true,
    ...(payments && { payments }),
    ...facts,
  });

/** Returns an account of two units for 100.00, of which one is exchanged for an item of 120.00 and both came back. */
const withDearerItem = (payments: OrderFacts['payments']): Account => {
  const facts = { lines: [orderLine({ quantity: 2, unitPrice: eur(10_000) })], paymentsComplete: true };
  const account = accountOf(inAdvance, 2, { ...facts, ...(payments && { payments }) });
  const newItem = { sku: 'NEW', quantity: 1, price: eur(12_000) };
  applyResult(account, exchange(situationOf(account), 'exc_1', { lineId: 'rln_0_0', quantity: 1, newItem }));
  for (const status of ['ordered', 'fulfilled'] as const)
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status }));
  applyResult(account, receive(situationOf(account), { lines: [{ lineId: 'rln_0_0', quantity: 2 }] }, ['unx_0']));
  return account;
};

const withPayments = (account: Account, payments: OrderFacts['payments']): Account => ({
  ...account,
  order: { ...account.order, facts: { ...account.order.facts, ...(payments && { payments }) } },
});

const actionOf = (account: Account, name: string) =>
  allowedActions(situationOf(account)).find(({ action }) => action === name);

describe('the payments of an order', () => {
  it('cap a refund, and a part of it is paid by `amount`', () => {
    const account = paidBy([payment('deposit', 3000)]);
    expect(quote(situationOf(account), {})).toMatchObject({
      ok: false,
      failure: {
        code: 'refund_exceeds_payments',
        errors: [{ path: '/amount/amount', message: 'must be at most 3000' }],
      },
    });
    expect(moneyFacts(account)).toMatchObject({ owed: 3000, due: 3000, status: 'due' });
    refund(account, { amount: eur(3000) });
    reportStatuses(account, ['succeeded']);
    expect(moneyFacts(account)).toMatchObject({ owed: 0, due: 0, status: 'refunded' });
    expect(actionOf(account, 'refund')).toMatchObject({ allowed: false, blockedBy: 'nothing_to_refund' });
    const finished = {
      ...situationOf(account),
      state: { ...situationOf(account).state, status: 'inspected' as const },
    };
    const received = finished.state.lines.map((line) => ({
      ...line,
      quantities: { ...line.quantities, received: 1, accepted: 1 },
    }));
    expect(complete({ ...finished, state: { ...finished.state, lines: received } }, {})).toMatchObject({ ok: true });
  });

  it('are paid out by `amount` for goods alone, when goodwill leaves less than goods and shipping', () => {
    const account = paidBy([payment('card', 10_500)], { shipping: { paid: eur(500) } });
    const facts = { amount: eur(1000), method: 'manual', occurredAt: now } as const;
    const ids = { id: 'r', externalId: 'x', now, latest: now };
    const recorded = recordRefund(account.order, account.ledger, undefined, facts, ids);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    account.ledger = recorded.value.ledger;
    expect(moneyFacts(account)).toMatchObject({ owed: 9500 });
    expect(quote(situationOf(account), { amount: eur(9500) })).toMatchObject({ ok: true });
  });

  it('are given back once when the shop pays a part that is begun here, and names its line', () => {
    const account = paidBy([payment('deposit', 3000)]);
    refund(account, { amount: eur(3000) });
    const { order: known, ledger } = account;
    const { state } = situationOf(account);
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const facts = { amount: eur(3000), method: 'original_payment', occurredAt: now, lines } as const;
    const ids = { id: 'r', externalId: 'x', now, latest: now };
    expect(recordRefund(known, ledger, state, facts, ids)).toMatchObject({
      value: { refund: { id: state.refunds[0]?.id, status: 'succeeded' }, ledger: { given: { money: 3000 } } },
    });
  });

  it('lift the cap when the customer pays the rest', () => {
    const account = paidBy([payment('deposit', 3000)]);
    refund(account, { amount: eur(3000) });
    reportStatuses(account, ['succeeded']);
    const later = withPayments(account, [payment('deposit', 3000), payment('rest', 7000)]);
    expect(moneyFacts(later)).toMatchObject({ owed: 7000, due: 7000, status: 'partially_refunded' });
    expect(quote(situationOf(later), {})).toMatchObject({ ok: true, value: { total: eur(7000) } });
  });

  it('of an unpaid order leave nothing to refund', () => {
    const account = paidBy([]);
    expect(actionOf(account, 'refund')).toMatchObject({ allowed: false, blockedBy: 'nothing_to_refund' });
    expect(moneyFacts(account)).toMatchObject({ owed: 0, due: 0, status: 'none' });
  });

  it('cap nothing while the order may have others', () => {
    const account = paidBy([payment('deposit', 3000)], { paymentsComplete: false });
    expect(quote(situationOf(account), {})).toMatchObject({ ok: true, value: { total: eur(10_000) } });
  });

  it('are exceeded only by an admin with a reason, and this is a discrepancy', () => {
    const account = paidBy([payment('deposit', 3000)]);
    const override = { paymentOverride: { reason: 'goodwill' } };
    expect(refundReturn(situationOf(account), override, { id: 'rfd_1' })).toMatchObject({
      failure: { code: 'override_requires_admin' },
    });
    const state = refund(account, override, 0, true);
    expect(state.refunds).toMatchObject([
      { amount: eur(10_000), tenders: [{ paymentId: 'deposit', amount: eur(3000) }] },
    ]);
    expect(state.discrepancies).toMatchObject([{ code: 'refund_exceeds_payments' }]);
  });

  it('pay dearer items first, and what is left of them is refunded', () => {
    const account = withDearerItem([payment('deposit', 5000)]);
    expect(moneyFacts(account)).toMatchObject({ owed: 3000, due: 3000 });
    expect(quote(situationOf(account), { amount: eur(3001) })).toMatchObject({
      failure: { code: 'refund_exceeds_payments', errors: [{ message: 'must be at most 3000' }] },
    });
    refund(account, { amount: eur(3000) });
    reportStatuses(account, ['succeeded']);
    expect(moneyFacts(account)).toMatchObject({ owed: 0, due: 0, status: 'refunded' });
    expect(recoveryDue(situationOf(account).state)).toBe(0);
  });

  it('of an unpaid order pay no dearer item, and its price is no payment of the order', () => {
    const account = withDearerItem([]);
    expect(recoveryDue(situationOf(account).state)).toBe(2000);
    applyResult(account, recordRecovery(situationOf(account), { amount: eur(2000) }, 'rcv_1'));
    expect(recoveryDue(situationOf(account).state)).toBe(0);
    expect(moneyFacts(account)).toMatchObject({ owed: 0, due: 0 });
    expect(paymentsLeft(account.order, account.ledger)).toBe(0);
  });

  it('do not grow when the customer pays for a new item whose unit never came', () => {
    const paid = (payments: OrderFacts['payments']) => {
      const sold = ['1', '2'].map((lineId) => orderLine({ lineId, quantity: 1, unitPrice: eur(10_000) }));
      const facts = { lines: sold, paymentsComplete: true };
      const account = openAccount(order({ ...facts, ...(payments && { payments }) }));
      beginReturn(account, { 1: 1, 2: 1 }, { ...inAdvance, inspection: 'skipped' });
      const swapped = { lineId: 'rln_0_0', quantity: 1, newItem: { sku: 'NEW', quantity: 1 } };
      applyResult(account, exchange(situationOf(account), 'exc_1', swapped));
      for (const status of ['ordered', 'fulfilled'] as const)
        applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status }));
      applyResult(account, receive(situationOf(account), { lines: [{ lineId: 'rln_0_1', quantity: 1 }] }, ['unx_0']));
      applyResult(account, closeReceipt(situationOf(account), {}));
      return account;
    };
    const openOf = (account: Account) => {
      const { state } = situationOf(account);
      return { owed: Math.max(0, owed(state)), recoveryDue: recoveryDue(state), left: state.paymentsLeft };
    };
    // The unit that came is set off against the new item in place of the other one, as far as it was paid.
    expect(openOf(paid([payment('card', 20_000)]))).toEqual({ owed: 0, recoveryDue: 0, left: 20_000 });
    const deposit = paid([payment('deposit', 3000)]);
    expect(openOf(deposit)).toEqual({ owed: 0, recoveryDue: 7000, left: 3000 });
    applyResult(deposit, recordRecovery(situationOf(deposit), { amount: eur(7000) }, 'rcv_1'));
    expect(openOf(deposit)).toEqual({ owed: 0, recoveryDue: 0, left: 3000 });
    expect(complete(situationOf(deposit), {}).ok).toBe(true);
    // When the unit comes after all, the customer gets back what was paid for it.
    applyResult(deposit, receive(situationOf(deposit), { lines: [{ lineId: 'rln_0_0', quantity: 1 }] }, ['unx_1']));
    expect(openOf(deposit)).toEqual({ owed: 10_000, recoveryDue: 0, left: 10_000 });
  });

  it('that a recorded refund exceeds make a discrepancy', () => {
    const { order: known } = paidBy([payment('deposit', 3000)]);
    const facts = { amount: eur(4000), method: 'original_payment', occurredAt: now } as const;
    const recorded = recordRefund(known, emptyLedger, undefined, facts, { id: 'r', externalId: 'x', now, latest: now });
    expect(recorded).toMatchObject({ value: { refund: { discrepancies: [{ code: 'refund_exceeds_payments' }] } } });
  });

  it('are split in proportion to what each has left', () => {
    const account = paidBy([payment('card', 7000), payment('gift', 3000, 'gift_card')]);
    expect(refund(account, { amount: eur(3333) }).refunds.at(-1)?.tenders).toEqual([
      { paymentId: 'card', method: 'card', amount: eur(2333) },
      { paymentId: 'gift', method: 'gift_card', amount: eur(1000) },
    ]);
    expect(refund(account, {}).refunds.at(-1)?.tenders).toMatchObject([
      { paymentId: 'card', amount: eur(4667) },
      { paymentId: 'gift', amount: eur(2000) },
    ]);
    expect(paymentsLeft(account.order, account.ledger)).toBe(0);
  });

  it('of one id are one payment', () => {
    const account = paidBy([payment('gift', 5000), payment('gift', 5000)]);
    expect(refund(account, { amount: eur(6000) }).refunds.at(-1)?.tenders).toMatchObject([{ amount: eur(6000) }]);
    expect(refund(account, {}).refunds.at(-1)?.tenders).toMatchObject([{ paymentId: 'gift', amount: eur(4000) }]);
  });

  it('add up to any split of a refund, and none gives back more than it got', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 6 }),
        (paid, refunds) => {
          const facts = order({
            lines,
            paymentsComplete: true,
            payments: paid.map((amount, at) => payment(`${at}`, amount)),
          });
          const given: Record<`tender/${string}`, number> = {};
          let left = paid.reduce((total, amount) => total + amount, 0);
          for (const amount of refunds) {
            const ledger = { ...emptyLedger, given: { ...emptyLedger.given, ...given } };
            const parts = splitByPayment(facts, ledger, 'original_payment', amount);
            const total = parts.reduce((sum, part) => sum + part.amount.amount, 0);
            expect(total).toBe(Math.min(amount, left));
            left -= total;
            for (const part of parts) {
              const name = `tender/${part.paymentId}` as const;
              given[name] = (given[name] ?? 0) + part.amount.amount;
              expect(part.amount.amount).toBeGreaterThan(0);
              expect(given[name]).toBeLessThanOrEqual(paid[Number(part.paymentId)] ?? 0);
            }
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
