import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { interleave, seeded } from '../interleave.ts';
import { startRemote, twoCpus } from '../remote.ts';
import type { Bench, Section, Settings } from '../settings.ts';
import { measureDomain } from './domain.ts';
import type { Driver, Taken } from './driver.ts';
import { openTestbed, type Pins, type Testbed, type Stock } from './testbed.ts';
import { capacitySection, domainSection, pageSection, speedSection, type Pages } from './report.ts';
import { returnIdOf, returnsOfOrder } from './seeds.ts';

type ByOperation = Readonly<Record<string, Taken>>;

/** The smaller one is first. Each also has a return with a long history. */
const stocks: readonly [Stock, Stock] = [
  { returns: 1_000, entries: 10_000 },
  { returns: 100_000, entries: 10_000 },
];

const merged = (all: readonly ByOperation[]): ByOperation => {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      {
        milliseconds: all.flatMap((one) => one[name]?.milliseconds ?? []),
        metered: all.flatMap((one) => one[name]?.metered ?? []),
      },
    ]),
  );
};

/** Measures in turns, so that a slower machine affects both testbeds. */
const measureSpeed = async (testbeds: readonly Testbed[], settings: Settings): Promise<ByOperation[]> => {
  const rounds = new Map(testbeds.map((testbed): [Testbed, ByOperation[]] => [testbed, []]));
  const turns = testbeds.map((testbed) => ({
    name: String(testbed.returns),
    measure: async () => {
      const { returns, driver } = testbed;
      rounds.get(testbed)?.push(await driver.call('lead', { times: settings.invocations, stored: returns }));
      return {};
    },
  }));
  await interleave(turns, { ...settings, random: seeded(settings.seed) });
  return [...rounds.values()].map((all) => merged(all.slice(settings.warmUp)));
};

/** Measures once, because the consumption is the same every time. */
const measureCapacity = async ({ returns, environment }: Testbed, { cpu }: Pins): Promise<ByOperation> => {
  await using driver = startRemote<Driver>('service/driver.ts', { environment, cpu });
  await driver.call('meter', { engine: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' });
  return await driver.call('lead', { times: 1, stored: returns });
};

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
    const [cpu, outsideCpu] = twoCpus() ?? [];
    const pins: Pins = { cpu, outsideCpu };
    await using held = new AsyncDisposableStack();
    const testbeds: Testbed[] = [];
    for (const stock of stocks) testbeds.push(await openTestbed(held, stock, pins, report));
    const stored = testbeds.map(({ returns }) => returns);
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
      speedSection(stored, speed),
      capacitySection(stored, capacity),
      pageSection(stored, pages),
      domainSection(measureDomain(settings)),
    ];
    return sections;
  },
};
