import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waiveFee } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { OrderFacts, Promotion } from '../../../lib/domain/returns/model/order.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import {
  type Account,
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
import { runs } from '../../support/samples.ts';

const charged = withFees({ promotion: true });

/** Three units of 10.00 for the price of two. */
const threeForTwo: Partial<OrderFacts> = {
  lines: [orderLine({ lineId: '1', quantity: 3, unitPrice: eur(1000), discountTotal: eur(1000) })],
  promotions: [{ id: '3for2', lines: [{ orderLineId: '1', discount: eur(1000) }], condition: { units: 3 } }],
};

/** Returns units, and refunds them if there is anything to refund. Returns the amount of the refund. */
const refundUnits = (account: Account, units: Readonly<Record<string, number>>, terms: Terms = charged): number => {
  const index = account.returns.length;
  beginReturn(account, units, terms);
  const before = situationOf(account, index);
  const booked = refundReturn(before, {}, { id: `rfd_${index}` });
  if (!booked.ok) return 0;
  applyResult(account, booked, index);
  return reportStatuses(account, ['submitted', 'succeeded'], index).refunds.at(-1)?.amount.amount ?? 0;
};

/** Returns the promotion of a return as it is now: the whole, and what was taken of it. */
const promotionIn = (account: Account, index: number): readonly number[] =>
  feesOf(situationOf(account, index).state).flatMap(({ type, amount, applied }) =>
    type === 'promotion' ? [amount.amount, applied.amount] : [],
  );

describe('3 for 2', () => {
  it('pays 0, 1000 and 1000 when the units come back one by one', () => {
    const account = openAccount(order(threeForTwo));
    expect([1, 1, 1].map((quantity) => refundUnits(account, { 1: quantity }))).toEqual([0, 1000, 1000]);
  });

  it('charges the discount of two units, and pays it back with the others', () => {
    const account = openAccount(order(threeForTwo));
    refundUnits(account, { 1: 1 });
    // The goods are worth as much as the discount, so no refund is left to take it.
    expect(promotionIn(account, 0)).toEqual([667, 0]);
    beginReturn(account, { 1: 1 }, charged);
    // The unit that stays owes 333. The first unit took 667, and is worth 666 once the second one is paid.
    expect(promotionIn(account, 1)).toEqual([-333, 0]);
    refund(account, {}, 1);
    expect([promotionIn(account, 0), promotionIn(account, 1)]).toEqual([
      [666, 0],
      [-333, -333],
    ]);
  });

  it.each([
    [[3], [2000]],
    [
      [2, 1],
      [1000, 1000],
    ],
    [
      [1, 2],
      [0, 2000],
    ],
  ])('pays for %j units at a time %j', (units, paid) => {
    const account = openAccount(order(threeForTwo));
    expect(units.map((quantity) => refundUnits(account, { 1: quantity }))).toEqual(paid);
  });

  it('pays the worth of a unit when no rule charges promotions, or a law protects the line', () => {
    for (const terms of [
      inAdvance,
      { ...charged, floor: { law: 'EU 2011/83', fees: ['inspection', 'return_shipping'] } } as const,
    ])
      expect(refundUnits(openAccount(order(threeForTwo)), { 1: 1 }, terms)).toBe(667);
    const named: Terms = { ...charged, floor: { law: 'ours', fees: ['promotion'] } };
    expect(refundUnits(openAccount(order(threeForTwo)), { 1: 1 }, named)).toBe(0);
  });

  it('pays back what an earlier return was charged, also when nothing more may be charged', () => {
    const account = openAccount(order(threeForTwo));
    expect(refundUnits(account, { 1: 1 })).toBe(0);
    expect(refundUnits(account, { 1: 2 }, inAdvance)).toBe(2000);
  });

  it.each(['constructor', '__proto__'])('reads a line with the id %s as any other', (lineId) => {
    const [line] = threeForTwo.lines ?? [];
    if (line === undefined) throw new Error('no line');
    const named = [{ orderLineId: lineId, discount: eur(1000) }];
    const facts = { lines: [{ ...line, lineId }], promotions: [{ id: 'p', lines: named, condition: { units: 3 } }] };
    const account = openAccount(order(facts));
    const units = Object.fromEntries([[lineId, 1]]);
    expect([units, units, units].map((of) => refundUnits(account, of))).toEqual([0, 1000, 1000]);
  });

  it('charges nothing of what was waived', () => {
    const account = openAccount(order(threeForTwo));
    beginReturn(account, { 1: 1 }, charged);
    applyResult(account, waiveFee(situationOf(account, 0, true), { type: 'promotion', reason: 'goodwill' }));
    expect(refund(account).refunds[0]?.amount.amount).toBe(667);
    expect([1, 1].map((quantity) => refundUnits(account, { 1: quantity }))).toEqual([666, 667]);
  });

  it('makes no debt of an earlier return whose units kept the condition', () => {
    const facts = {
      lines: [orderLine({ lineId: '1', quantity: 4, unitPrice: eur(1000), discountTotal: eur(1000) })],
      promotions: [{ id: 'p', lines: [{ orderLineId: '1', discount: eur(1000) }], condition: { units: 3 } }],
    };
    const account = openAccount(order(facts));
    expect([1, 1, 1, 1].map((quantity) => refundUnits(account, { 1: quantity }))).toEqual([750, 250, 1000, 1000]);
    for (const index of [0, 1, 2, 3]) {
      const { state } = situationOf(account, index);
      expect([recoveryDue(state), owed(state), refundStatus(state)]).toEqual([0, 0, 'refunded']);
    }
  });
});

const shirtAndTie = [
  orderLine({ lineId: '1', quantity: 1, unitPrice: eur(9000), discountTotal: eur(900) }),
  orderLine({ lineId: '2', quantity: 2, unitPrice: eur(2000), discountTotal: eur(400) }),
];
const tenPercent = [
  { orderLineId: '1', discount: eur(900) },
  { orderLineId: '2', discount: eur(400) },
];

describe('other conditions', () => {
  const of = (condition: Promotion['condition'], lines = shirtAndTie, named = tenPercent) =>
    openAccount(order({ lines, promotions: [{ id: 'p', lines: named, condition }] }));

  it('keep a threshold by the value before its discount', () => {
    // 110.00 stay: the threshold of 110.00 holds, and that of 110.01 does not.
    expect(refundUnits(of({ value: eur(11_000) }), { 2: 1 })).toBe(1800);
    expect(refundUnits(of({ value: eur(11_001) }), { 2: 1 })).toBe(1800 - 900 - 200);
  });

  it('keep a set only with all units of all lines, and take at most the worth of the goods', () => {
    const account = of({ allLines: true });
    expect(refundUnits(account, { 1: 1 })).toBe(8100 - 400);
    expect(refundUnits(account, { 2: 2 })).toBe(3600 + 400);
    const little = of({ allLines: true });
    expect(refundUnits(little, { 2: 1 })).toBe(1800 - 900 - 200);
    expect(refundUnits(little, { 1: 1, 2: 1 })).toBe(11_700 - 700);
  });

  it('charge a free gift that stays, and nothing for one that comes back', () => {
    const lines = [
      orderLine({ lineId: '1', quantity: 1, unitPrice: eur(5000) }),
      orderLine({ lineId: '2', quantity: 1, unitPrice: eur(800), discountTotal: eur(800) }),
    ];
    const named = [
      { orderLineId: '1', discount: eur(0) },
      { orderLineId: '2', discount: eur(800) },
    ];
    expect(refundUnits(of({ value: eur(5000) }, lines, named), { 1: 1 })).toBe(4200);
    expect(refundUnits(of({ value: eur(5000) }, lines, named), { 1: 1, 2: 1 })).toBe(5000);
    const account = of({ value: eur(5000) }, lines, named);
    expect([refundUnits(account, { 2: 1 }), refundUnits(account, { 1: 1 })]).toEqual([0, 5000]);
  });
});

type Sold = { readonly quantity: number; readonly price: number; readonly off: number };

/** What the kept units cost: their price, less the discount while the condition holds. Counted a second time. */
const costOf = (sold: readonly Sold[], kept: readonly number[], condition: Promotion['condition']): number => {
  const sum = (of: (line: Sold, units: number) => number) =>
    sold.reduce((total, line, index) => total + of(line, kept[index] ?? 0), 0);
  const isHeld =
    'units' in condition
      ? sum((_, units) => units) >= condition.units
      : 'value' in condition
        ? sum(({ price }, units) => price * units) >= condition.value.amount
        : sold.every(({ quantity }, index) => kept[index] === quantity);
  return sum(({ price, off, quantity }, units) => {
    const gone = quantity - units;
    const paid = price * quantity - off;
    return isHeld ? paid - Math.floor((2 * paid * gone + quantity) / (2 * quantity)) : price * units;
  });
};

describe('refunds of an order with a promotion, for any split into returns', () => {
  it('leave what the kept units cost, and pay everything when all come back', () => {
    const line = fc
      .record({ quantity: fc.integer({ min: 1, max: 5 }), price: fc.nat(3000), share: fc.nat(100) })
      .map(
        ({ share, quantity, price }): Sold => ({ quantity, price, off: Math.floor((price * quantity * share) / 100) }),
      );
    const condition = fc.oneof(
      fc.integer({ min: 1, max: 12 }).map((units) => ({ units })),
      fc.nat(15_000).map((value) => ({ value: eur(value) })),
      fc.constant({ allLines: true } as const),
    );
    const split = fc.array(fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), { maxLength: 5 });
    let ended = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), condition, split, (sold, holding, parts) => {
        const lines = sold.map(({ quantity, price, off }, index) =>
          orderLine({ lineId: String(index), quantity, unitPrice: eur(price), discountTotal: eur(off) }),
        );
        const named = sold.map(({ off }, index) => ({ orderLineId: String(index), discount: eur(off) }));
        const account = openAccount(order({ lines, promotions: [{ id: 'p', lines: named, condition: holding }] }));
        const kept = sold.map(({ quantity }) => quantity);
        const paid = costOf(sold, kept, holding);
        let refunded = 0;
        for (const part of [...parts, [9, 9, 9]]) {
          const units = kept.map((left, index) => Math.min(left, part[index] ?? 0));
          if (units.every((quantity) => quantity === 0)) continue;
          units.forEach((quantity, index) => (kept[index] = (kept[index] ?? 0) - quantity));
          const request = units.flatMap((quantity, index): [string, number][] =>
            quantity === 0 ? [] : [[String(index), quantity]],
          );
          const before = refunded;
          refunded += refundUnits(account, Object.fromEntries(request));
          const cost = costOf(sold, kept, holding);
          // A refund is never below zero: what the goods cannot bear, a later refund leaves.
          expect(refunded).toBe(
            Math.max(before, sold.reduce((sum, of) => sum + of.price * of.quantity - of.off, 0) - cost),
          );
          if (cost > 0 && cost === sold.reduce((sum, of, index) => sum + of.price * (kept[index] ?? 0), 0)) ended += 1;
          for (const index of account.returns.keys()) expect(recoveryDue(situationOf(account, index).state)).toBe(0);
        }
        expect(refunded).toBe(sold.reduce((sum, of) => sum + of.price * of.quantity - of.off, 0));
        expect(paid).toBeGreaterThanOrEqual(refunded);
      }),
      { numRuns: runs(500), seed: 20_261_129 },
    );
    expect(ended).toBeGreaterThan(runs(100));
  });

  it('pay everything when all units of two promotions come back, under any terms', () => {
    const condition = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((units) => ({ units })),
      fc.constant({ allLines: true } as const),
    );
    const order4 = fc.record({ price: fc.integer({ min: 1, max: 3000 }), offs: fc.tuple(fc.nat(40), fc.nat(40)) });
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(order4, condition, condition, parts, ({ price, offs }, one, two, returns) => {
        const [first, second] = offs.map((share) => Math.floor((price * 4 * share) / 100)) as [number, number];
        const named = (discount: number) => [{ orderLineId: '1', discount: eur(discount) }];
        const line = { lineId: '1', quantity: 4, unitPrice: eur(price), discountTotal: eur(first + second) };
        const account = openAccount(
          order({
            lines: [orderLine(line)],
            promotions: [
              { id: 'a', lines: named(first), condition: one },
              { id: 'b', lines: named(second), condition: two },
            ],
          }),
        );
        let [left, refunded] = [4, 0];
        for (const [units, isCharged] of [...returns, [4, true] as const]) {
          const quantity = Math.min(left, units);
          left -= quantity;
          if (quantity > 0) refunded += refundUnits(account, { 1: quantity }, isCharged ? charged : inAdvance);
          for (const index of account.returns.keys()) expect(recoveryDue(situationOf(account, index).state)).toBe(0);
        }
        expect(refunded).toBe(price * 4 - first - second);
      }),
      { numRuns: runs(300), seed: 20_261_129 },
    );
  });
});
