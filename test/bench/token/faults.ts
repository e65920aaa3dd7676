import { buildCandidates } from '../bundle.ts';
import { connectedPackages, type Candidate } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import { own, alternatives } from './candidates.ts';
import { faults, type Fault, type Toll } from './fault-scenarios.ts';
import { withTrial } from './trial.ts';

type Named = Toll & { readonly candidate: string };

const undergoEach = (fault: Fault, candidates: readonly Candidate[]): Promise<readonly Named[]> =>
  Promise.all(candidates.map(async (one) => ({ candidate: one.name, ...(await withTrial(one, fault.undergo)) })));

/** Measures calls while their dependencies fail. */
export const tokenFaults: Bench = {
  summary: 'failed calls and more, when what the connected mode reaches fails',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'each fault from a cold start on, on a virtual clock',
  run: async (_, report) => {
    report('building');
    await buildCandidates();
    const candidates = [own, ...alternatives];
    const results = [];
    for (const fault of faults) {
      const tolls = await undergoEach(fault, candidates);
      report(`${fault.name}: ${tolls.map(({ text }) => text).join(' | ')}`);
      results.push({ fault, tolls });
    }
    const verdicts = results.flatMap(({ fault: { name, maximum }, tolls }) =>
      maximum === undefined ? [] : [compareWithTarget({ what: name, maximum }, tolls[0]?.value ?? Number.NaN)],
    );
    return [
      {
        title: 'faults',
        table: [
          ['', ...candidates.map(({ name }) => name)],
          ...results.map(({ fault, tolls }) => [fault.name, ...tolls.map(({ text }) => text)]),
        ],
        remarks: verdicts.map(({ text }) => text),
        data: { faults: results.map(({ fault: { name }, tolls }) => ({ name, tolls })), verdicts },
      },
    ];
  },
};
