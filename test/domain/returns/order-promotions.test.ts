import { describe, expect, it } from 'vitest';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import type { OrderFacts, Promotion } from '../../../lib/domain/returns/model/order.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { eur, orderFacts, orderLine } from '../../support/orders.ts';

const now = '2026-11-21T08:00:00.000Z';
const lines = [
  orderLine({ lineId: '1', quantity: 3, unitPrice: eur(1000), discountTotal: eur(1000) }),
  orderLine({ lineId: '2', quantity: 1, unitPrice: eur(500), taxTotal: eur(95), taxIncluded: false }),
];
const threeForTwo: Promotion = {
  id: '3for2',
  lines: [{ orderLineId: '1', discount: eur(1000) }],
  condition: { units: 3 },
};

const register = (
  facts: Partial<OrderFacts>,
  known?: Parameters<typeof registerOrder>[0],
  observedAt = '2026-11-20T08:00:00.000Z',
) =>
  registerOrder(known, {
    ref: { platform: 'web', orderId: '1' },
    facts: orderFacts({ lines, ...facts }),
    observedAt,
    latest: now,
    id: 'ord_1',
    now,
  });

/** Returns the errors of promotions, as paths with their codes. */
const errorsOf = (...promotions: readonly Promotion[]) => {
  const registered = register({ promotions });
  if (registered.ok || !('errors' in registered.failure)) return [];
  return (registered.failure.errors ?? []).map(({ path, code }) => `${path} ${code}`);
};

describe('promotions of an order', () => {
  it.each<Promotion['condition']>([{ units: 3 }, { value: eur(3000) }, { allLines: true }])(
    'are registered with the condition %o',
    (condition) => {
      const promotions = [{ ...threeForTwo, name: '3 for 2', condition }];
      expect(register({ promotions })).toMatchObject({ ok: true, value: { facts: { promotions } } });
    },
  );

  it('name lines of the order, each once', () => {
    const [line] = threeForTwo.lines;
    if (line === undefined) throw new Error('no line');
    expect(errorsOf({ ...threeForTwo, lines: [line, { ...line, orderLineId: '9' }] })).toEqual([
      '/promotions/0/lines/1/orderLineId unknown',
    ]);
    const none = { ...line, discount: eur(0) };
    expect(errorsOf({ ...threeForTwo, lines: [line, none] })).toEqual(['/promotions/0/lines/1/orderLineId duplicate']);
    expect(errorsOf(threeForTwo, { ...threeForTwo, lines: [none] })).toEqual(['/promotions/1/id duplicate']);
  });

  it('take at most the price of a line before discounts, all of them together', () => {
    const of = (id: string, discount: number, orderLineId = '1') => ({
      ...threeForTwo,
      id,
      lines: [{ orderLineId, discount: eur(discount) }],
    });
    expect(errorsOf(of('a', 2000), of('b', 1000))).toEqual([]);
    expect(errorsOf(of('a', 2000), of('b', 1001))).toEqual(['/promotions/1/lines/0/discount maximum']);
    // The tax is part of the price, and a free gift has no other price.
    expect([errorsOf(of('a', 595, '2')), errorsOf(of('a', 596, '2'))]).toEqual([
      [],
      ['/promotions/0/lines/0/discount maximum'],
    ]);
  });

  it('are in the currency of the order', () => {
    const usd = { amount: 1, currency: 'USD' };
    const foreign = { ...threeForTwo, lines: [{ orderLineId: '1', discount: usd }], condition: { value: usd } };
    expect(errorsOf(foreign)).toEqual([
      '/promotions/0/lines/0/discount/currency currency',
      '/promotions/0/condition/value/currency currency',
    ]);
  });

  it('are frozen with the first return', () => {
    const known = register({ promotions: [threeForTwo] });
    if (!known.ok) throw new Error(known.failure.code);
    const changed = { promotions: [{ ...threeForTwo, condition: { units: 2 } }] };
    const later = '2026-11-20T09:00:00.000Z';
    expect(register(changed, { order: known.value, ledger: emptyLedger }, later)).toMatchObject({ ok: true });
    const returned = { order: known.value, ledger: { ...emptyLedger, returns: 1 } };
    expect(register(changed, returned, later)).toMatchObject({
      failure: { code: 'order_facts_frozen', errors: [{ path: '/promotions', code: 'frozen' }] },
    });
    expect(register({}, returned, later)).toMatchObject({ ok: true });
  });
});
