import { describe, expect, it } from 'vitest';
import { codeOf, measuresOf, periodsOf, valueOf } from '../../lib/console/screens/figures/measures.ts';

const units = { requested: 3, approved: 2, received: 1, accepted: 0 };
const items = [
  { returns: 1, units, refunded: [{ amount: 500, currency: 'GBP' }], due: [] },
  { returns: 2, units, refunded: [], due: [{ amount: 1999, currency: 'EUR' }] },
];

describe('measures of a chart', () => {
  it('have one amount for each currency, and never a sum over currencies', () => {
    const codes = measuresOf(items).map(codeOf);
    expect(codes.slice(0, 5)).toEqual([
      'returns',
      'units.requested',
      'units.approved',
      'units.received',
      'units.accepted',
    ]);
    expect(codes.slice(5)).toEqual(['refunded.EUR', 'due.EUR', 'refunded.GBP', 'due.GBP']);
    expect(items.map((item) => valueOf(item, { kind: 'money', name: 'due', currency: 'EUR' }))).toEqual([0, 1999]);
  });

  it('cover the days and months without returns', () => {
    expect(periodsOf('day', '2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(periodsOf('month', '2025-11-30', '2026-01-01')).toEqual(['2025-11', '2025-12', '2026-01']);
    expect(periodsOf('day', '2026-03-02', '2026-03-01')).toEqual([]);
  });
});
