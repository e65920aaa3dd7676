import { buildCandidates } from '../bundle.ts';
import { measureCommand, requestReturns } from '../commands/commands.ts';
import type { Preparer } from '../commands/preparer.ts';
import type { Filler } from '../list/filler.ts';
import { pageScenario } from '../list/list.ts';
import { measureWarm, type Placement } from '../measure-warm.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { roundsText, type Bench, type Section, type Settings } from '../settings.ts';
import { quantile, type Comparison } from '../statistics.ts';
import type { Outside } from '../warm/outside.ts';
import { scenariosOf } from '../warm/scenarios.ts';
import { prepareReturn } from '../warm/warm.ts';
import { candidates, measureReceivers, startReceivers } from '../webhook/webhook.ts';
import { conditionsHere, isHigher, readStored, regressions, store, storing, type Ratios } from './stored.ts';

/**
 * V8 uses its baseline compiler only. When it optimises, and for how long, depends on the load of the machine and
 * changes ratios by a fifth.
 */
const flags = ['--no-opt', '--no-maglev', '--always-sparkplug'];

/** Bare candidates and ours: the guard needs no other peers. */
const compared: ReadonlySet<string> = new Set(['bare', 'ours']);

/** A guarded case: what it measures, by a fresh measurement each time. */
type GuardedCase = { readonly what: string; readonly measure: () => Promise<Comparison> };

/** What the cases of the functions share. */
type Bed = {
  readonly returnId: string;
  readonly placements: Readonly<Record<'connected' | 'standalone', Placement>>;
  readonly preparer: Remote<Preparer>;
  readonly settings: Settings;
  readonly report: (progress: string) => void;
};

const readCases = ({ returnId, placements, settings }: Bed): GuardedCase[] =>
  scenariosOf(returnId)
    .filter(({ title }) => title.endsWith(' getReturn'))
    .map(({ mode, ...scenario }) => ({
      what: scenario.title,
      measure: async () => {
        const chosen = scenario.candidates.filter(({ name }) => compared.has(name));
        const measured = { ...scenario, candidates: chosen, metrics: ['CPU us'] };
        return measureWarm(measured, placements[mode], { ...settings, invocations: settings.invocations * 2 });
      },
    }));

const approveCase = ({ placements, preparer, settings, report }: Bed): GuardedCase => ({
  what: 'approve',
  measure: async () => {
    const subjects = await requestReturns(preparer, settings, report);
    return (await measureCommand('approve', subjects, placements.standalone, settings)).comparison;
  },
});

const pageSize = 20;

/** A page of returns, which the bare candidate reads from a table of its own. */
const pageCase = async ({ placements: { standalone }, settings }: Bed): Promise<GuardedCase> => {
  await using filler = startRemote<Filler>('list/filler.ts', { ...standalone, flags: [] });
  await filler.call('prepare', { policies: 1 });
  const returns = await filler.call('copy', { name: 'listReturns', path: {} });
  const scenario = pageScenario('listReturns', pageSize, returns);
  return { what: 'listReturns', measure: async () => measureWarm(scenario, standalone, settings) };
};

const receiptCase = ({ settings }: Bed): GuardedCase => ({
  what: 'receiveWebhook',
  measure: async () => {
    await using held = new AsyncDisposableStack();
    const chosen = candidates.filter(({ candidate }) => candidate !== 'alternative');
    const receivers = await startReceivers(held, chosen, flags);
    const load = { ...settings, invocations: settings.invocations * 2 };
    return await measureReceivers(receivers, { title: 'receiveWebhook', atOnce: 1 }, load);
  },
});

/**
 * Returns ours divided by the baseline: the medians of the CPU time of the main thread. The other threads collect
 * garbage when the machine has time.
 */
const ratioOf = ({ baseline, rows }: Comparison): number => {
  const medianOf = (name: string): number => {
    const samples = rows.find(({ candidate }) => candidate === name)?.samples ?? [];
    return quantile(
      samples.map((sample) => sample['thread us'] ?? Number.NaN),
      0.5,
    );
  };
  return medianOf('ours') / medianOf(baseline);
};

/** How often a case is measured, at most: other work on the machine changes a ratio by a tenth. */
const maxTries = 3;

/** Measures a case until one ratio is not higher than the stored one. The lowest ratio counts. */
const lowestRatio = async ({ what, measure }: GuardedCase, stored: Ratios): Promise<number> => {
  let lowest = ratioOf(await measure());
  for (let tries = 1; tries < maxTries && isHigher(lowest, stored[what]); tries += 1)
    lowest = Math.min(lowest, ratioOf(await measure()));
  return lowest;
};

/** Measures a case several times. The median is what the guard stores. */
const medianRatio = async ({ measure }: GuardedCase): Promise<number> => {
  const ratios: number[] = [];
  while (ratios.length < maxTries) ratios.push(ratioOf(await measure()));
  return quantile(ratios, 0.5);
};

const sectionOf = (ratios: Ratios, isStoring: boolean): Section => {
  const title = 'CPU time of the main thread, ours x baseline';
  if (isStoring) {
    store(ratios);
    const rows = Object.entries(ratios).map(([what, ratio]) => [what, ratio.toFixed(2)]);
    const remarks = ['The ratios are stored in test/bench/guard/ratios.json.'];
    return { title, table: [['', 'stored'], ...rows], remarks, data: { ratios } };
  }
  const stored = readStored();
  const here = conditionsHere();
  const failures = regressions(ratios, stored);
  return {
    title,
    table: [
      ['', 'now', 'stored'],
      ...Object.entries(ratios).map(([what, ratio]) => [
        what,
        ratio.toFixed(2),
        stored.ratios[what]?.toFixed(2) ?? 'none',
      ]),
    ],
    remarks: [
      ...(stored.conditions === here ? [] : [`The stored ratios are of ${stored.conditions}, and these of ${here}.`]),
      failures.length === 0
        ? 'No ratio is more than 10 % above the stored one.'
        : `Repair the change. If it needs the time, store the new ratios by ${storing}.`,
    ],
    failures,
    data: { ratios, stored },
  };
};

/** Compares ratios of CPU time with stored ones, in about a minute. */
export const guard: Bench = {
  summary: 'ratios of CPU time, compared with stored ones: fails when one is more than 10 % higher',
  packages: ['undici', '@aws-sdk/lib-dynamodb', '@shopify/shopify-api'],
  defaults: { rounds: 25, warmUp: 3, invocations: 20, seed: 1 },
  describe: (settings) =>
    `without the optimising compilers; a higher ratio is measured again, up to ${maxTries} times\n${roundsText(settings)}`,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('warm/outside.ts', { environment: process.env, cpu: outsideCpu });
    const { connected, standalone } = await outside.call('start', null);
    await using preparer = startRemote<Preparer>('commands/preparer.ts', { environment: standalone, cpu });
    const bed: Bed = {
      returnId: await prepareReturn(outside, { environment: standalone, cpu }),
      placements: {
        connected: { environment: connected, cpu, flags },
        standalone: { environment: standalone, cpu, flags },
      },
      preparer,
      settings,
      report,
    };
    // The page needs returns. The items of the bare candidate of a command would be in the page too.
    report('returns of the page');
    await preparer.call('request', { count: pageSize * 2 });
    const cases = [...readCases(bed), await pageCase(bed), approveCase(bed), receiptCase(bed)];
    const isStoring = settings.store === true;
    const stored = isStoring ? {} : readStored().ratios;
    const ratios: Record<string, number> = {};
    for (const one of cases) {
      report(one.what);
      ratios[one.what] = isStoring ? await medianRatio(one) : await lowestRatio(one, stored);
      report(`${one.what}: ${ratios[one.what]?.toFixed(3)}`);
    }
    return [sectionOf(ratios, isStoring)];
  },
};
