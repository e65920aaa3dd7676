import { buildCandidates } from '../bundle.ts';
import { connectedPackages } from '../candidates.ts';
import { measureWarm, type WarmScenario } from '../measure-warm.ts';
import { startRemote, twoCpus } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench } from '../settings.ts';
import type { Comparison } from '../statistics.ts';
import { compareWithTarget, ratioTo, type Verdict } from '../targets.ts';
import { event, floor, own, alternatives } from './candidates.ts';
import type { Outside } from './outside.ts';

const scenario: WarmScenario = {
  title: 'connected getReturn, warm',
  event,
  status: 200,
  visible: (body) => body,
  candidates: [floor, own, ...alternatives],
  metrics: ['CPU us', 'p50 us', 'RSS MB'],
};

const verdictsOn = (comparison: Comparison): readonly Verdict[] => {
  const ratio = (metric: string) => ratioTo(comparison, metric, [floor.name]);
  return [
    compareWithTarget({ what: `CPU per call x ${floor.name}`, maximum: 1.1, stretch: 1 }, ratio('CPU us')),
    compareWithTarget({ what: `p50 x ${floor.name}`, maximum: 1.1 }, ratio('p50 us')),
    compareWithTarget({ what: `RSS x ${floor.name}`, maximum: 0.6 }, ratio('RSS MB')),
  ];
};

/** Measures the time and CPU of a call with an available token, and the memory. */
export const tokenWarm: Bench = {
  summary: 'the warm path of the connected getReturn: CPU, time and memory',
  packages: connectedPackages,
  // V8 compiles functions of ours until call 25,000, of bare until 18,000 (--trace-opt): the warm-up is longer.
  // Rounds differ by a fifth: a hundred of them give the median to 2 or 3 %.
  defaults: { rounds: 101, warmUp: 130, invocations: 200, seed: 1 },
  describe: roundsText,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('token/outside.ts', { environment: process.env, cpu: outsideCpu });
    const environment = await outside.call('start', 'near');
    report('measuring');
    const comparison = await measureWarm(scenario, { environment, cpu }, settings);
    return [comparisonSection(comparison, verdictsOn(comparison))];
  },
};
