import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { startRemote } from '../remote.ts';
import { measureCapacity, measureSpeed, type ByOperation } from '../service/measure.ts';
import { capacitySection, speedSection } from '../service/report.ts';
import { openTestbeds, type Stock } from '../service/testbed.ts';
import type { Bench, Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareWithTarget } from '../targets.ts';
import type { Comparison, LargeReturns } from './large.ts';

const stocks: readonly Stock[] = [1_000, 100_000, 1_000_000].map((returns) => ({ returns, entries: 10_000 }));

const small = { lines: 3, entries: 1 };
const large = { lines: 200, entries: 300 };

const medianOf = (milliseconds: readonly number[] = []): number => quantile(milliseconds, 0.5);

/** Returns the time of each command of a large return, compared with a small one. */
const largeSection = (comparison: Comparison): Section => {
  const rows = Object.keys(comparison.small).map((operation) => {
    const one = medianOf(comparison.small[operation]?.milliseconds);
    const other = medianOf(comparison.large[operation]?.milliseconds);
    return { operation, small: one, large: other, ratio: other / one };
  });
  const verdicts = rows.map(({ operation, ratio }) =>
    compareWithTarget({ what: `${operation}, large x small`, maximum: 3 }, ratio),
  );
  return {
    title: `each command of a return of ${large.lines} lines and ${large.entries} entries, and of ${small.lines} lines`,
    table: [
      ['', 'p50 ms, small', 'p50 ms, large', 'large x small'],
      ...rows.map((row) => [row.operation, ...[row.small, row.large, row.ratio].map((value) => value.toFixed(2))]),
    ],
    remarks: verdicts.map(({ text }) => text),
    data: { rows, verdicts },
  };
};

/** Measures how the operations slow down with the number of stored returns, and with the size of a return. */
export const growth: Bench = {
  summary: 'each operation with 1,000, 100,000 and 1,000,000 returns stored, and with a large return',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 3, invocations: 5, seed: 1 },
  describe: ({ rounds, warmUp, invocations }) =>
    `${rounds} rounds of ${invocations} times each life after ${warmUp} rounds of warm-up, in turns on all tables`,
  run: async (settings, report) => {
    report('building');
    await buildAndPackage();
    await using held = new AsyncDisposableStack();
    const { pins, testbeds, stored } = await openTestbeds(held, stocks, report);
    const [first] = testbeds;
    if (first === undefined) throw new Error('there is no stock');
    report('a large return');
    await using process = startRemote<LargeReturns>('growth/large.ts', {
      environment: first.environment,
      cpu: pins.cpu,
    });
    // The first call warms up the functions.
    await process.call('compare', { times: settings.warmUp, small, large });
    const comparison = await process.call('compare', { times: settings.rounds, small, large });
    report('each operation');
    const speed = await measureSpeed(testbeds, settings);
    report('capacity');
    const capacity: ByOperation[] = [];
    for (const testbed of testbeds) capacity.push(await measureCapacity(testbed, pins));
    return [largeSection(comparison), speedSection(stored, speed, 1.15), capacitySection(stored, capacity)];
  },
};
