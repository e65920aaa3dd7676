import type { ByOperation, Driver } from '../driver.ts';
import { interleave } from '../interleave.ts';
import { startBeside } from '../remote.ts';
import type { Bench, Section, Settings } from '../settings.ts';
import { capacitySection, groupSection, type Groups } from './report.ts';
import { openTestbed, type Testbed } from './testbed.ts';

/** The numbers of stored returns. */
const stored = [1_000, 100_000, 1_000_000];

/** The number of lines and of entries of a small and of a large return. */
const sizes = { small: { lines: 3, entries: 1 }, large: { lines: 200, entries: 300 } };

const merged = (all: readonly ByOperation[]): ByOperation =>
  Object.fromEntries(
    [...new Set(all.flatMap((one) => Object.keys(one)))].map((name) => {
      const milliseconds = all.flatMap((one) => one[name]?.milliseconds ?? []);
      return [name, { milliseconds, metered: all.flatMap((one) => one[name]?.metered ?? []) }];
    }),
  );

/** Measures in turns, so that a slower machine affects all testbeds. */
const measureSpeed = async (testbeds: readonly Testbed[], settings: Settings): Promise<ByOperation[]> => {
  const rounds = testbeds.map(({ returns, driver }) => ({ returns, driver, measured: [] as ByOperation[] }));
  const turns = rounds.map(({ returns, driver, measured }) => ({
    name: String(returns),
    measure: async () => {
      measured.push(await driver.call('live', { times: settings.invocations, stored: returns }));
      return {};
    },
  }));
  await interleave(turns, settings);
  return rounds.map(({ measured }) => merged(measured.slice(settings.warmUp)));
};

/** Measures once, because the consumption is the same every time. */
const measureCapacity = async ({ returns, environment }: Testbed): Promise<ByOperation> => {
  await using driver = startBeside<Driver>('driver.ts', { environment });
  await driver.call('meter', environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  return await driver.call('live', { times: 1, stored: returns });
};

const measureLarge = async ([first]: readonly Testbed[], { rounds, warmUp }: Settings): Promise<Section> => {
  await using driver = startBeside<Driver>('driver.ts', { environment: first?.environment ?? {} });
  // The first call warms up the functions.
  await driver.call('compare', { times: warmUp, ...sizes });
  const { small, large } = sizes;
  const title = `each command of a return of ${large.lines} lines and ${large.entries} entries, and of ${small.lines} lines`;
  return groupSection(title, await driver.call('compare', { times: rounds, ...sizes }), 3);
};

/** Measures how the operations slow down with the number of stored returns, and with the size of a return. */
export const growth: Bench = {
  summary: 'each operation with 1,000, 100,000 and 1,000,000 returns stored, and with a large return',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 3, invocations: 5, seed: 1 },
  describe: ({ rounds, warmUp, invocations }) =>
    `${rounds} rounds of ${invocations} times each life after ${warmUp} rounds of warm-up, in turns on all tables`,
  run: async ({ settings, report, held }) => {
    const testbeds: Testbed[] = [];
    for (const returns of stored) testbeds.push(await openTestbed(held, { returns, entries: 10_000 }, report));
    report('a large return');
    const large = await measureLarge(testbeds, settings);
    report('each operation');
    const speed = await measureSpeed(testbeds, settings);
    report('capacity');
    const capacity: ByOperation[] = [];
    for (const testbed of testbeds) capacity.push(await measureCapacity(testbed));
    const named = (all: readonly ByOperation[]): Groups =>
      Object.fromEntries(stored.map((count, index) => [count.toLocaleString('en'), all[index] ?? {}]));
    const title = 'each operation, one after another, by the number of stored returns';
    return [large, groupSection(title, named(speed), 1.15), capacitySection(named(capacity))];
  },
};
