import { describe, expect, it } from 'vitest';
import { ratioSection } from './ratios.ts';
import { textOf } from './report.ts';
import { compare } from './statistics.ts';

const samples = (...values: readonly number[]) => values.map((cpu) => ({ 'CPU us': cpu, 'p50 us': cpu * 2 }));

const caseOf = (what: string, ours: readonly number[]) => ({
  what,
  comparison: compare(what, 'bare', [
    { candidate: 'bare', samples: samples(100, 110, 120) },
    { candidate: 'ours', samples: samples(...ours) },
  ]),
  besides: { 'RCU, ours': '1 in 1' },
});

describe('ratioSection', () => {
  const cases = [caseOf('a page of 20', [140, 160, 180]), caseOf('a page of 200', [100, 99, 132])];
  const section = ratioSection('pages', cases, { 'CPU us': 1.4, 'p50 us': 1.5 });

  it('prints a row for each case, and a verdict for each metric with a maximum', () => {
    expect(textOf(section).split('\n')).toEqual([
      'pages',
      '               CPU us, ours  bare  ours x bare       p50 us, ours  bare  ours x bare       RCU, ours',
      'a page of 20   160           110   1.45 [1.43-1.48]  320           220   1.45 [1.43-1.48]  1 in 1',
      'a page of 200  100           110   0.91 [0.95-1.05]  200           220   0.91 [0.95-1.05]  1 in 1',
      'a page of 20, CPU us x bare <= 1.40: 1.45 not met',
      'a page of 20, p50 us x bare <= 1.50: 1.45 met',
      'a page of 200, CPU us x bare <= 1.40: 0.91 met',
      'a page of 200, p50 us x bare <= 1.50: 0.91 met',
    ]);
  });

  it('fails a target whose figure is missing', () => {
    const { remarks } = ratioSection('pages', cases.slice(0, 1), { 'RSS MB': 1 });
    expect(remarks).toEqual(['a page of 20, RSS MB x bare <= 1: NaN not met']);
  });
});
