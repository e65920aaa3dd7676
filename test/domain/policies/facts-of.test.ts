import { describe, expect, it } from 'vitest';
import { factsOf, keptFacts } from '../../../lib/domain/policies/decision/facts-of.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { holdWithdrawn } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import { eur, ledgerHolding, order, orderLine, refundedAlone } from '../../support/orders.ts';

/** A set of three shirts and three ties, a set of four socks and two boxes, and a hat of no set. */
const sold = order({
  lines: [
    orderLine({ lineId: 'shirt', quantity: 3, bundleId: 'suit' }),
    orderLine({ lineId: 'tie', quantity: 3, bundleId: 'suit' }),
    orderLine({ lineId: 'sock', quantity: 4, bundleId: 'gift' }),
    orderLine({ lineId: 'box', quantity: 2, bundleId: 'gift' }),
    orderLine({ lineId: 'hat', quantity: 1 }),
  ],
});

const factsFor = (of: Order, units: Readonly<Record<string, number>>) =>
  factsOf(
    of,
    {
      lines: Object.entries(units).map(([orderLineId, quantity]) => ({
        orderLineId,
        quantity,
        reason: { code: 'unknown' },
      })),
    },
    {
      requestedAt: '2026-11-21T08:00:00.000Z',
      rights: new Map(),
      liablePartyOf: () => undefined,
      customer: {},
      kept: {},
    },
  );

describe('return.bundlesWhole', () => {
  it.each([
    ['a request without a set', { hat: 1 }, true],
    ['one set of three', { shirt: 1, tie: 1 }, true],
    ['all sets', { shirt: 3, tie: 3, sock: 4, box: 2, hat: 1 }, true],
    ['a set with several units of a line', { sock: 2, box: 1 }, true],
    ['a part of a set', { shirt: 1 }, false],
    ['uneven parts of a set', { shirt: 2, tie: 1 }, false],
    ['a whole set beside a part of another one', { shirt: 1, tie: 1, sock: 1 }, false],
  ])('of %s', (_, units, whole) => {
    expect(factsFor(sold, units)?.return.bundlesWhole).toBe(whole);
  });

  it('ignores lines of which nothing is left', () => {
    const edited = order({
      lines: [
        orderLine({ lineId: 'shirt', quantity: 2, bundleId: 'suit' }),
        orderLine({ lineId: 'tie', quantity: 0, bundleId: 'suit' }),
      ],
    });
    expect(factsFor(edited, { shirt: 1 })?.return.bundlesWhole).toBe(true);
  });
});

describe('keptFacts', () => {
  const bought = order({
    lines: [
      orderLine({ lineId: '1', quantity: 3, unitPrice: eur(334), discountTotal: eur(2) }),
      orderLine({ lineId: '2', quantity: 2, unitPrice: eur(500) }),
    ],
  });
  const ask = (...units: readonly [string, number][]) =>
    units.map(([orderLineId, quantity]) => ({ orderLineId, quantity, reason: { code: 'unknown' } }));

  it('are all sold units without those of the request', () => {
    expect(keptFacts(bought, emptyLedger, ask(['1', 1]))).toEqual({ quantityKept: 4, valueKept: 667 + 1000 });
    expect(keptFacts(bought, emptyLedger, ask(['1', 3], ['2', 2]))).toEqual({ quantityKept: 0, valueKept: 0 });
  });

  it('are without units of other returns, refunds without a return and withdrawals', () => {
    const returned = ledgerHolding({ 1: 1 });
    expect(keptFacts(bought, returned, ask(['1', 1]))).toEqual({ quantityKept: 3, valueKept: 333 + 1000 });
    const alone = refundedAlone(returned, '2', 1, 500);
    expect(keptFacts(bought, alone, ask(['1', 1]))).toEqual({ quantityKept: 2, valueKept: 333 + 500 });
    const withdrawn = holdWithdrawn(alone, bought, 'wdr_1', [{ orderLineId: '2', quantity: 1 }]);
    expect(keptFacts(bought, withdrawn, ask(['1', 1]))).toEqual({ quantityKept: 1, valueKept: 333 });
  });
});

describe('line.bundleId', () => {
  it('is the set of the line, and absent without one', () => {
    expect(factsFor(sold, { shirt: 1, hat: 1 })?.lines.map(({ bundleId }) => bundleId)).toEqual(['suit', undefined]);
  });
});

describe('order.isReplacement', () => {
  it('is true for an order with an origin, by its facts or by an exchange', () => {
    const origin = { platform: 'shopify', orderId: '1000' };
    const stated = { ...sold, facts: { ...sold.facts, origin } };
    expect([sold, stated, { ...sold, origin }].map((of) => factsFor(of, { hat: 1 })?.order.isReplacement)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
