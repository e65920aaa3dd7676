import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOfParts, worthAfter } from '../../../lib/domain/returns/money/amounts.ts';
import { paidTotal } from '../../../lib/domain/returns/money/sold-lines.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { eur, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

describe('amountsOfParts', () => {
  it('never assigns more tax to units than they are worth, and assigns all tax to all units', () => {
    const lines = fc
      .record({ quantity: fc.integer({ min: 1, max: 8 }), total: fc.nat(8), tax: fc.nat(8) })
      .filter(({ total, tax }) => tax <= total);
    fc.assert(
      fc.property(lines, fc.array(fc.integer({ min: 1, max: 2 })), ({ quantity, total, tax }, splits) => {
        const line = orderLine({
          quantity,
          unitPrice: eur(total),
          discountTotal: eur(total * (quantity - 1)),
          taxTotal: eur(tax),
          taxIncluded: true,
        });
        const units = [...splits, quantity].map((wanted, index, all) => {
          const before = all.slice(0, index).reduce((sum, one) => sum + one, 0);
          return Math.max(0, Math.min(wanted, quantity - before));
        });
        const parts = amountsOfParts(
          units.map((part) => ({ line, units: part })),
          emptyLedger,
        );
        expect(Math.min(...parts.map(({ net }) => net.amount))).toBeGreaterThanOrEqual(0);
        expect(parts.reduce((sum, { gross }) => sum + gross.amount, 0)).toBe(Number(paidTotal(line)));
        expect(parts.reduce((sum, part) => sum + part.tax.amount, 0)).toBe(tax);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('assigns no tax to units whose worth a refund without tax has used up', () => {
    const line = orderLine({ taxTotal: eur(479), taxIncluded: true });
    const granted = { units: 1, gross: 3000, tax: 0 };
    expect(worthAfter(line, granted, 2)).toEqual({ gross: 0n, tax: 0n });
  });
});
