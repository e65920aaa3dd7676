import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { paidForOrder } from '../../../lib/domain/returns/money/amounts.ts';
import { paidTotal } from '../../../lib/domain/returns/money/sold-lines.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { payableUnits } from '../../../lib/domain/returns/money/refund-ceiling.ts';
import type { ReportedRefundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { liveRefunds } from '../../../lib/domain/returns/money/bookings.ts';
import {
  type Account,
  beginReturn,
  applyResult,
  inAdvance,
  openAccount,
  situationOf,
  sumOfRefunds,
  reportStatuses,
} from '../../support/money.ts';
import { order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const lineOf = (currency: string) =>
  fc
    .record({
      quantity: fc.integer({ min: 1, max: 7 }),
      price: fc.oneof(
        { weight: 4, arbitrary: fc.nat(5000) },
        { weight: 1, arbitrary: fc.integer({ min: 10 ** 9, max: 10 ** 11 }) },
      ),
      discount: fc.integer({ min: 0, max: 100 }),
      tax: fc.integer({ min: 0, max: 25 }),
      taxIncluded: fc.boolean(),
    })
    .map(({ quantity, price, discount, tax, taxIncluded }) => {
      const money = (amount: number) => ({ amount, currency });
      const off = Math.floor((price * quantity * discount) / 100);
      return orderLine({
        quantity,
        unitPrice: money(price),
        discountTotal: money(off),
        taxTotal: money(Math.floor(((price * quantity - off) * tax) / 125)),
        taxIncluded,
      });
    });

/** Orders in currencies with no, two and three decimals, with discounts up to the price, and tax included or added. */
const orders = fc.constantFrom('JPY', 'EUR', 'KWD').chain((currency) =>
  fc
    .record({ lines: fc.array(lineOf(currency), { minLength: 1, maxLength: 3 }), paid: fc.nat(2000) })
    .map(({ lines, paid }) =>
      order({
        currency,
        lines: lines.map((line, index) => ({ ...line, lineId: String(index) })),
        shipping: { paid: { amount: paid, currency } },
      }),
    ),
);

const fees = fc.record({
  restockingBps: fc.integer({ min: 0, max: 10_000 }),
  restockingCap: fc.option(fc.nat(3000), { nil: null }),
  returnShipping: fc.nat(3000),
});

type Step = {
  readonly index: number;
  readonly units: readonly number[];
  readonly statuses: readonly ReportedRefundStatus[];
};

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record<Step>({
    index: fc.nat(2),
    units: fc.array(fc.nat(7), { minLength: 3, maxLength: 3 }),
    statuses: fc.constantFrom<readonly ReportedRefundStatus[]>(
      ['submitted', 'succeeded'],
      ['cancelled'],
      ['submitted', 'failed', 'submitted', 'succeeded'],
      ['submitted', 'unknown', 'failed', 'cancelled'],
      ['submitted', 'succeeded', 'reversed'],
      [],
    ),
  }),
  { maxLength: 8 },
);

/** Returns all of an order in up to three returns. */
const returnAll = (account: Account, split: readonly number[], terms: Terms): void => {
  const left = new Map(account.order.facts.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  for (const part of [...split, 7]) {
    const units = [...left].flatMap(([lineId, free]): [string, number][] => {
      const quantity = Math.min(part, free);
      left.set(lineId, free - quantity);
      return quantity === 0 ? [] : [[lineId, quantity]];
    });
    if (units.length > 0) beginReturn(account, Object.fromEntries(units), terms);
  }
};

const expectSound = (account: Account): void => {
  const { order: sold, ledger, returns } = account;
  for (const line of sold.facts.lines) {
    const { granted } = ledgerLine(ledger, line.lineId);
    expect(granted.units).toBeLessThanOrEqual(line.quantity);
    expect(granted.gross).toBeLessThanOrEqual(Number(paidTotal(line)));
    expect(granted.tax).toBeLessThanOrEqual(granted.gross);
    const tax = line.taxTotal?.amount ?? 0;
    expect(granted.tax).toBeLessThanOrEqual(tax);
    expect(granted.gross - granted.tax).toBeLessThanOrEqual(Number(paidTotal(line)) - tax);
  }
  expect(ledger.given.amount).toBe(sumOfRefunds(account));
  expect(ledger.given.amount).toBeLessThanOrEqual(Number(paidForOrder(sold, ledger)));
  for (const state of returns) {
    for (const fee of feesOf(state)) expect(fee.applied.amount).toBeLessThanOrEqual(fee.amount.amount);
    for (const { amount, breakdown } of state.refunds) {
      const gross = breakdown.lines.reduce((sum, line) => sum + line.gross.amount, 0);
      const withheld = breakdown.deductions.reduce((sum, deduction) => sum + deduction.amount.amount, 0);
      expect(amount.amount).toBeGreaterThan(0);
      expect(withheld).toBeLessThanOrEqual(gross);
      expect(amount.amount).toBe(gross - withheld + breakdown.shipping.amount);
    }
  }
};

/** Returns the net amount that live refunds paid for an order line. */
const netsOf = ({ returns }: Account, lineId: string): number =>
  returns
    .flatMap((state) => liveRefunds(state))
    .flatMap(({ breakdown }) => breakdown.lines.filter(({ orderLineId }) => orderLineId === lineId))
    .reduce((sum, { gross, tax }) => sum + gross.amount - tax.amount, 0);

/** Books a quoted refund and compares the two. Returns undefined when nothing is refundable. */
const refundAsQuoted = (account: Account, index: number, lines?: { lineId: string; quantity: number }[]) => {
  const situation = situationOf(account, index);
  const command = lines === undefined ? {} : { lines };
  const quoted = quote(situation, command);
  if (!quoted.ok) throw new Error(quoted.failure.code);
  const { steps: parts, total, hash } = quoted.value;
  expect(parts.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(total.amount);
  const id = `rfd_${index}_${situation.state.refunds.length}`;
  const decision = refundReturn(situation, { ...command, quoteHash: hash }, { id });
  expect(decision.ok).toBe(total.amount > 0);
  if (!decision.ok) return undefined;
  const booked = applyResult(account, decision, index).refunds.at(-1);
  expect(booked?.amount).toEqual(total);
  return booked;
};

const live = (account: Account, split: readonly number[], terms: Terms, lived: readonly Step[]): void => {
  returnAll(account, split, terms);
  for (const { index, units, statuses } of lived) {
    const returnIndex = index % account.returns.length;
    const { state } = situationOf(account, returnIndex);
    const lines = state.lines.flatMap((line, at) => {
      const quantity = Math.min(units[at] ?? 0, payableUnits(line, state.terms));
      return quantity === 0 ? [] : [{ lineId: line.id, quantity }];
    });
    if (lines.length === 0 || refundAsQuoted(account, returnIndex, lines) === undefined) continue;
    expectSound(account);
    reportStatuses(account, statuses, returnIndex);
    expectSound(account);
  }
  // The fees of a return can exceed its last units. Then nothing is left to pay, now or later.
  account.returns.forEach((_, index) => {
    refundAsQuoted(account, index);
    expectSound(account);
  });
};

const splits = fc.array(fc.nat(3), { maxLength: 2 });
const settings = { numRuns: runs(300), seed: 20261121 };

describe('refunds of a whole order', () => {
  it('pay back exactly the amount paid, in any parts and after any failures', () => {
    let whole = 0;
    fc.assert(
      fc.property(orders, splits, steps, (sold, split, lived) => {
        const account = openAccount(sold);
        live(account, split, { ...inAdvance, shipping: 'proportional' }, lived);
        const { lines } = sold.facts;
        if (lines.some(({ lineId, quantity }) => ledgerLine(account.ledger, lineId).granted.units < quantity)) return;
        whole += 1;
        for (const line of lines) {
          const { granted } = ledgerLine(account.ledger, line.lineId);
          expect(BigInt(granted.gross)).toBe(paidTotal(line));
          expect(granted.tax).toBe(line.taxTotal?.amount);
          expect(netsOf(account, line.lineId)).toBe(Number(paidTotal(line)) - (line.taxTotal?.amount ?? 0));
        }
        expect(BigInt(sumOfRefunds(account))).toBe(paidForOrder(sold, account.ledger));
      }),
      settings,
    );
    expect(whole).toBeGreaterThan(runs(200));
  });

  it('take fees once, however the return is split into refunds', () => {
    let compared = 0;
    fc.assert(
      fc.property(orders, fees, steps, (sold, feeTerms, lived) => {
        const terms = { ...inAdvance, fees: { ...inAdvance.fees, ...feeTerms } };
        const parts = openAccount(sold);
        live(parts, [], terms, lived);
        const once = openAccount(sold);
        live(once, [], terms, []);
        const { state } = situationOf(parts);
        if (state.lines.some((line) => payableUnits(line, terms) > 0)) return;
        compared += 1;
        expect(sumOfRefunds(parts)).toBe(sumOfRefunds(once));
      }),
      settings,
    );
    expect(compared).toBeGreaterThan(runs(100));
  });
});
