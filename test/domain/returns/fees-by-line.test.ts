import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import type { LineFeeTerms, Terms } from '../../../lib/domain/returns/model/terms.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { feesOfWithdrawal, inspectionCapOf, withLineFees } from '../../../lib/domain/returns/line-fees.ts';
import {
  applyResult,
  beginReturn,
  inAdvance,
  openAccount,
  refund,
  situationOf as accountSituation,
  sumOfRefunds,
  withFees,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { openCase, run, situationOf } from '../../support/return-case.ts';
import { runs } from '../../support/samples.ts';

const [opened, sealed] = ['rln_0_0', 'rln_0_1'] as const;

/** Returns a return of 2 x 10.00 and of 3 x 5.00, refunded at once. */
const refundedWith = (fees: Partial<Terms['fees']>) => {
  const lines = [
    orderLine({ lineId: '1', quantity: 2, unitPrice: eur(1000) }),
    orderLine({ lineId: '2', quantity: 3, unitPrice: eur(500) }),
  ];
  const account = openAccount(order({ lines }));
  beginReturn(account, { 1: 2, 2: 3 }, withFees(fees));
  const state = refund(account);
  return { fees: feesOf(state).map(({ type, amount }) => [type, amount.amount]), paid: sumOfRefunds(account) };
};

describe('restocking fee of a line', () => {
  it('is 10 % of the opened goods, and nothing of the sealed ones', () => {
    const fees = { byLine: { [opened]: { restockingBps: 1000 } } };
    expect(refundedWith(fees)).toEqual({ fees: [['restocking', 200]], paid: 3300 });
  });

  it('takes the place of the fee of the return, which counts for the other lines together', () => {
    const fees = { restockingBps: 2000, restockingCap: 250, byLine: { [opened]: { restockingBps: 0 } } };
    expect(refundedWith(fees)).toEqual({ fees: [['restocking', 250]], paid: 3250 });
  });

  it('has a maximum of its own', () => {
    const fees = {
      restockingCap: 10,
      byLine: { [opened]: { restockingBps: 1000, restockingCap: 150 }, [sealed]: { restockingBps: 1000 } },
    };
    expect(refundedWith(fees)).toEqual({ fees: [['restocking', 300]], paid: 3200 });
  });
});

describe('inspection deduction of a line', () => {
  it('is limited by the terms of the line, and elsewhere by those of the return', () => {
    const fees = { ...inAdvance.fees, inspectionCapBps: 2000, byLine: { a: { inspectionCapBps: 5000 } } };
    const terms: Terms = { ...inAdvance, approval: 'manual', fees };
    expect([inspectionCapOf(terms, 'a'), inspectionCapOf(terms, 'b')]).toEqual([5000, 2000]);
    const received = run(
      openCase(undefined, { terms }),
      (situation) => approve(situation, {}),
      (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 1 }] }, []),
    );
    const worn = (deductionBps: number) =>
      inspect(situationOf(received), {
        lines: [{ id: 'ins_1', lineId: 'a', quantity: 1, outcome: 'accept', deductionBps }],
      });
    expect(worn(5000)).toMatchObject({ ok: true });
    expect(worn(5001)).toMatchObject({
      failure: { errors: [{ message: 'must be at most 5000 for accepted units' }] },
    });
  });
});

describe('withLineFees', () => {
  it('adds the fees of more lines, and leaves terms without any as they are', () => {
    const before = withLineFees(inAdvance, [{ lineId: 'a', fees: { restockingBps: 500 } }]);
    const after = withLineFees(before, [
      { lineId: 'b', fees: { inspectionCapBps: 100 } },
      { lineId: 'c', fees: undefined },
    ]);
    expect(after.fees.byLine).toEqual({ a: { restockingBps: 500 }, b: { inspectionCapBps: 100 } });
    expect(withLineFees(inAdvance, [{ lineId: 'a', fees: undefined }])).toBe(inAdvance);
  });
});

describe('feesOfWithdrawal', () => {
  it('keeps only what an inspection may deduct', () => {
    const byLine = { a: { restockingBps: 500, inspectionCapBps: 100 }, b: { restockingBps: 500, restockingCap: 9 } };
    const fees = { restockingBps: 700, restockingCap: 3, returnShipping: 490, inspectionCapBps: 2000, byLine };
    const none = { restockingBps: 0, restockingCap: null, returnShipping: 0, inspectionCapBps: 2000 };
    expect(feesOfWithdrawal(fees)).toEqual({ ...none, byLine: { a: { inspectionCapBps: 100 }, b: {} } });
    const { byLine: _, ...whole } = fees;
    expect(feesOfWithdrawal(whole)).toEqual(none);
  });
});

const bps = fc.integer({ min: 0, max: 10_000 });

/** Rounds half up, and takes at most the maximum: the fee of goods, counted a second time. */
const feeOf = (worth: bigint, { restockingBps = 0, restockingCap }: LineFeeTerms): bigint => {
  const [whole, rest] = [(worth * BigInt(restockingBps)) / 10_000n, (worth * BigInt(restockingBps)) % 10_000n];
  const fee = rest >= 5_000n ? whole + 1n : whole;
  return restockingCap !== undefined && fee > BigInt(restockingCap) ? BigInt(restockingCap) : fee;
};

describe('fees by line, for any rates and any split into refunds', () => {
  it('sum up to the fee of each line, and of the other lines together', () => {
    const goods = fc.array(fc.record({ price: fc.nat(5000), quantity: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const rate = fc
      .record({ restockingBps: bps, cap: fc.option(fc.nat(3000)) })
      .map(
        ({ restockingBps, cap }): LineFeeTerms => ({ restockingBps, ...(cap === null ? {} : { restockingCap: cap }) }),
      );
    const ofLines = fc.array(fc.option(rate, { nil: undefined }), { minLength: 4, maxLength: 4 });
    const split = fc.array(fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }), { maxLength: 4 });
    let several = 0;
    fc.assert(
      fc.property(goods, rate, ofLines, split, (sold, common, own, parts) => {
        const lines = sold.map(({ price, quantity }, index) =>
          orderLine({ lineId: String(index), quantity, unitPrice: eur(price) }),
        );
        const account = openAccount(order({ lines }));
        const { restockingBps = 0, restockingCap = null } = common;
        const fees = own.slice(0, sold.length).map((of, index) => ({ lineId: `rln_0_${index}`, fees: of }));
        const terms = withLineFees(withFees({ restockingBps, restockingCap }), fees);
        beginReturn(account, Object.fromEntries(sold.map(({ quantity }, index) => [index, quantity])), terms);
        const left = sold.map(({ quantity }) => quantity);
        for (const part of [...parts, left.map(() => 4)]) {
          const units = left.map((free, index) => Math.min(free, part[index] ?? 0));
          const named = units.flatMap((quantity, index) =>
            quantity === 0 ? [] : [{ lineId: `rln_0_${index}`, quantity }],
          );
          const booked = refundReturn(accountSituation(account), { lines: named }, { id: `rfd_${left.join('_')}` });
          // Goods that are free, or that their fee takes whole, wait for the next refund.
          if (!booked.ok) continue;
          applyResult(account, booked);
          units.forEach((quantity, index) => (left[index] = (left[index] ?? 0) - quantity));
        }
        const worth = sold.map(({ price, quantity }) => BigInt(price * quantity));
        const others = worth.filter((_, index) => own[index] === undefined).reduce((sum, of) => sum + of, 0n);
        const fee = worth.reduce((sum, of, index) => sum + feeOf(of, own[index] ?? {}), feeOf(others, common));
        const total = worth.reduce((sum, of) => sum + of, 0n);
        if (parts.length > 1 && fee > 0n) several += 1;
        expect(BigInt(sumOfRefunds(account))).toBe(total - fee);
      }),
      { numRuns: runs(500), seed: 20_261_129 },
    );
    expect(several).toBeGreaterThan(runs(100));
  });
});
