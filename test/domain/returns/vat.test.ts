import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Order, TaxLine } from '../../../lib/domain/returns/model/order.ts';
import type { Refund, VatPart } from '../../../lib/domain/returns/model/refund.ts';
import { liveRefunds } from '../../../lib/domain/returns/money/bookings.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { payableUnits } from '../../../lib/domain/returns/money/refund-ceiling.ts';
import {
  type Account,
  applyResult,
  beginReturn,
  inAdvance,
  now,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  withFees,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const at = (rate: string, amount: number): TaxLine => ({ rate, category: 'S', amount: eur(amount) });

/** An order with goods at 19 % and at 7 %, and with tax in the shipping and in a deposit. */
const mixed = order({
  lines: [
    orderLine({
      lineId: '1',
      quantity: 3,
      unitPrice: eur(1190),
      taxIncluded: true,
      taxTotal: eur(570),
      taxes: [at('19', 570)],
    }),
    orderLine({
      lineId: '2',
      quantity: 1,
      unitPrice: eur(1070),
      taxIncluded: true,
      taxTotal: eur(70),
      taxes: [at('7', 70)],
    }),
  ],
  shipping: { paid: eur(490), tax: eur(78), taxes: [at('19', 78)] },
  charges: [{ type: 'deposit', paid: eur(25), tax: eur(4), taxes: [at('19', 4)] }],
});

const terms = { ...inAdvance, shipping: 'full_if_whole_order' } as const;
const partsOf = (refunded: Refund | undefined) =>
  refunded?.vat?.map(({ part, net, tax, taxes }) => [
    part,
    net.amount,
    tax.amount,
    taxes?.map(({ rate, amount }) => [rate, amount.amount]),
  ]);
const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const taxBy = (parts: readonly VatPart[], part: VatPart['part']): Record<string, number> => {
  const byRate: Record<string, number> = {};
  for (const { orderLineId = '', taxes = [] } of parts.filter((one) => one.part === part))
    taxes.forEach(({ amount }, index) => {
      byRate[`${orderLineId}/${index}`] = (byRate[`${orderLineId}/${index}`] ?? 0) + amount.amount;
    });
  return byRate;
};

describe('the tax of a refund', () => {
  it('is that of its goods, its shipping and its charges, by rate', () => {
    const account = openAccount(mixed);
    beginReturn(account, { 1: 3, 2: 1 }, terms);
    const { refunds } = refund(account, { charges: eur(25) });
    expect(partsOf(refunds[0])).toEqual([
      ['goods', 3000, 570, [['19', 570]]],
      ['goods', 1000, 70, [['7', 70]]],
      ['shipping', 412, 78, [['19', 78]]],
      ['charge', 21, 4, [['19', 4]]],
    ]);
  });

  it('is lowered by a fee in proportion to its goods', () => {
    const account = openAccount(mixed);
    beginReturn(account, { 1: 1, 2: 1 }, withFees({ restockingBps: 1000 }, terms));
    const { refunds } = refund(account, {});
    expect(partsOf(refunds[0])).toEqual([
      ['goods', 1000, 190, [['19', 190]]],
      ['goods', 1000, 70, [['7', 70]]],
      [
        'fee',
        -200,
        -26,
        [
          ['19', -19],
          ['7', -7],
        ],
      ],
    ]);
  });

  it('of a reduced price counts once when the unit comes back after all', () => {
    const account = openAccount(mixed);
    beginReturn(account, { 2: 1 }, terms);
    const reduction = { type: 'price_reduction', lineId: 'rln_0_0', amount: eur(535), reason: 'goodwill' } as const;
    applyResult(account, compensate(situationOf(account), reduction, { id: 'rfd_c' }));
    reportStatuses(account, ['succeeded']);
    const { refunds } = refund(account, {});
    expect(refunds.map(partsOf)).toEqual([
      [['reduction', 500, 35, [['7', 35]]]],
      [
        ['goods', 1000, 70, [['7', 70]]],
        ['paid_before', -500, -35, [['7', -35]]],
      ],
    ]);
  });

  it('of many reductions of a line is that of one, by rate too', () => {
    const taxes = [at('19', 50), at('7', 50)];
    const line = orderLine({ quantity: 1, unitPrice: eur(1000), taxIncluded: true, taxTotal: eur(100), taxes });
    const account = openAccount(order({ lines: [line] }));
    beginReturn(account, { 1: 1 }, terms);
    for (let count = 0; count < 30; count += 1) {
      const reduction = { type: 'price_reduction', lineId: 'rln_0_0', amount: eur(4), reason: 'goodwill' } as const;
      applyResult(account, compensate(situationOf(account), reduction, { id: `rfd_${count}` }));
      reportStatuses(account, ['succeeded']);
    }
    const parts = situationOf(account).state.refunds.flatMap(({ vat = [] }) => vat);
    const byRate = ['19', '7'].map((rate) =>
      sumOf(parts.flatMap((part) => part.taxes ?? []).map((tax) => (tax.rate === rate ? tax.amount.amount : 0))),
    );
    // A tenth of 1.20 is tax, half of it at each rate.
    expect([sumOf(parts.map(({ tax }) => tax.amount)), byRate]).toEqual([12, [6, 6]]);
  });

  it('has no rate where the order has none, and no part where it has no tax', () => {
    const untaxed = openAccount(order());
    beginReturn(untaxed, { 1: 1 }, terms);
    expect(refund(untaxed).refunds[0]).not.toHaveProperty('vat');
    const plain = openAccount(order({ lines: [orderLine({ taxTotal: eur(300), taxIncluded: true })] }));
    beginReturn(plain, { 1: 1 }, terms);
    expect(partsOf(refund(plain).refunds[0])).toEqual([['goods', 900, 100, undefined]]);
  });

  it('is known of a refund that a platform recorded', () => {
    const facts = {
      amount: eur(1190),
      method: 'original_payment',
      occurredAt: now,
      lines: [{ orderLineId: '1', quantity: 1 }],
    } as const;
    const decision = recordRefund(mixed, emptyLedger, undefined, facts, { id: 'r', externalId: 'x', now, latest: now });
    expect(partsOf(decision.ok ? decision.value.refund : undefined)).toEqual([['goods', 1000, 190, [['19', 190]]]]);
  });
});

const taxLines = fc.array(fc.nat(400), { minLength: 1, maxLength: 4 }).map((amounts) => {
  const taxes = amounts.map((amount, index) => at(String(index), amount));
  return { taxes, tax: eur(sumOf(amounts)) };
});

const taxedOrders: fc.Arbitrary<Order> = fc
  .record({
    lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(3000), taxLines), { minLength: 1, maxLength: 3 }),
    shipping: fc.tuple(fc.nat(900), taxLines),
    charges: fc.array(fc.tuple(fc.nat(900), taxLines), { maxLength: 3 }),
  })
  .map(({ lines, shipping, charges }) =>
    order({
      lines: lines.map(([quantity, price, { taxes, tax }], index) =>
        orderLine({ lineId: `${index}`, quantity, unitPrice: eur(price), taxTotal: tax, taxes }),
      ),
      shipping: { paid: eur(shipping[0] + shipping[1].tax.amount), ...shipping[1] },
      charges: charges.map(([paid, taxed]) => ({ type: 'duty', paid: eur(paid + taxed.tax.amount), ...taxed })),
    }),
  );

const expectParts = ({ amount, breakdown, vat = [] }: Refund): void => {
  const whole = sumOf(vat.map(({ net, tax }) => net.amount + tax.amount));
  expect(whole).toBe(amount.amount - breakdown.other.amount);
  for (const { part, tax, taxes } of vat) {
    if (taxes !== undefined) expect(sumOf(taxes.map((line) => line.amount.amount))).toBe(tax.amount);
    if (part === 'fee' || part === 'paid_before') continue;
    for (const line of taxes ?? []) expect(line.amount.amount).toBeGreaterThanOrEqual(0);
  }
};

it('the refunds of an order add up to its tax by rate, whatever the split', () => {
  fc.assert(
    fc.property(
      taxedOrders,
      fc.array(fc.tuple(fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), fc.boolean()), {
        maxLength: 8,
      }),
      fc.constantFrom(0, 1000),
      (sold, steps, restockingBps) => {
        const account: Account = openAccount(sold);
        const units = Object.fromEntries(sold.facts.lines.map(({ lineId, quantity }) => [lineId, quantity]));
        beginReturn(account, units, withFees({ restockingBps }, terms));
        const pay = (
          lines: readonly { readonly lineId: string; readonly quantity: number }[],
          isCancelled: boolean,
        ) => {
          const situation = situationOf(account);
          const id = `rfd_${situation.state.refunds.length}`;
          const decision = refundReturn(situation, { lines }, { id });
          if (!decision.ok) return;
          const last = applyResult(account, decision).refunds.at(-1);
          if (last !== undefined) expectParts(last);
          reportStatuses(account, [isCancelled ? 'cancelled' : 'succeeded']);
        };
        const payable = () =>
          situationOf(account).state.lines.map((line) => ({ line, left: payableUnits(line, terms) }));
        for (const [wanted, isCancelled] of steps) {
          const lines = payable().flatMap(({ line, left }, index) => {
            const quantity = Math.min(left, wanted[index] ?? 0);
            return quantity === 0 ? [] : [{ lineId: line.id, quantity }];
          });
          if (lines.length > 0) pay(lines, isCancelled);
        }
        const rest = payable().flatMap(({ line, left }) => (left === 0 ? [] : [{ lineId: line.id, quantity: left }]));
        if (rest.length > 0) pay(rest, false);
        const { state } = situationOf(account);
        if (state.lines.some((line) => payableUnits(line, terms) > 0)) return;
        const parts = liveRefunds(state).flatMap(({ vat = [] }) => vat);
        const wholeTax = Object.fromEntries(
          sold.facts.lines.flatMap(({ lineId, taxes = [] }) =>
            taxes.map(({ amount }, index) => [`${lineId}/${index}`, amount.amount]),
          ),
        );
        expect(taxBy(parts, 'goods')).toEqual(wholeTax);
        const shipping = parts.filter(({ part }) => part === 'shipping');
        // The last refund of the whole order pays all of the shipping.
        expect(sumOf(shipping.map(({ tax }) => tax.amount))).toBe(sold.facts.shipping?.tax?.amount);
      },
    ),
    { numRuns: runs(1000) },
  );
});
