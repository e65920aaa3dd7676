import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { feesOf, removedFees } from '../../../lib/domain/returns/money/deductions.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import type { QuoteStep } from '../../../lib/domain/returns/money/quote-parts.ts';
import { beginReturn, inAdvance, openAccount, refund, situationOf, withFees } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

type Floor = NonNullable<Terms['floor']>;
const allowed: readonly Floor['fees'][number][] = ['inspection', 'return_shipping', 'promotion'];

/** Returns an account with a return of 3 x 10.00 under these fees and this floor. */
const openReturn = (fees: Partial<Terms['fees']>, floor: Terms['floor']) => {
  const account = openAccount(order({ lines: [orderLine({ lineId: '1', quantity: 3, unitPrice: eur(1000) })] }));
  beginReturn(account, { 1: 3 }, withFees(fees, { ...inAdvance, floor }));
  return account;
};

/** Returns what each step of a quote takes, with what the law removed of it. */
const takenBy = (steps: readonly QuoteStep[]) =>
  steps
    .filter(({ rule }) => rule === 'restocking' || rule === 'return_shipping')
    .map(({ rule, amount, removed }) => [rule, (removed?.amount.amount ?? 0) - amount.amount] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

const quoted = (account: ReturnType<typeof openReturn>) => {
  const result = quote(situationOf(account), {});
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
};

describe('fees that the law removes', () => {
  it('are steps of 0 with their amount and law', () => {
    const account = openReturn({ restockingBps: 1000, returnShipping: 490 }, { law: 'BR CDC art. 49', fees: [] });
    const { steps, total } = quoted(account);
    expect(total).toEqual(eur(3000));
    expect(steps.filter(({ removed }) => removed !== undefined)).toMatchObject([
      { rule: 'restocking', amount: eur(0), removed: { amount: eur(300), law: 'BR CDC art. 49' } },
      { rule: 'return_shipping', amount: eur(0), removed: { amount: eur(490), law: 'BR CDC art. 49' } },
    ]);
  });

  it('do not change the hash of a quote, and no refund takes them', () => {
    const account = openReturn({ restockingBps: 1000 }, { law: 'EU 2011/83', fees: [] });
    const { hash, breakdown } = quoted(account);
    expect(breakdown.deductions).toEqual([]);
    expect(refund(account, { quoteHash: hash }).refunds).toMatchObject([{ amount: eur(3000) }]);
  });

  it('are what a quote without the law would take more, for any fees and any law', () => {
    const fees = fc.record({
      restockingBps: fc.integer({ min: 0, max: 6000 }),
      restockingCap: fc.option(fc.nat(2000)),
      returnShipping: fc.nat(1000),
    });
    const floor = fc.option(fc.subarray([...allowed]).map((kept): Floor => ({ law: 'EU 2011/83', fees: kept })));
    const seen = { removed: 0, kept: 0 };
    fc.assert(
      fc.property(fees, floor, (set, law) => {
        const [account, free] = [openReturn(set, law), openReturn(set, null)];
        expect(takenBy(quoted(account).steps)).toEqual(takenBy(quoted(free).steps));
        const [{ state }, { state: unlimited }] = [situationOf(account), situationOf(free)];
        for (const { type, amount } of feesOf(unlimited)) {
          const charged = feesOf(state).find((fee) => fee.type === type)?.amount.amount ?? 0;
          const removed = removedFees(state).find((fee) => fee.type === type)?.amount.amount ?? 0;
          expect(charged + removed).toBe(amount.amount);
          seen[removed > 0 ? 'removed' : 'kept'] += 1;
        }
      }),
      { numRuns: runs(400, 4) },
    );
    expect(Math.min(seen.removed, seen.kept)).toBeGreaterThan(20);
  });
});
