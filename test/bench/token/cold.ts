import { buildCandidates } from '../bundle.ts';
import { connectedPackages, type Candidate } from '../candidates.ts';
import { addedMs, measureCold, share, visibleIn, type ColdPlacement } from '../cold-start.ts';
import { cpuQuota, type CpuQuota } from '../cpu-quota.ts';
import { startContainer } from '../measure-warm.ts';
import { startRemote, twoCpus } from '../remote.ts';
import type { Bench, Section, Settings } from '../settings.ts';
import type { Comparison } from '../statistics.ts';
import { compareWithTarget, ratioTo, type Verdict } from '../targets.ts';
import { event, floor, own, alternatives, refresher, sharing } from './candidates.ts';
import { distancesText } from './distances.ts';
import type { Distance, Outside } from './outside.ts';

type Conditions = { readonly title: string; readonly distance: Distance; readonly quota?: CpuQuota };

const verdictsOn = (comparison: Comparison): readonly Verdict[] =>
  [own, sharing].flatMap(({ name }) => {
    const to = (others: readonly Candidate[]) => {
      const names = others.map((other) => other.name);
      return ratioTo(comparison, addedMs, names, name);
    };
    const what = `added cold start, ${name},`;
    return [
      compareWithTarget({ what: `${what} x the best peer`, maximum: 0.6, stretch: 0.5 }, to(alternatives)),
      compareWithTarget({ what: `${what} x ${floor.name}`, maximum: 0.85, stretch: 0.65 }, to([floor])),
    ];
  });

/** Runs once the schedule that stores a token for all containers. */
const shareToken = async (placement: ColdPlacement): Promise<void> => {
  await using container = await startContainer(refresher, placement);
  await container.call('invoke', { event: '{}' });
};

const measure = async ({ title, distance, quota }: Conditions, settings: Settings): Promise<Section> => {
  const [cpu, outsideCpu] = twoCpus() ?? [];
  await using outside = startRemote<Outside>('token/outside.ts', { environment: process.env, cpu: outsideCpu });
  const environment = await outside.call('start', distance);
  const placement = { environment, cpu, ...(quota === undefined ? {} : { quota }) };
  await shareToken(placement);
  const candidates = [floor, own, sharing, ...alternatives];
  const visible = visibleIn(200, (body) => body);
  return await measureCold({ title, candidates, nextEvent: () => event, visible, verdictsOn }, placement, settings);
};

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
