import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import type { OrderFacts, TaxLine } from '../../../lib/domain/returns/model/order.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { eur, ledgerHolding, order, orderFacts, orderLine } from '../../support/orders.ts';

const early = '2026-10-01T00:00:00.000Z';
const late = '2026-11-20T00:00:00.000Z';

const register = (facts: OrderFacts, known?: Parameters<typeof registerOrder>[0], observedAt = late) =>
  registerOrder(known, {
    ref: { platform: 'shopify', orderId: '1001' },
    facts,
    observedAt,
    latest: late,
    id: 'ord_new',
    now: late,
  });

const at = (rate: string, amount: number): TaxLine => ({ rate, category: 'S', amount: eur(amount) });
const taxed = (taxes: readonly TaxLine[] | undefined, taxTotal?: number): OrderFacts =>
  orderFacts({
    lines: [orderLine({ ...(taxes && { taxes }), ...(taxTotal !== undefined && { taxTotal: eur(taxTotal) }) })],
  });

const registered = (...reports: [OrderFacts, string][]) => {
  let known: Parameters<typeof registerOrder>[0];
  for (const [facts, observedAt] of reports) {
    const decision = register(facts, known, observedAt);
    if (!decision.ok) throw new Error(decision.failure.code);
    known = { order: decision.value, ledger: emptyLedger };
  }
  return known?.order;
};

const amounts = fc.array(fc.nat(1_000_000_000), { maxLength: 10 });
const totalOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);
/** The same tax at each part of an order. */
const everywhere = (parts: readonly number[], total: number): OrderFacts => {
  const taxes = parts.map((amount) => ({ amount: eur(amount) }));
  const tax = { paid: eur(0), tax: eur(total), taxes };
  return { ...taxed(taxes, total), shipping: tax, charges: [{ type: 'duty', ...tax }] };
};

describe('tax lines of an order', () => {
  it('are accepted at each part whenever they add up to the tax', () => {
    fc.assert(
      fc.property(amounts, (parts) => {
        const facts = everywhere(parts, totalOf(parts));
        expect(register(facts)).toMatchObject({ ok: true, value: { facts } });
      }),
    );
  });

  it('fail at each part whenever they add up to another amount', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10_000_000_000), (parts, total) => {
        fc.pre(total !== totalOf(parts));
        const decision = register(everywhere(parts, total));
        expect(
          !decision.ok && 'errors' in decision.failure && decision.failure.errors.map(({ path, code }) => [path, code]),
        ).toEqual([
          ['/lines/0/taxes', 'total'],
          ['/charges/0/taxes', 'total'],
          ['/shipping/taxes', 'total'],
        ]);
      }),
    );
  });

  it('name both amounts in the error when they differ', () => {
    expect(register(taxed([at('19', 400), at('7', 78)], 479))).toMatchObject({
      failure: {
        code: 'invalid_request',
        errors: [{ message: 'must add up to `taxTotal`, 479, but the amounts add up to 478' }],
      },
    });
  });

  it('need the tax that they are the parts of', () => {
    const paid = { paid: eur(490), taxes: [at('19', 78)] };
    expect(
      register({ ...taxed([at('19', 479)]), shipping: paid, charges: [{ type: 'gift_wrap', ...paid }] }),
    ).toMatchObject({
      failure: {
        errors: [
          { path: '/lines/0/taxTotal', code: 'required', message: 'must be the total of `taxes`, 479' },
          { path: '/charges/0/tax', code: 'required', message: 'must be the total of `taxes`, 78' },
          { path: '/shipping/tax', code: 'required', message: 'must be the total of `taxes`, 78' },
        ],
      },
    });
  });

  it('are in the currency of the order', () => {
    const dollars = { amount: { amount: 78, currency: 'USD' } };
    const paid = { paid: eur(490), tax: eur(78), taxes: [dollars] };
    const facts = { ...taxed([dollars], 78), shipping: paid, charges: [{ type: 'duty' as const, ...paid }] };
    expect(register(facts)).toMatchObject({
      failure: {
        code: 'currency_mismatch',
        errors: [
          { path: '/lines/0/taxes/0/amount/currency' },
          { path: '/charges/0/taxes/0/amount/currency' },
          { path: '/shipping/taxes/0/amount/currency' },
        ],
      },
    });
  });

  it('stay when a later observation has the same tax without them', () => {
    const facts = taxed([at('19', 479)], 479);
    for (const reports of [
      [facts, taxed(undefined, 479)],
      [taxed(undefined, 479), facts],
    ] as const)
      expect(registered([reports[0], early], [reports[1], late])?.facts).toEqual(facts);
  });

  it('go when a later observation has another tax without them, in any sequence', () => {
    const [old, next] = [taxed([at('19', 479)], 479), taxed(undefined, 300)];
    const once = registered([next, late]);
    expect(registered([old, early], [next, late])?.facts).toEqual(next);
    expect(registered([next, late], [old, early])).toEqual(once);
  });

  it('cannot change after the first return', () => {
    const [line, split] = [taxed([at('19', 479)], 479), taxed([at('19', 400), at('7', 79)], 479)];
    const shipping = { paid: eur(490), tax: eur(78) };
    const known = { order: order({ ...line, shipping }), ledger: ledgerHolding({ '1': 1 }) };
    expect(register({ ...split, shipping: { ...shipping, taxes: [at('19', 78)] } }, known)).toMatchObject({
      failure: {
        code: 'order_facts_frozen',
        errors: [
          { path: '/shipping/taxes', code: 'frozen' },
          { path: '/lines/0/taxes', code: 'frozen' },
        ],
      },
    });
    expect(register(taxed(undefined, 479), known)).toMatchObject({ ok: true, value: { facts: line } });
  });
});

describe('payments of an order', () => {
  it('must be listed when they are complete, and may be none', () => {
    expect(register(orderFacts({ paymentsComplete: true }))).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/payments', code: 'required' }] },
    });
    expect(register(orderFacts({ paymentsComplete: true, payments: [] }))).toMatchObject({ ok: true });
    expect(register(orderFacts({ paymentsComplete: false }))).toMatchObject({ ok: true });
  });

  it('may be added after the first return', () => {
    const payment = { id: 'p1', method: 'card', paid: eur(300) };
    const known = { order: order({ paymentsComplete: true, payments: [payment] }), ledger: ledgerHolding({ '1': 1 }) };
    const payments = [payment, { ...payment, id: 'p2' }];
    expect(register(orderFacts({ payments }), known)).toMatchObject({
      ok: true,
      value: { facts: { payments, paymentsComplete: true } },
    });
  });
});
