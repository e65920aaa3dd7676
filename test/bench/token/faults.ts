import { connectedPackages } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import { askers } from './candidates.ts';
import { faults } from './fault-scenarios.ts';
import { withTrial } from './trial.ts';

/** Measures calls while their dependencies fail. */
export const tokenFaults: Bench = {
  summary: 'failed calls and more, when what the connected mode reaches fails',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'each fault from a cold start on, on a virtual clock',
  run: async ({ report }) => {
    const rows: string[][] = [];
    const remarks: string[] = [];
    for (const { name, maximum, undergo } of faults) {
      const tolls = await Promise.all(askers.map(async (one) => withTrial(one, undergo)));
      rows.push([name, ...tolls.map(({ text }) => text)]);
      if (maximum !== undefined)
        remarks.push(compareWithTarget({ what: name, maximum }, tolls[0]?.value ?? Number.NaN));
      report(rows.at(-1)?.join(' | ') ?? '');
    }
    return [{ title: 'faults', table: [['', ...askers.map(({ name }) => name)], ...rows], remarks }];
  },
};
