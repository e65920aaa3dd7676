import { describe, expect, it } from 'vitest';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { moneyOf } from '../../../lib/domain/returns/money/refund-status.ts';
import { obligationsOf } from '../../../lib/domain/returns/rules/obligations.ts';
import {
  type Account,
  accountOf,
  applyResult,
  beginReturn,
  inAdvance,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  withFees,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

const lineId = 'rln_0_0';

const oneUnit = (price: number) => ({ lines: [orderLine({ quantity: 1, unitPrice: eur(price) })] });

const pay = (account: Account, type: 'return_postage' | 'price_reduction', amount: number): void => {
  const units = type === 'price_reduction' ? { lineId } : {};
  const command = { type, amount: eur(amount), reason: 'goodwill', ...units } as const;
  applyResult(account, compensate(situationOf(account), command, { id: `rfd_${type}` }));
  reportStatuses(account, ['succeeded']);
};

/** The worked examples of the guide obligations.md. */
describe('who owes whom', () => {
  it('a cheaper exchange: 40.00 is owed, then booked, then settled', () => {
    const account = accountOf(inAdvance, 1, oneUnit(10_000));
    const newItem = { sku: 'NEW', quantity: 1, price: eur(6000) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId, quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    const seen = [obligationsOf(situationOf(account).state)];
    refund(account);
    seen.push(obligationsOf(situationOf(account).state));
    reportStatuses(account, ['succeeded']);
    seen.push(obligationsOf(situationOf(account).state));
    expect(seen.map(([first]) => [first?.debtor, first?.amount, first?.booked, first?.settled])).toEqual([
      ['shop', 4000, 0, 0],
      ['shop', 4000, 4000, 0],
      ['shop', 4000, 0, 4000],
    ]);
  });

  it('a deposit by two means of payment: 20.00 and 10.00 go back', () => {
    const payments = [
      { id: 'card', method: 'card', paid: eur(2000) },
      { id: 'gift', method: 'gift_card', paid: eur(1000) },
    ];
    const account = accountOf(inAdvance, 1, { ...oneUnit(10_000), payments, paymentsComplete: true });
    expect(quote(situationOf(account), {})).toMatchObject({
      failure: { code: 'refund_exceeds_payments', errors: [{ message: 'must be at most 3000' }] },
    });
    const { refunds } = refund(account, { amount: eur(3000) });
    expect(refunds[0]?.tenders).toMatchObject([{ amount: eur(2000) }, { amount: eur(1000) }]);
    expect(owed(situationOf(account).state)).toBe(0);
  });

  it('the postage of a defective article: 104.90 is paid, and nothing is owed back', () => {
    const account = openAccount(order(oneUnit(10_000)));
    beginReturn(account, { 1: 1 }, inAdvance, { basis: 'defect' });
    refund(account);
    reportStatuses(account, ['succeeded']);
    pay(account, 'return_postage', 490);
    const { state } = situationOf(account);
    expect([moneyOf(state).refunded, recoveryDue(state), owed(state)]).toEqual([10_490, 0, 0]);
  });

  it('keep it for 15.00: the rest is owed only if the shirt comes', () => {
    const account = accountOf(inAdvance, 1, oneUnit(2000));
    pay(account, 'price_reduction', 1500);
    expect(owed(situationOf(account).state)).toBe(500);
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    expect(owed(situationOf(account).state)).toBe(0);
    beginReturn(account, { 1: 1 });
    expect(owed(situationOf(account, 1).state)).toBe(500);
  });

  it('a fee on goods of two tax rates: 20.34 with 1.71 and 0.63 of tax', () => {
    const line = (id: string, price: number, rate: string, tax: number) =>
      orderLine({
        lineId: id,
        quantity: 1,
        unitPrice: eur(price),
        taxIncluded: true,
        taxTotal: eur(tax),
        taxes: [{ rate, amount: eur(tax) }],
      });
    const account = openAccount(order({ lines: [line('1', 1190, '19', 190), line('2', 1070, '7', 70)] }));
    beginReturn(account, { 1: 1, 2: 1 }, withFees({ restockingBps: 1000 }));
    const [booked] = refund(account).refunds;
    expect(booked?.amount).toEqual(eur(2034));
    const rows = booked?.vat?.map(({ part, net, taxes = [] }) => [
      part,
      net.amount,
      ...taxes.map(({ rate, amount }) => [rate, amount.amount]),
    ]);
    expect(rows).toEqual([
      ['goods', 1000, ['19', 190]],
      ['goods', 1000, ['7', 70]],
      ['fee', -200, ['19', -19], ['7', -7]],
    ]);
  });
});
