import { buildAndPackage } from '../../../lib/local/bundles.ts';
import type { Bench, Section } from '../settings.ts';
import { measureDomain } from './domain.ts';
import { measureCapacity, measureSpeed, type ByOperation } from './measure.ts';
import { openTestbeds, type Testbed, type Stock } from './testbed.ts';
import { capacitySection, domainSection, pageSection, speedSection, type Pages } from './report.ts';
import { returnIdOf, returnsOfOrder } from './seeds.ts';

/** The smaller one is first. Each also has a return with a long history. */
const stocks: readonly [Stock, Stock] = [
  { returns: 1_000, entries: 10_000 },
  { returns: 100_000, entries: 10_000 },
];

const measurePages = async ({ returns, driver }: Testbed): Promise<Pages> => {
  const returnId = returnIdOf(Math.ceil(returns / returnsOfOrder) * returnsOfOrder);
  // The first walk warms up the function for the second one.
  await driver.call('walk', { operation: 'getHistory', returnId });
  return {
    history: await driver.call('walk', { operation: 'getHistory', returnId }),
    list: await driver.call('walk', { operation: 'listReturns' }),
  };
};

/** Measures the built functions of the service on tables of two sizes. */
export const service: Bench = {
  summary:
    'the standalone mode: each operation, its capacity units and its pages, with 1,000 and 100,000 returns stored',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 3, invocations: 5, seed: 1 },
  describe: ({ rounds, warmUp, invocations }) =>
    `${rounds} rounds of ${invocations} times each life after ${warmUp} rounds of warm-up, in turns on both tables`,
  run: async (settings, report) => {
    report('building');
    await buildAndPackage();
    await using held = new AsyncDisposableStack();
    const { pins, testbeds, stored } = await openTestbeds(held, stocks, report);
    report('each operation');
    const speed = await measureSpeed(testbeds, settings);
    report('capacity');
    const capacity: ByOperation[] = [];
    for (const testbed of testbeds) capacity.push(await measureCapacity(testbed, pins));
    report('pages');
    const pages: Pages[] = [];
    for (const testbed of testbeds) pages.push(await measurePages(testbed));
    report('the domain alone');
    const sections: Section[] = [
      speedSection(stored, speed, 1.2),
      capacitySection(stored, capacity),
      pageSection(stored, pages),
      domainSection(measureDomain(settings)),
    ];
    return sections;
  },
};
