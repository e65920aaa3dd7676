import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { allocateRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { sum } from '../../../lib/domain/returns/units-by-line.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

/** Returns the lines of a return, with the given quantity of one order line in each. */
const linesOf = (quantities: readonly number[]) => {
  const facts = order({ lines: [orderLine({ quantity: 100_000, unitPrice: eur(1) })] });
  const lines = quantities.map((quantity) => ({ orderLineId: '1', quantity, reason: { code: 'fit.too_small' } }));
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: quantities.map((_, index) => `line-${index}`), subject: 'x' };
  const at = '2026-11-21T08:00:00.000Z';
  const decision = createReturn({ order: facts, ledger: emptyLedger, now: at }, { lines }, defaultTerms, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  const circumstances = { at, actor: { clientId: 'shop' }, causationId: 'a', correlationId: 'b', policyVersion: null };
  return appendEntries(undefined, decision.value.events, circumstances).state.lines;
};

describe('allocateRefund', () => {
  it('allocates to a line all money of its own units, for any amount', () => {
    const refunded = { orderLineId: '1', quantity: 90_009, gross: eur(999_999_999_999), tax: eur(0) };
    expect(allocateRefund(linesOf([90_009, 1]), [refunded]).lines).toEqual([
      { lineId: 'line-0', quantity: 90_009, gross: eur(999_999_999_999) },
    ]);
  });

  it('allocates every unit and all money, also when a refund has more units than the lines', () => {
    const quantities = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(quantities, fc.integer({ min: 1, max: 20 }), fc.nat(1_000), (own, quantity, amount) => {
        const { lines, alone } = allocateRefund(linesOf(own), [
          { orderLineId: '1', quantity, gross: eur(amount), tax: eur(0) },
        ]);
        const units = lines.map((line) => line.quantity);
        expect(sum(units)).toBe(Math.min(quantity, sum(own)));
        expect(sum(alone.map((one) => one.quantity))).toBe(quantity - sum(units));
        expect(sum(lines.map(({ gross }) => gross.amount))).toBe(amount);
        // Each line gets its share, rounded down. The last line also gets the rest of the rounding.
        for (const line of lines.slice(0, -1))
          expect(line.gross.amount).toBe(Math.floor((amount * line.quantity) / quantity));
      }),
      { numRuns: runs(200), seed: 20261130 },
    );
  });
});
