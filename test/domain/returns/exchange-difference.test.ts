import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { recordRecovery, writeOffRecovery } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { orderAmountLeft } from '../../../lib/domain/returns/money/amounts.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { deadlinesOf, openRefundDueBy } from '../../../lib/domain/returns/rules/deadlines.ts';
import {
  accept,
  type Account,
  accountOf,
  applyResult,
  inAdvance,
  moneyFacts,
  now,
  onReceipt,
  refund,
  reportStatuses,
  situationOf,
  withFees,
} from '../../support/money.ts';
import { eur, orderLine } from '../../support/orders.ts';

const lineId = 'rln_0_0';
/** Returns an account with an approved return of units that cost 100.00 each. */
const returnedUnits = (units = 1, terms = onReceipt, facts: Partial<OrderFacts> = {}): Account =>
  accountOf(terms, units, { lines: [orderLine({ quantity: units, unitPrice: eur(10_000) })], ...facts });

const report = (account: Account, ...statuses: readonly ('ordered' | 'fulfilled' | 'cancelled')[]): void => {
  for (const status of statuses)
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status }));
};

/** Exchanges a unit for a new item of this price, and reports what became of it. */
const exchangeFor = (
  account: Account,
  price: number,
  ...statuses: readonly ('ordered' | 'fulfilled' | 'cancelled')[]
): void => {
  const units = { lineId, quantity: 1, newItem: { sku: 'NEW', quantity: 1, price: eur(price) } };
  applyResult(account, exchange(situationOf(account), 'exc_1', units));
  report(account, ...statuses);
};

const recordPaid = (account: Account, amount: number): readonly string[] => {
  const facts = { amount: eur(amount), method: 'manual', occurredAt: now } as const;
  const ids = { id: `rfd_x${amount}`, externalId: String(amount), now, latest: now };
  const decision = recordRefund(account.order, account.ledger, account.returns[0], facts, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  const [first, ...others] = decision.value.events;
  if (first === undefined) throw new Error('no event');
  applyResult(account, { ok: true, value: { events: [first, ...others], ledger: decision.value.ledger } });
  return decision.value.refund.discrepancies.map(({ code }) => code);
};

const recover = (account: Account, amount: number): Return =>
  applyResult(account, recordRecovery(situationOf(account), { amount: eur(amount) }, `rcv_${amount}`));

const nothing = { quote: 0, due: 0, owed: 0, recoveryDue: 0 };
const completes = (account: Account): boolean => complete(situationOf(account), {}).ok;

describe('an exchange for a new item that costs less', () => {
  it('owes the difference by the date of the terms, and completes after its refund', () => {
    const account = returnedUnits();
    accept(account, 1);
    exchangeFor(account, 6000);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'none' });
    report(account, 'ordered', 'fulfilled');
    expect(moneyFacts(account)).toEqual({ ...nothing, quote: 4000, due: 4000, owed: 4000, status: 'due' });
    const { state } = situationOf(account);
    expect(openRefundDueBy(state)).toBe(deadlinesOf(state).refundDueBy);
    expect(openRefundDueBy(state)).toBeDefined();
    expect([completes(account), orderAmountLeft(account.order, account.ledger)]).toEqual([false, 4000n]);
    const [booked] = refund(account).refunds;
    expect(booked).toMatchObject({
      amount: eur(4000),
      breakdown: { lines: [], deductions: [], other: eur(0), exchange: eur(4000) },
    });
    reportStatuses(account, ['submitted', 'succeeded']);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'refunded' });
    expect([completes(account), orderAmountLeft(account.order, account.ledger)]).toEqual([true, 0n]);
  });

  it('counts the difference that was paid outside of the service', () => {
    const account = returnedUnits();
    accept(account, 1);
    exchangeFor(account, 6000, 'ordered', 'fulfilled');
    expect(recordPaid(account, 4000)).toEqual([]);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'refunded' });
    expect(completes(account)).toBe(true);
  });

  it('follows a partial refund, which it leaves paid', () => {
    const account = returnedUnits();
    accept(account, 1);
    expect(recordPaid(account, 2000)).toEqual([]);
    exchangeFor(account, 6000, 'ordered', 'fulfilled');
    expect(moneyFacts(account)).toMatchObject({ quote: 2000, due: 2000, owed: 2000, recoveryDue: 0 });
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'refunded' });
    expect([completes(account), account.ledger.given.amount]).toEqual([true, 10_000]);
  });

  it('takes no more than a partial refund left', () => {
    const account = returnedUnits();
    accept(account, 1);
    recordPaid(account, 2000);
    const exchanged = (price?: number) =>
      exchange(situationOf(account), 'exc_1', {
        lineId,
        quantity: 1,
        newItem: { sku: 'NEW', quantity: 1, ...(price !== undefined && { price: eur(price) }) },
      });
    expect(exchanged(8000).ok).toBe(true);
    expect(exchanged(8001)).toMatchObject({ failure: { code: 'refund_exceeds_ceiling' } });
    expect(exchanged()).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling', detail: expect.stringContaining('Give the price') },
    });
  });

  it('waits for the goods like any refund, unless the terms pay in advance', () => {
    const waiting = returnedUnits();
    exchangeFor(waiting, 6000, 'ordered', 'fulfilled');
    expect(moneyFacts(waiting)).toMatchObject({ quote: 0, due: 0, owed: 4000 });
    accept(waiting, 1);
    expect(moneyFacts(waiting)).toMatchObject({ quote: 4000, due: 4000 });
    const early = returnedUnits(1, inAdvance);
    exchangeFor(early, 6000, 'ordered');
    expect(moneyFacts(early)).toMatchObject({ quote: 4000, due: 4000 });
  });

  it('gives its difference back when it is cancelled', () => {
    const account = returnedUnits(1, inAdvance);
    exchangeFor(account, 6000, 'ordered');
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    report(account, 'cancelled');
    expect(moneyFacts(account)).toMatchObject({ quote: 6000, owed: 6000 });
    expect(orderAmountLeft(account.order, account.ledger)).toBe(10_000n);
    refund(account);
    expect(account.ledger.given.amount).toBe(10_000);
  });
});

describe('an exchange for a new item that costs more', () => {
  it('takes what goodwill for the order leaves first, and completes once nothing is left', () => {
    const afterGoodwill = (amount: number, terms = onReceipt, facts: Partial<OrderFacts> = {}): Account => {
      const account = returnedUnits(2, terms, facts);
      accept(account, 2);
      exchangeFor(account, 15_000, 'ordered', 'fulfilled');
      const paid = { amount: eur(amount), method: 'manual', occurredAt: now } as const;
      const ids = { id: 'rfd_x', externalId: 'x', now, latest: now };
      const recorded = recordRefund(account.order, account.ledger, undefined, paid, ids);
      if (!recorded.ok) throw new Error(recorded.failure.code);
      return { ...account, ledger: recorded.value.ledger };
    };
    // Of 200.00 the customer has an item of 150.00 and the goodwill.
    const some = afterGoodwill(2000);
    expect([quote(situationOf(some), {}), completes(some)]).toMatchObject([{ value: { total: eur(3000) } }, false]);
    const more = afterGoodwill(7000);
    expect([quote(situationOf(more), {}), completes(more)]).toMatchObject([{ value: { total: eur(0) } }, true]);
    // A fee takes all of the goods, so they pay nothing of the item. Nothing is left for the shipping all the same.
    const shipped = afterGoodwill(7000, withFees({ restockingBps: 10_000 }, onReceipt), {
      shipping: { paid: eur(500) },
    });
    expect(quote(situationOf(shipped), { shipping: eur(1) })).toMatchObject({
      failure: { errors: [{ path: '/shipping/amount', message: 'must be at most 0' }] },
    });
  });

  it('shows what the customer owes from the order of the item until it is paid', () => {
    const account = returnedUnits();
    exchangeFor(account, 13_000);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'none' });
    report(account, 'ordered');
    expect(moneyFacts(account)).toMatchObject({ quote: 0, due: 0, recoveryDue: 3000, status: 'recovery_due' });
    accept(account, 1);
    report(account, 'fulfilled');
    expect([moneyFacts(account).recoveryDue, completes(account)]).toEqual([3000, false]);
    expect(recover(account, 1000).recoveries).toMatchObject([{ amount: eur(1000), exchange: eur(-1000), lines: [] }]);
    recover(account, 2000);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'none' });
    expect([completes(account), account.ledger.given.amount]).toEqual([true, 10_000]);
  });

  it('owes only what units that may still come are not worth, and no more after a write-off', () => {
    const account = returnedUnits(2);
    exchangeFor(account, 25_000, 'ordered', 'fulfilled');
    accept(account, 1);
    expect(moneyFacts(account)).toMatchObject({ quote: 0, recoveryDue: 5000 });
    applyResult(account, writeOffRecovery(situationOf(account, 0, true), { reason: 'goodwill' }, 'rcv_1'));
    expect(moneyFacts(account)).toMatchObject({ quote: 0, recoveryDue: 0 });
    accept(account, 1);
    expect(moneyFacts(account)).toMatchObject({ quote: 0, owed: 0, recoveryDue: 0 });
    expect(completes(account)).toBe(true);
  });

  it('owes nothing after the difference was written off', () => {
    const account = returnedUnits(1);
    exchangeFor(account, 13_000, 'ordered', 'fulfilled');
    applyResult(account, writeOffRecovery(situationOf(account, 0, true), { reason: 'goodwill' }, 'rcv_1'));
    accept(account, 1);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'none' });
    expect(completes(account)).toBe(true);
  });

  it('is set off against the refund of other units', () => {
    const account = returnedUnits(2);
    accept(account, 2);
    exchangeFor(account, 13_000, 'ordered', 'fulfilled');
    expect(moneyFacts(account)).toMatchObject({ quote: 7000, due: 7000, owed: 7000, recoveryDue: 0 });
    const quoted = quote(situationOf(account), {});
    expect(quoted.ok && quoted.value.steps.map(({ rule, amount }) => [rule, amount.amount])).toEqual([
      ['goods', 10_000],
      ['exchange', -3000],
      ['shipping', 0],
    ]);
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    expect(moneyFacts(account)).toEqual({ ...nothing, status: 'refunded' });
    expect([completes(account), account.ledger.given.amount]).toEqual([true, 20_000]);
  });

  it('owes what other units do not cover', () => {
    const account = returnedUnits(2);
    accept(account, 2);
    exchangeFor(account, 25_000, 'ordered', 'fulfilled');
    expect(moneyFacts(account)).toMatchObject({ quote: 0, due: 0, recoveryDue: 5000 });
    recover(account, 5000);
    expect([moneyFacts(account).recoveryDue, completes(account)]).toEqual([0, true]);
  });

  it('gives the payment back when the exchange is cancelled', () => {
    const account = returnedUnits(1, inAdvance);
    exchangeFor(account, 13_000, 'ordered');
    recover(account, 3000);
    report(account, 'cancelled');
    expect(moneyFacts(account)).toMatchObject({ quote: 13_000, owed: 13_000 });
    refund(account);
    expect(account.ledger.given.amount).toBe(10_000);
  });
});

describe('an exchange for units that never come', () => {
  it.each([
    ['the new item', 6000, false, 6000],
    ['the new item and the paid difference', 6000, true, 10_000],
    ['the dearer new item', 13_000, false, 13_000],
  ])('makes the customer owe %s', (_, price, isPaid, due) => {
    const account = returnedUnits(1, inAdvance);
    exchangeFor(account, price, 'ordered', 'fulfilled');
    if (isPaid) {
      refund(account);
      reportStatuses(account, ['submitted', 'succeeded']);
    }
    applyResult(account, closeReceipt(situationOf(account), {}));
    expect(moneyFacts(account)).toMatchObject({ quote: 0, due: 0, recoveryDue: due });
    recover(account, due);
    expect([moneyFacts(account).recoveryDue, account.ledger.given.amount, completes(account)]).toEqual([0, 0, true]);
    accept(account, 1);
    // The customer has paid for the new item, so the worth of the unit is owed again.
    expect(moneyFacts(account)).toMatchObject({ owed: 10_000, quote: 10_000 });
  });
});
