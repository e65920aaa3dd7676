import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranked, sumsBy, figuresView, total } from '../../../lib/service/statistics/report.ts';
import { dayAfter, daysFrom, isDay, spansOf } from '../../../lib/service/statistics/steps.ts';
import type { PeriodRange } from '../../../lib/store/statistics/counters.ts';
import { runs } from '../../support/samples.ts';

const daysIn = ({ grain, first, last }: PeriodRange): readonly string[] => {
  const end = grain === 'DAY' ? last : dayAfter(`${last}-01`, 31).slice(0, 7);
  const days: string[] = [];
  for (let day = grain === 'DAY' ? first : `${first}-01`; grain === 'DAY' ? day <= end : day.slice(0, 7) < end;)
    day = dayAfter(days[days.push(day) - 1] ?? '', 1);
  return days;
};

describe('statistics periods', () => {
  it('spansOf covers each day once, with at most two months in single days', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(1_827), (start, length) => {
        const first = dayAfter('2000-01-01', start);
        const last = dayAfter(first, length);
        const spans = spansOf(first, last);
        const days = spans.flatMap(daysIn);
        expect(days).toEqual(Array.from({ length: daysFrom(first, last) }, (_, index) => dayAfter(first, index)));
        const byDay = spans.filter(({ grain }) => grain === 'DAY').flatMap(daysIn);
        expect(byDay.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: runs(100), seed: 20261122 },
    );
    expect(spansOf('2026-10-31', '2026-12-01')).toEqual([
      { grain: 'DAY', first: '2026-10-31', last: '2026-10-31' },
      { grain: 'MONTH', first: '2026-11', last: '2026-11' },
      { grain: 'DAY', first: '2026-12-01', last: '2026-12-01' },
    ]);
    expect(spansOf('2026-02-01', '2026-02-28')).toEqual([{ grain: 'MONTH', first: '2026-02', last: '2026-02' }]);
  });

  it('isDay accepts only existing days', () => {
    expect(['2026-11-30', '2028-02-29'].map(isDay)).toEqual([true, true]);
    expect(['2026-11-31', '2026-02-29', '2026-13-01', 'today'].map(isDay)).toEqual([false, false, false, false]);
  });

  it('sumsBy adds shards, also negative ones, and drops values without returns', () => {
    const row = (value: string, returns: number, more: object = {}) => ({
      of: '',
      value,
      figures: { returns, ...more },
    });
    const sums = sumsBy(
      [row('a', 3, { due_EUR: 500 }), row('b', 2), row('a', -1, { due_EUR: -500 }), row('b', -2), row('c', 4)],
      ({ value }) => value,
    );
    expect(sums.map(({ value, figures }) => [value, figures['returns']])).toEqual([
      ['a', 2],
      ['c', 4],
    ]);
    expect(figuresView(total(sums))).toMatchObject({ returns: 6, due: [] });
    expect(figuresView({ returns: 1, due_USD: 2, due_EUR: 1, refunded_EUR: -1 })).toMatchObject({
      due: [
        { amount: 1, currency: 'EUR' },
        { amount: 2, currency: 'USD' },
      ],
      refunded: [],
    });
    const values = (rank: 'returns' | 'value') => ranked(sums, rank, 1).first.map(({ value }) => value);
    expect([values('returns'), values('value')]).toEqual([['c'], ['a']]);
  });
});
