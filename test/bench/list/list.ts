import { buildCandidates } from '../bundle.ts';
import { ours, alternative, type Candidate } from '../candidates.ts';
import { measureWarm, startContainer, type Placement, type WarmScenario } from '../measure-warm.ts';
import { ratioSection, type Case } from '../ratios.ts';
import { startRemote, twoCpus } from '../remote.ts';
import { eventOf } from '../requests.ts';
import { startMeter } from '../service/meter.ts';
import { openTables, type Pins, type Stock, type Tables } from '../service/testbed.ts';
import { returnIdOf, returnsOfOrder } from '../service/seeds.ts';
import { roundsText, type Bench } from '../settings.ts';
import type { Filler } from './filler.ts';
import { bareTable, listNames, lists, type ListName } from './lists.ts';

/** The same stocks as in the bench `service`. */
const stocks: readonly Stock[] = [
  { returns: 1_000, entries: 10_000 },
  { returns: 100_000, entries: 10_000 },
];
const pageSizes = [20, 200];
/** Twice as many as the service allows, so that a page of 200 is full. */
const policies = 200;

const maxima = { 'CPU us': 1.5, 'p50 us': 1.3 };

const pathOf = (name: ListName, returns: number): Readonly<Record<string, string>> =>
  // The return after all others has the long history.
  name === 'getHistory' ? { returnId: returnIdOf(Math.ceil(returns / returnsOfOrder) * returnsOfOrder) } : {};

const bare = (name: ListName): Candidate => ({
  ...alternative('bare-query', 'listItems', 'bare'),
  environment: { BARE_TABLE: bareTable, BARE_LIST: name, BARE_ORDER: lists[name].order },
});

type Body = { readonly items: readonly Readonly<Record<string, unknown>>[] };

/** Leaves out the keys of the bare items, and the cursor. */
const itemsOf = (body: unknown) => (body as Body).items.map((item) => ({ ...item, pk: undefined, sk: undefined }));

/** Returns the measurement of a page. */
export const pageScenario = (name: ListName, size: number, returns: number): WarmScenario => ({
  title: `${name}, ${size} of ${returns.toLocaleString('en')} returns`,
  event: eventOf(lists[name].operation, { path: pathOf(name, returns), query: { limit: String(size) } }),
  status: 200,
  visible: itemsOf,
  candidates: [bare(name), ours('standalone', name)],
  metrics: Object.keys(maxima),
});

/** Returns the read units of one invocation. */
const unitsOf = async (candidate: Candidate, { event }: WarmScenario, placement: Placement): Promise<string> => {
  const meter = await startMeter(placement.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  try {
    const environment = { ...placement.environment, AWS_ENDPOINT_URL_DYNAMODB: meter.origin };
    await using container = await startContainer(candidate, { ...placement, environment });
    await container.call('invoke', { event });
    const { read, calls } = meter.take();
    return `${read} in ${Object.values(calls).reduce((sum, count) => sum + count, 0)}`;
  } finally {
    await meter.close();
  }
};

const fill = async ({ returns, environment }: Tables, { cpu }: Pins, report: (progress: string) => void) => {
  await using filler = startRemote<Filler>('list/filler.ts', { environment, cpu });
  await filler.call('prepare', { policies });
  for (const name of listNames) {
    const count = await filler.call('copy', { name, path: pathOf(name, returns) });
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
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    const cases: Case[] = [];
    for (const stock of stocks) {
      await using held = new AsyncDisposableStack();
      const tables = await openTables(held, stock, { cpu, outsideCpu }, report);
      await fill(tables, { cpu, outsideCpu }, report);
      const placement: Placement = { environment: tables.environment, cpu };
      for (const name of listNames)
        for (const size of pageSizes) {
          const scenario = pageScenario(name, size, stock.returns);
          report(scenario.title);
          const comparison = await measureWarm(scenario, placement, settings);
          const [bareUnits, ourUnits] = [
            await unitsOf(bare(name), scenario, placement),
            await unitsOf(ours('standalone', name), scenario, placement),
          ];
          const besides = { 'RCU, ours': ourUnits, 'RCU, bare': bareUnits };
          cases.push({ what: scenario.title, comparison, besides });
        }
    }
    return [ratioSection('a page of a list', cases, maxima)];
  },
};
