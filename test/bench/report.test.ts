import { describe, expect, it } from 'vitest';
import { comparisonSection, ratioSection, textOf } from './report.ts';
import { compare } from './statistics.ts';

const samples = (...values: readonly number[]) => values.map((cpu) => ({ 'CPU us': cpu, 'p50 ms': cpu / 100 }));

const comparison = compare('connected getReturn', 'bare', [
  { candidate: 'bare', samples: samples(100, 110, 120) },
  { candidate: 'ours', samples: samples(140, 160, 180) },
]);

describe('comparisonSection', () => {
  it('prints medians, their spread, the ratios and the targets', () => {
    const target = { what: 'CPU', metric: 'CPU us', to: ['bare'], maximum: 1.5 };
    expect(textOf(comparisonSection(comparison, [target])).split('\n')).toEqual([
      'connected getReturn',
      '      CPU us         x bare            p50 ms            x bare',
      'bare  110 [105-115]  1                 1.10 [1.05-1.15]  1',
      'ours  160 [150-170]  1.45 [1.43-1.48]  1.60 [1.50-1.70]  1.45 [1.43-1.48]',
      'CPU <= 1.50: 1.45 met',
    ]);
  });
});

describe('ratioSection', () => {
  it('prints a row for each case, and a line for each metric with a maximum', () => {
    const one = { what: 'a page', comparison, besides: { 'RCU, ours': '1 in 1' } };
    expect(textOf(ratioSection('pages', [one], { 'CPU us': 1.4, 'RSS MB': 1 })).split('\n')).toEqual([
      'pages',
      '        CPU us, ours  bare  ours x bare       p50 ms, ours  bare  ours x bare       RCU, ours',
      'a page  160           110   1.45 [1.43-1.48]  2             1     1.45 [1.43-1.48]  1 in 1',
      'a page, CPU us x bare <= 1.40: 1.45 not met',
      'a page, RSS MB x bare <= 1: NaN not met',
    ]);
  });
});
