import { describe, expect, it } from 'vitest';
import { comparisonSection, textOf } from './report.ts';
import { compare } from './statistics.ts';

describe('bench report', () => {
  it('prints medians, their spread and the ratios in columns', () => {
    const samples = (...values: readonly number[]) => values.map((cpu) => ({ 'CPU us': cpu, 'p50 ms': cpu / 100 }));
    const comparison = compare('connected getReturn', 'bare', [
      { candidate: 'bare', samples: samples(100, 110, 120) },
      { candidate: 'ours', samples: samples(140, 160, 180) },
    ]);
    expect(textOf(comparisonSection(comparison)).split('\n')).toEqual([
      'connected getReturn',
      '      CPU us         x bare            p50 ms            x bare',
      'bare  110 [105-115]  1                 1.10 [1.05-1.15]  1',
      'ours  160 [150-170]  1.45 [1.43-1.48]  1.60 [1.50-1.70]  1.45 [1.43-1.48]',
    ]);
  });
});
