import { describe, expect, it } from 'vitest';
import { metricLine, type MetricLine } from '../../lib/runtime/metric-line.ts';
import { metricFaults } from '../support/metric-format.ts';

const good: MetricLine = {
  namespace: 'Returns',
  dimensions: { values: { Deployment: 'd', FunctionName: 'd-f' }, sets: [['Deployment'], ['FunctionName']] },
  metrics: [
    { name: 'One', unit: 'Count', values: [1] },
    { name: 'Many', unit: 'Milliseconds', values: [1, 2] },
  ],
  properties: { reasons: ['a'] },
  at: 1,
};

describe('metricLine', () => {
  it('returns a line that CloudWatch reads metrics from', () => {
    const line = metricLine(good);
    expect(metricFaults(line)).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      One: 1,
      Many: [1, 2],
      Deployment: 'd',
      FunctionName: 'd-f',
      reasons: ['a'],
    });
  });

  it.each<[string, Partial<MetricLine>, string]>([
    ['more than 100 values', { metrics: [{ name: 'M', unit: 'Count', values: Array(101).fill(1) }] }, 'no values of M'],
    ['no value', { metrics: [{ name: 'M', unit: 'Count', values: [] }] }, 'no values of M'],
    ['a value that is no number', { metrics: [{ name: 'M', unit: 'Count', values: [Number.NaN] }] }, 'no values of M'],
    ['an empty dimension', { dimensions: { values: { D: '' }, sets: [['D']] } }, 'no value of D'],
    ['a dimension without a value', { dimensions: { values: {}, sets: [['D']] } }, 'no value of D'],
    [
      'no dimension',
      { dimensions: { values: {}, sets: [] } },
      '/_aws/CloudWatchMetrics/0/Dimensions must NOT have fewer than 1 items',
    ],
    ['no namespace', { namespace: '' }, '/_aws/CloudWatchMetrics/0/Namespace must NOT have fewer than 1 characters'],
  ])('fails the format check with %s', (_, change, fault) => {
    expect(metricFaults(metricLine({ ...good, ...change }))).toEqual([fault]);
  });
});
