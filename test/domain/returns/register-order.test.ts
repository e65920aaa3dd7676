import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import { eur, ledgerHolding, order, orderFacts, orderLine, refundedAlone } from '../../support/orders.ts';

const ref = { platform: 'shopify', orderId: '1001' };
const now = '2026-11-21T08:00:00.000Z';
const early = '2026-10-01T00:00:00.000Z';
const late = '2026-11-20T00:00:00.000Z';

const register = (known: Parameters<typeof registerOrder>[0], facts: OrderFacts, observedAt = late) =>
  registerOrder(known, { ref, facts, observedAt, latest: '2026-12-31T00:00:00.000Z', id: 'ord_new', now });

const registered = (...reports: [OrderFacts, string][]) => {
  let known: Parameters<typeof registerOrder>[0];
  for (const [facts, at] of reports) {
    const decision = register(known, facts, at);
    if (!decision.ok) throw new Error(decision.failure.code);
    known = { order: decision.value, ledger: emptyLedger };
  }
  return known?.order;
};

describe('registerOrder', () => {
  it('stores a new order with the given facts', () => {
    expect(register(undefined, orderFacts({ number: '#1001' }))).toMatchObject({
      ok: true,
      value: { id: 'ord_new', ...ref, version: 1, facts: { number: '#1001' }, createdAt: now },
    });
  });

  it('changes nothing, not even the version, when the same facts are registered again', () => {
    const known = { order: order(), ledger: emptyLedger };
    const decision = register(known, orderFacts(), known.order.observed.at);
    expect(decision.ok && decision.value).toBe(known.order);
  });

  it('prefers the newer observation of each fact, and keeps facts that only one observation has', () => {
    const merged = registered(
      [orderFacts({ number: 'late', lines: [orderLine({ sku: 'late' })] }), late],
      [orderFacts({ number: 'early', channel: 'web', lines: [orderLine({ sku: 'early', brand: 'B' })] }), early],
    );
    expect(merged?.facts).toMatchObject({ number: 'late', channel: 'web', lines: [{ sku: 'late', brand: 'B' }] });
  });

  it('returns the same order for any sequence of the observations', () => {
    const fact = fc.record({
      number: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      sku: fc.constantFrom('x', 'y'),
    });
    const tellings = fc.uniqueArray(fc.tuple(fact, fc.integer({ min: 10, max: 28 })), {
      selector: ([, day]) => day,
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(tellings, fc.infiniteStream(fc.nat()), (reported, dice) => {
        const all = reported.map(([{ number, sku }, day]): [OrderFacts, string] => [
          orderFacts({ ...(number === undefined ? {} : { number }), lines: [orderLine({ sku })] }),
          `2026-11-${day}T00:00:00.000Z`,
        ]);
        const shuffled = all
          .map((report) => ({ report, at: dice.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ report }) => report);
        expect(registered(...shuffled)?.facts).toEqual(registered(...all)?.facts);
      }),
    );
  });

  it('fails for money in another currency, and names its path', () => {
    const decision = register(
      undefined,
      orderFacts({ lines: [orderLine({ taxTotal: { amount: 1, currency: 'USD' } })] }),
    );
    expect(decision).toMatchObject({
      ok: false,
      failure: { code: 'currency_mismatch', errors: [{ path: '/lines/0/taxTotal/currency' }] },
    });
  });

  it('fails for inconsistent order facts', () => {
    const wrong = orderFacts({
      currency: 'EUR',
      lines: [
        orderLine({ lineId: '1', discountTotal: eur(3001) }),
        orderLine({ lineId: '1', fulfilledQuantity: 4 }),
        orderLine({ lineId: '2', quantity: 100_000, unitPrice: eur(1_000_000_000_000) }),
        orderLine({ lineId: '3', taxIncluded: true, taxTotal: eur(3001) }),
        orderLine({ lineId: '4', discountTotal: eur(3001), taxTotal: eur(600) }),
        orderLine({ lineId: '5', deliveries: [1, 3].map((quantity) => ({ quantity, at: late })) }),
      ],
    });
    const decision = register(undefined, wrong);
    expect(
      !decision.ok && 'errors' in decision.failure && decision.failure.errors.map(({ path, code }) => [path, code]),
    ).toEqual([
      ['/lines/0/discountTotal', 'maximum'],
      ['/lines/1/fulfilledQuantity', 'maximum'],
      ['/lines/2', 'maximum'],
      ['/lines/3/taxTotal', 'maximum'],
      ['/lines/4/discountTotal', 'maximum'],
      ['/lines/5/deliveries', 'maximum'],
      ['/lines', 'maximum'],
      ['/lines/1/lineId', 'duplicate'],
    ]);
    const dear = ['1', '2'].map((lineId) => orderLine({ lineId, quantity: 1, unitPrice: eur(500_000_000_000) }));
    expect(register(undefined, orderFacts({ lines: dear })).ok).toBe(true);
    for (const country of ['ZZ', 'UK', 'EU'])
      expect(register(undefined, orderFacts({ country, destination: { country } }))).toMatchObject({
        failure: {
          errors: [
            { path: '/country', code: 'unknown' },
            { path: '/destination/country', code: 'unknown' },
          ],
        },
      });
    expect(register(undefined, orderFacts({ country: 'EL', destination: { country: 'EL' } }))).toMatchObject({
      value: { facts: { country: 'GR', destination: { country: 'GR' } } },
    });
    // No refund of an order may exceed the maximum amount.
    expect(register(undefined, orderFacts({ lines: dear, shipping: { paid: eur(1) } }))).toMatchObject({
      failure: { errors: [{ path: '/lines', code: 'maximum' }] },
    });
    expect(register(undefined, orderFacts({ currency: 'XXX' }))).toMatchObject({
      failure: { code: 'invalid_request' },
    });
  });

  it('fixes prices after the first return, and quantities at the units that returns hold', () => {
    const known = { order: order(), ledger: ledgerHolding({ '1': 2 }) };
    const dearer = register(known, orderFacts({ lines: [orderLine({ unitPrice: eur(1001) })] }));
    expect(dearer).toMatchObject({ failure: { code: 'order_facts_frozen', errors: [{ path: '/lines/0/unitPrice' }] } });
    const more = register(known, orderFacts({ lines: [orderLine({ quantity: 100 })] }));
    expect(more).toMatchObject({ failure: { code: 'order_facts_frozen', errors: [{ path: '/lines/0/quantity' }] } });
    const fewer = register(known, orderFacts({ lines: [orderLine({ fulfilledQuantity: 1 })] }));
    expect(fewer).toMatchObject({
      failure: { code: 'order_facts_frozen', errors: [{ path: '/lines/0/fulfilledQuantity', code: 'minimum' }] },
    });
    const delivered = register(known, orderFacts({ lines: [orderLine({ deliveries: [{ quantity: 3, at: late }] })] }));
    expect(delivered).toMatchObject({ ok: true, value: { version: 2 } });
  });

  it('keeps the currency and the units of a refund without a return', () => {
    const booked = refundedAlone(emptyLedger, '1', 2, 2000);
    const known = { order: order(), ledger: booked };
    const one = orderLine({ quantity: 1 });
    expect(register(known, orderFacts({ lines: [one] }))).toMatchObject({
      failure: { code: 'order_facts_frozen', errors: [{ path: '/lines/0/quantity', code: 'minimum' }] },
    });
    expect(register(known, orderFacts({ lines: [orderLine({ fulfilledQuantity: 1 })] }))).toMatchObject({
      failure: { code: 'order_facts_frozen', errors: [{ path: '/lines/0/fulfilledQuantity', code: 'minimum' }] },
    });
    const dollars = orderLine({ unitPrice: { amount: 1000, currency: 'USD' } });
    expect(register(known, orderFacts({ currency: 'USD', lines: [dollars] }))).toMatchObject({
      failure: { code: 'order_facts_frozen', errors: [{ path: '/currency', code: 'frozen' }] },
    });
    const dearer = orderFacts({ lines: [orderLine({ quantity: 2, unitPrice: eur(1001) })] });
    expect(register(known, dearer)).toMatchObject({ ok: true, value: { version: 2 } });
    const unsent = order({ lines: [orderLine({ fulfilledQuantity: 0 })] });
    const sent = orderFacts({ lines: [orderLine({ fulfilledQuantity: 1 })] });
    expect(register({ order: unsent, ledger: booked }, sent)).toMatchObject({ ok: true });
  });

  it("merges the customer's facts one by one", () => {
    const merged = registered(
      [orderFacts({ customer: { id: '7', segment: 'vip' } }), early],
      [orderFacts({ customer: { segment: 'none' } }), late],
    );
    expect(merged?.facts.customer).toEqual({ id: '7', segment: 'none' });
  });

  it('never stores more than 500 lines, over several registrations', () => {
    const lines = (from: number) =>
      Array.from({ length: 300 }, (_, index) => orderLine({ lineId: String(from + index) }));
    const first = registered([orderFacts({ lines: lines(0) }), early]);
    if (first === undefined) throw new Error('not registered');
    expect(register({ order: first, ledger: emptyLedger }, orderFacts({ lines: lines(300) }))).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/lines', code: 'max_items' }] },
    });
  });

  it('names the path in the input, not in the merged order', () => {
    const lines = [orderLine({ lineId: '1' }), orderLine({ lineId: '2' })];
    const known = { order: order({ lines }), ledger: ledgerHolding({ '2': 1 }) };
    const change = orderFacts({ lines: [orderLine({ lineId: '2', unitPrice: eur(1) })] });
    expect(register(known, change)).toMatchObject({ failure: { errors: [{ path: '/lines/0/unitPrice' }] } });
    const mixed = order({ lines: [orderLine({ lineId: '1', unitPrice: { amount: 1, currency: 'USD' } })] });
    expect(register({ order: mixed, ledger: emptyLedger }, change)).toMatchObject({
      failure: { code: 'currency_mismatch', errors: [{ path: '/lines' }] },
    });
  });

  it('fails for an observation in the future, because no later observation could correct it', () => {
    expect(register(undefined, orderFacts(), '9999-12-31T00:00:00.000Z')).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/observedAt', code: 'maximum' }] },
    });
  });
});
