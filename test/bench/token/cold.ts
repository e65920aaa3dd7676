import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildCandidates, firstAnswerBundle } from '../bundle.ts';
import { connectedPackages, type Candidate } from '../candidates.ts';
import { interleave, seeded } from '../interleave.ts';
import { startContainer } from '../measure-warm.ts';
import { startRemote, twoCpus } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import type { Bench, Section, Settings } from '../settings.ts';
import { compare, quantile, type Comparison, type Measured, type Sample } from '../statistics.ts';
import { compareWithTarget, ratioTo, type Verdict } from '../targets.ts';
import { empty, event, floor, own, alternatives, refresher, sharing } from './candidates.ts';
import { cpuQuota, type CpuQuota } from './cpu-quota.ts';
import { distancesText } from './distances.ts';
import type { Environment } from './environment.ts';
import type { Distance, Outside } from './outside.ts';

type Conditions = { readonly title: string; readonly distance: Distance; readonly quota?: CpuQuota };

type Placement = { readonly environment: Environment; readonly cpu: number | undefined; readonly quota?: CpuQuota };

const start = async (
  { name, file, environment: besides }: Candidate,
  { environment, cpu, quota }: Placement,
): Promise<Sample> => {
  const plain = [process.execPath, firstAnswerBundle, file];
  const pinned = cpu === undefined ? plain : ['taskset', '-c', String(cpu), ...plain];
  const [command = '', ...args] = quota === undefined ? pinned : quota.wrap(pinned);
  const child = spawn(command, args, {
    env: { ...environment, ...besides, EVENT: event },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [written, [code]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  const { ms, cpu: cpuMs } = JSON.parse(written) as { readonly ms: number; readonly cpu: number };
  return { 'added ms': ms, 'added CPU ms': cpuMs };
};

/** Subtracts the median of the empty handler from every sample, to get the cost that a candidate adds to Node. */
const addedTo = (base: Measured, { candidate, samples }: Measured): Measured => {
  const medianOf = (metric: string) =>
    quantile(
      base.samples.map((sample) => sample[metric] ?? Number.NaN),
      0.5,
    );
  const added = (sample: Sample): Sample =>
    Object.fromEntries(Object.entries(sample).map(([metric, value]) => [metric, value - medianOf(metric)]));
  return { candidate, samples: samples.map(added) };
};

const verdictsOn = (comparison: Comparison): readonly Verdict[] =>
  [own, sharing].flatMap(({ name }) => {
    const to = (others: readonly Candidate[]) => {
      const names = others.map((other) => other.name);
      return ratioTo(comparison, 'added ms', names, name);
    };
    const what = `added cold start, ${name},`;
    return [
      compareWithTarget({ what: `${what} x the best peer`, maximum: 0.6, stretch: 0.5 }, to(alternatives)),
      compareWithTarget({ what: `${what} x ${floor.name}`, maximum: 0.85, stretch: 0.65 }, to([floor])),
    ];
  });

/** Runs once the schedule that stores a token for all containers. */
const shareToken = async (placement: Placement): Promise<void> => {
  await using container = await startContainer(refresher, placement);
  await container.call('invoke', { event: '{}' });
};

const measure = async ({ title, distance, quota }: Conditions, settings: Settings): Promise<Section> => {
  const [cpu, outsideCpu] = twoCpus() ?? [];
  await using outside = startRemote<Outside>('token/outside.ts', { environment: process.env, cpu: outsideCpu });
  const environment = await outside.call('start', distance);
  const placement = { environment, cpu, ...(quota === undefined ? {} : { quota }) };
  await shareToken(placement);
  const turns = [empty, floor, own, sharing, ...alternatives].map((one) => ({
    name: one.name,
    measure: () => start(one, placement),
  }));
  const [base, ...others] = await interleave(turns, { ...settings, random: seeded(settings.seed) });
  if (base === undefined) throw new Error('nothing was measured');
  const comparison = compare(
    title,
    floor.name,
    others.map((one) => addedTo(base, one)),
  );
  const section = comparisonSection(comparison, verdictsOn(comparison));
  const [ms = 0, cpuMs = 0] = ['added ms', 'added CPU ms'].map((metric) =>
    quantile(
      base.samples.map((sample) => sample[metric] ?? Number.NaN),
      0.5,
    ),
  );
  const remark = `over an empty handler, which answers after ${ms.toFixed(0)} ms and ${cpuMs.toFixed(0)} ms of CPU`;
  return { ...section, remarks: [remark, ...(section.remarks ?? [])] };
};

const share = 0.29;

/** Measures the time from process start to first answer. */
export const tokenCold: Bench = {
  summary: 'cold start of the connected getReturn: near, over TLS with round trips, and on a CPU quota',
  packages: connectedPackages,
  defaults: { rounds: 15, warmUp: 1, invocations: 1, seed: 1 },
  describe: ({ rounds, warmUp, seed }) =>
    `process start to first answer, ${rounds} starts each after ${warmUp} that do not count, seed ${seed}: median [quartiles]`,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const far = `over TLS, ${distancesText}`;
    const all: Conditions[] = [
      { title: 'near', distance: 'near' },
      { title: far, distance: 'far' },
    ];
    using quota = cpuQuota(share);
    if (quota === undefined) report(`no cgroup can be made here: left out are starts on ${share} of a CPU`);
    else {
      const title = `${share} of a CPU (${quota.means})`;
      all.push(
        { title: `${title}, near`, distance: 'near', quota },
        { title: `${title}, ${far}`, distance: 'far', quota },
      );
    }
    const sections: Section[] = [];
    for (const conditions of all) {
      report(conditions.title);
      sections.push(await measure(conditions, settings));
    }
    return sections;
  },
};
