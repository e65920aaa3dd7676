import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import { paidForOrder } from '../../../lib/domain/returns/money/amounts.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import {
  beginReturn,
  applyResult,
  inAdvance,
  now,
  openAccount,
  refund,
  situationOf,
  sumOfRefunds,
  reportStatuses,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const charges = [
  { type: 'duty' as const, paid: eur(700) },
  { type: 'other' as const, name: 'Bottle deposit', paid: eur(250) },
];
/** Two metres and a half of cloth at 3.99 a metre, sold by the centimetre. */
const cloth = orderLine({ quantity: 250, unitPrice: eur(4), discountTotal: eur(2) });

const sold = () => openAccount(order({ charges, shipping: { paid: eur(490) } }));
const byLaw: Terms = { ...inAdvance, shipping: 'statutory', floor: { law: 'EU 2011/83', fees: [] } };

describe('an order sold by its smallest unit', () => {
  it('pays each part of a metre exactly, and all of it in any parts', () => {
    const account = openAccount(order({ lines: [cloth] }));
    expect(Number(paidForOrder(account.order, account.ledger))).toBe(998);
    beginReturn(account, { 1: 100 }, inAdvance);
    expect(refund(account, {}, 0).refunds[0]).toMatchObject({ amount: eur(399) });
    beginReturn(account, { 1: 33 }, inAdvance);
    expect(refund(account, {}, 1).refunds[0]).toMatchObject({ amount: eur(132) });
    beginReturn(account, { 1: 117 }, inAdvance);
    refund(account, {}, 2);
    expect(sumOfRefunds(account)).toBe(998);
  });
});

describe('charges of an order', () => {
  it('have a name where their type says nothing', () => {
    const register = (charge: object) =>
      registerOrder(undefined, {
        ref: { platform: 'web', orderId: '1' },
        facts: order({ charges: [{ paid: eur(100), ...charge } as never] }).facts,
        observedAt: now,
        latest: now,
        id: 'ord_1',
        now,
      });
    expect(register({ type: 'other' })).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/charges/0/name', code: 'required' }] },
    });
    for (const charge of [{ type: 'other', name: 'Bottle deposit' }, { type: 'deposit' }, { type: 'donation' }])
      expect(register(charge)).toMatchObject({ ok: true });
  });

  it('are refunded with the last goods of the whole order when a law requires it', () => {
    const account = sold();
    beginReturn(account, { 1: 1 }, byLaw);
    beginReturn(account, { 1: 2 }, byLaw);
    expect(refund(account, {}, 0).refunds[0]).toMatchObject({ amount: eur(1000) });
    expect(quote(situationOf(account, 1), {})).toMatchObject({
      value: {
        total: eur(3440),
        steps: expect.arrayContaining([expect.objectContaining({ rule: 'charges', amount: eur(950) })]),
      },
    });
    refund(account, {}, 1);
    expect(sumOfRefunds(account)).toBe(Number(paidForOrder(account.order, account.ledger)));
    expect(account.ledger.given).toEqual({ amount: 4440, shipping: 490, charges: 950, own: 4440, money: 4440 });
  });

  it('are refunded when the request names them, up to the amount paid', () => {
    const account = sold();
    beginReturn(account, { 1: 3 });
    expect(quote(situationOf(account), {})).toMatchObject({ value: { total: eur(3000) } });
    refund(account, { charges: eur(700) });
    expect(refundReturn(situationOf(account), { charges: eur(251) }, { id: 'rfd_1' })).toMatchObject({
      failure: {
        code: 'refund_exceeds_ceiling',
        errors: [{ path: '/charges/amount', message: 'must be at most 250' }],
      },
    });
    expect(recoveryDue(reportStatuses(account, ['submitted', 'succeeded']))).toBe(0);
  });

  it('are no debt of the customer when they are refunded externally', () => {
    const account = sold();
    const state = beginReturn(account, { 1: 3 });
    const lines = [{ orderLineId: '1', quantity: 3, amount: eur(3000) }];
    const record = (amount: number, charged: number) =>
      recordRefund(
        account.order,
        account.ledger,
        state,
        { amount: eur(amount), charges: eur(charged), method: 'manual', occurredAt: now, lines },
        { id: 'rfd_x', externalId: '1', now, latest: now },
      );
    const decision = record(3950, 950);
    if (!decision.ok) throw new Error(decision.failure.code);
    const [first, ...others] = decision.value.events;
    if (first === undefined) throw new Error('no event');
    const next = applyResult(account, {
      ok: true,
      value: { events: [first, ...others], ledger: decision.value.ledger },
    });
    expect(next.discrepancies).toEqual([]);
    expect(
      recoveryDue({
        ...next,
        lines: next.lines.map((line) => ({ ...line, quantities: { ...line.quantities, received: 3, accepted: 3 } })),
      }),
    ).toBe(0);
    expect(record(3951, 951)).toMatchObject({
      value: {
        refund: {
          discrepancies: expect.arrayContaining([expect.objectContaining({ code: 'charges_refund_exceeds_paid' })]),
        },
      },
    });
    expect(record(3949, 950)).toMatchObject({ failure: { errors: [{ path: '/amount' }] } });
  });

  it('add up with goods and shipping to exactly the amount paid, in any parts', () => {
    fc.assert(
      fc.property(
        fc.record({
          units: fc.integer({ min: 1, max: 6 }),
          price: fc.nat(999),
          tax: fc.nat(99),
          duty: fc.nat(500),
          ship: fc.nat(500),
        }),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 }),
        fc.nat(3000),
        ({ units, price, tax, duty, ship }, parts, goodwill) => {
          const line = orderLine({ quantity: units, unitPrice: eur(price + 1), taxTotal: eur(tax) });
          const account = openAccount(
            order({ lines: [line], charges: [{ type: 'duty', paid: eur(duty) }], shipping: { paid: eur(ship) } }),
          );
          const maximum = Number(paidForOrder(account.order, account.ledger));
          const goodwillPaid = Math.min(goodwill, maximum);
          account.ledger = { ...account.ledger, given: { amount: goodwillPaid, shipping: 0 } };
          let left = units;
          for (const part of [...parts, units]) {
            const quantity = Math.min(part, left);
            if (quantity === 0) continue;
            left -= quantity;
            beginReturn(account, { 1: quantity }, byLaw);
          }
          account.returns.forEach((_, index) => {
            const decision = refundReturn(situationOf(account, index), {}, { id: `rfd_${index}` });
            if (decision.ok) applyResult(account, decision, index);
          });
          expect(sumOfRefunds(account) + goodwillPaid).toBe(maximum);
        },
      ),
      { numRuns: runs(100), seed: 20261124 },
    );
  });
});
