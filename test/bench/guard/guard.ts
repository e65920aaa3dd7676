import { measureCommand, requestReturns } from '../commands/commands.ts';
import type { Driver } from '../driver.ts';
import { pageScenario } from '../list/list.ts';
import { copyList, createBareTable } from '../list/lists.ts';
import { measureWarm } from '../measure-warm.ts';
import { startBeside } from '../remote.ts';
import { roundsText, type Bed, type Bench, type Section } from '../settings.ts';
import { medianOf, quantile, type Comparison } from '../statistics.ts';
import { openReads } from '../warm/warm.ts';
import { guarded, measureReceivers, startReceivers } from '../webhook/webhook.ts';
import { conditionsHere, isHigher, readStored, regressions, store, storing, type Ratios } from './stored.ts';

/**
 * V8 uses its baseline compiler only. When it optimises, and for how long, depends on the load of the machine and
 * changes ratios by a fifth.
 */
const flags = ['--no-opt', '--no-maglev', '--always-sparkplug'];

/** Measures a guarded case, by a fresh measurement each time. */
type Measure = () => Promise<Comparison>;

const pageSize = 20;

/** Returns the guarded cases by what they measure, in their order. */
const openCases = async (bed: Bed): Promise<Readonly<Record<string, Measure>>> => {
  const { environments, reads } = await openReads(bed);
  const { standalone: environment } = environments;
  const standalone = { environment, flags };
  const connected = { environment: environments.connected, flags };
  const driver = bed.held.use(startBeside<Driver>('driver.ts', { environment }));
  // The items of the bare candidate of a command would be in the page too.
  await driver.call('request', pageSize * 2);
  await driver.call('storePolicies', 1);
  await createBareTable(environment);
  const page = pageScenario('listReturns', pageSize, await copyList(driver, 'listReturns', {}));
  const { settings } = bed;
  const twice = { ...settings, invocations: settings.invocations * 2 };
  return {
    'connected getReturn': async () => measureWarm(reads.connected, connected, twice),
    'standalone getReturn': async () => measureWarm(reads.standalone, standalone, twice),
    listReturns: async () => measureWarm(page, standalone, settings),
    approve: async () => {
      const subjects = await requestReturns(driver, bed);
      return (await measureCommand('approve', subjects, standalone, settings)).comparison;
    },
    receiveWebhook: async () => {
      await using held = new AsyncDisposableStack();
      const receivers = await startReceivers(held, guarded, flags);
      return await measureReceivers(receivers, { title: 'receiveWebhook', atOnce: 1 }, twice);
    },
  };
};

/**
 * Returns ours divided by the baseline: the medians of the CPU time of the main thread. The other threads collect
 * garbage when the machine has time.
 */
const ratioOf = ({ baseline, rows }: Comparison): number => {
  const [ours = Number.NaN, base = Number.NaN] = ['ours', baseline].map((name) => {
    const row = rows.find(({ candidate }) => candidate === name);
    return row && medianOf(row, 'thread us');
  });
  return ours / base;
};

/** How often a case is measured, at most: other work on the machine changes a ratio by a tenth. */
const maxTries = 3;

/**
 * Measures a case until one ratio is not higher than the stored one, and returns the lowest. When the guard stores, it
 * measures the case each time and returns the median.
 */
const measuredRatio = async (measure: Measure, isStoring: boolean, stored: number | undefined): Promise<number> => {
  const ratios: number[] = [];
  const isDone = () => !isStoring && ratios.length > 0 && !isHigher(Math.min(...ratios), stored);
  for (let tries = 0; tries < maxTries && !isDone(); tries += 1) ratios.push(ratioOf(await measure()));
  return isStoring ? quantile(ratios, 0.5) : Math.min(...ratios);
};

/** Compares ratios with the stored ones. */
const comparedSection = (ratios: Ratios): Section => {
  const stored = readStored();
  const here = conditionsHere();
  const failures = regressions(ratios, stored);
  const cells = (what: string) => [ratios, stored.ratios].map((all) => all[what]?.toFixed(2) ?? 'none');
  return {
    title: 'CPU time of the main thread, ours x baseline',
    table: [['', 'now', 'stored'], ...Object.keys(ratios).map((what) => [what, ...cells(what)])],
    remarks: [
      ...(stored.conditions === here ? [] : [`The stored ratios are of ${stored.conditions}, and these of ${here}.`]),
      failures.length === 0
        ? 'No ratio is more than 10 % above the stored one.'
        : `Repair the change. If it needs the time, store the new ratios by ${storing}.`,
    ],
    failures,
  };
};

/** Compares ratios of CPU time with stored ones, in about a minute. */
export const guard: Bench = {
  summary: 'ratios of CPU time, compared with stored ones: fails when one is more than 10 % higher',
  packages: ['undici', '@aws-sdk/lib-dynamodb', '@shopify/shopify-api'],
  defaults: { rounds: 25, warmUp: 3, invocations: 20, seed: 1 },
  describe: (settings) =>
    `without the optimising compilers; a higher ratio is measured again, up to ${maxTries} times\n${roundsText(settings)}`,
  run: async (bed) => {
    const isStoring = bed.settings.store === true;
    const stored = isStoring ? {} : readStored().ratios;
    const ratios: Record<string, number> = {};
    for (const [what, measure] of Object.entries(await openCases(bed))) {
      bed.report(what);
      ratios[what] = await measuredRatio(measure, isStoring, stored[what]);
      bed.report(`${what}: ${ratios[what].toFixed(3)}`);
    }
    if (isStoring) store(ratios);
    return [comparedSection(ratios)];
  },
};
