import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRefundRecords } from '../../../lib/shops/platforms/saleor/refund-records.ts';
import { matchRefunds } from '../../../lib/shops/platforms/saleor/match-refunds.ts';
import { eur, event, fulfillment, grant, mug, order, shirt, transaction } from './saleor-shop.ts';

/** An event of an order: a return of goods or a refund. */
type OrderEvent = {
  readonly what: 'return' | 'refunded' | 'replaced' | 'money' | 'granted';
  readonly line: string;
  readonly quantity: number;
  readonly euros: number;
  readonly says: boolean;
};

const orderEvents = fc.array(
  fc.record<OrderEvent>({
    what: fc.constantFrom('return', 'return', 'refunded', 'replaced', 'money', 'granted', 'granted'),
    line: fc.constantFrom(shirt, mug),
    quantity: fc.integer({ min: 1, max: 2 }),
    euros: fc.integer({ min: 1, max: 3 }),
    says: fc.boolean(),
  }),
  { maxLength: 10, size: 'max' },
);

const statuses = { return: 'RETURNED', refunded: 'REFUNDED', replaced: 'REPLACED' } as const;
const time = (index: number) => `2026-11-20T10:00:${String(index).padStart(2, '0')}+00:00`;

/** Returns the order after all events. */
const after = (all: readonly OrderEvent[]) => {
  const fulfillments = all.flatMap(({ what, line, quantity, euros, says }, index) => {
    if (what === 'money' || what === 'granted') return [];
    const reportedAmounts = says ? { totalRefundedAmount: eur(euros) } : {};
    return [fulfillment(index, statuses[what], [[line, quantity]], { created: time(index), ...reportedAmounts })];
  });
  const granted = all.flatMap(({ what, line, quantity, euros }, index) => {
    if (what !== 'money' && what !== 'granted') return [];
    const moved = event(index, 'REFUND_SUCCESS', euros, { createdAt: time(index) });
    return [{ moved, grants: what === 'granted' ? [grant(index, euros, [[line, quantity]], [moved])] : [] }];
  });
  return order(1, {
    fulfillments,
    transactions: [transaction(...granted.map(({ moved }) => moved))],
    grantedRefunds: granted.flatMap(({ grants }) => grants),
  });
};

/** Returns each refund with the return that it is matched to. */
const saidOf = (all: readonly OrderEvent[]) => {
  const one = after(all);
  const records = readRefundRecords(one);
  if (!records.ok) throw new Error(records.failure.reason);
  const { ofReturns, others } = matchRefunds(one, records.value.read);
  return [
    ...[...ofReturns].flatMap(([id, refunds]) => refunds.map((refund) => [refund.externalId, id, refund] as const)),
    ...others.map((refund) => [refund.externalId, 'none', refund] as const),
  ];
};

describe('Saleor matchRefunds', () => {
  test('returns each paid refund once with its amount, and at most one per return', () => {
    fc.assert(
      fc.property(orderEvents, (all) => {
        const said = saidOf(all);
        const moved = all.filter(({ what }) => what === 'money' || what === 'granted');
        expect(new Set(said.map(([refund]) => refund)).size).toBe(said.length);
        expect(said.reduce((sum, [, , { amount }]) => sum + amount.amount, 0)).toBe(
          moved.reduce((sum, { euros }) => sum + euros * 100, 0),
        );
        const returns = said.map(([, id]) => id).filter((id) => id !== 'none');
        expect(new Set(returns).size).toBe(returns.length);
      }),
    );
  });

  test('keeps the match of a refund after any later events', () => {
    fc.assert(
      fc.property(orderEvents, fc.nat(), (all, at) => {
        const before = saidOf(all.slice(0, at % (all.length + 1)));
        const now = new Map(saidOf(all).map(([refund, id]) => [refund, id]));
        for (const [refund, id] of before) expect(now.get(refund)).toBe(id);
      }),
    );
  });
});
