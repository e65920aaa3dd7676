import { interleave, seeded } from '../interleave.ts';
import { startRemote } from '../remote.ts';
import type { Settings } from '../settings.ts';
import type { Driver } from './driver.ts';
import type { Taken } from './take.ts';
import type { Pins, Testbed } from './testbed.ts';

export type ByOperation = Readonly<Record<string, Taken>>;

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

/** Measures in turns, so that a slower machine affects all testbeds. */
export const measureSpeed = async (testbeds: readonly Testbed[], settings: Settings): Promise<ByOperation[]> => {
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
export const measureCapacity = async ({ returns, environment }: Testbed, { cpu }: Pins): Promise<ByOperation> => {
  await using driver = startRemote<Driver>('service/driver.ts', { environment, cpu });
  await driver.call('meter', { engine: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' });
  return await driver.call('lead', { times: 1, stored: returns });
};
