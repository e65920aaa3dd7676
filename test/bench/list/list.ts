import { ours, type Candidate } from '../candidates.ts';
import { invokeMetered, measureWarm, type WarmScenario } from '../measure-warm.ts';
import type { Placement } from '../remote.ts';
import { ratioSection, type Case } from '../report.ts';
import { eventOf } from '../requests.ts';
import { returnIdOf, returnsOfOrder } from '../service/seeds.ts';
import { openTestbed, type Testbed } from '../service/testbed.ts';
import { roundsText, type Bench, type Report } from '../settings.ts';
import { bareList, copyList, createBareTable, listNames, lists, type ListName } from './lists.ts';

/** The numbers of returns of the stocks, as in the bench `service`. */
const stocks = [1_000, 100_000];
const pageSizes = [20, 200];
/** Twice as many as the service allows, so that a page of 200 is full. */
const policies = 200;

const maxima = { 'CPU us': 1.5, 'p50 us': 1.3 };

const pathOf = (name: ListName, returns: number): Readonly<Record<string, string>> =>
  // The return after all others has the long history.
  name === 'getHistory' ? { returnId: returnIdOf(Math.ceil(returns / returnsOfOrder) * returnsOfOrder) } : {};

type Body = { readonly items: readonly Readonly<Record<string, unknown>>[] };

/** Returns the measurement of a page. */
export const pageScenario = (name: ListName, size: number, returns: number): WarmScenario => ({
  title: `${name}, ${size} of ${returns.toLocaleString('en')} returns`,
  event: eventOf(lists[name], { path: pathOf(name, returns), query: { limit: String(size) } }),
  // Leaves out the keys of the bare items, and the cursor.
  visible: (body) => (body as Body).items.map((item) => ({ ...item, pk: undefined, sk: undefined })),
  candidates: [bareList(name), ours('standalone', name)],
  metrics: Object.keys(maxima),
});

/** Returns the read units of one invocation, and the number of its calls. */
const unitsOf = async (candidate: Candidate, { event }: WarmScenario, placement: Placement): Promise<string> => {
  const { read, calls } = (await invokeMetered({ candidate, event }, placement)).metered;
  return `${read} in ${Object.values(calls).reduce((sum, count) => sum + count, 0)}`;
};

/** Stores policies, and copies each list for the bare candidate. */
const fill = async ({ returns, environment, driver }: Testbed, report: Report): Promise<void> => {
  await driver.call('storePolicies', policies);
  await createBareTable(environment);
  for (const name of listNames) {
    const count = await copyList(driver, name, pathOf(name, returns));
    if (count < Math.max(...pageSizes)) throw new Error(`${name} has only ${count} items`);
    report(`${name}: ${count} items copied for the bare candidate`);
  }
};

/** Measures the lists of the standalone mode, and a query of the same items. */
export const list: Bench = {
  summary: 'the lists of the standalone mode, with pages of 20 and 200, compared with a query of the same items',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 31, warmUp: 20, invocations: 40, seed: 1 },
  describe: (settings) =>
    `warm; RCU: read units and calls of one page, by the engine\n${roundsText(settings)}; columns of ours and bare: medians`,
  run: async ({ settings, report }) => {
    const cases: Case[] = [];
    for (const returns of stocks) {
      await using held = new AsyncDisposableStack();
      const testbed = await openTestbed(held, { returns, entries: 10_000 }, report);
      await fill(testbed, report);
      for (const scenario of listNames.flatMap((name) => pageSizes.map((size) => pageScenario(name, size, returns)))) {
        report(scenario.title);
        const comparison = await measureWarm(scenario, testbed, settings);
        const besides: Record<string, string> = {};
        for (const candidate of scenario.candidates.toReversed())
          besides[`RCU, ${candidate.name}`] = await unitsOf(candidate, scenario, testbed);
        cases.push({ what: scenario.title, comparison, besides });
      }
    }
    return [ratioSection('a page of a list', cases, maxima)];
  },
};
