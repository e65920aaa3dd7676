import { dirname } from 'node:path';
import { weightOf } from '../../../lib/build/weight.ts';
import { buildCandidates } from '../bundle.ts';
import { connectedPackages } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import { floor, own, alternatives } from './candidates.ts';

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** Measures the code that a container loads before its first answer. */
export const tokenSize: Bench = {
  summary: 'bytes of the connected getReturn',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'minified, and gzip -9, kB',
  run: async (_, report) => {
    report('building');
    await buildCandidates();
    const weights = [floor, own, ...alternatives].map(({ name, file }) => ({ name, ...weightOf(dirname(file)) }));
    const base = weights[0]?.gzipped ?? Number.NaN;
    const rows = weights.map(({ name, minified, gzipped }) => [
      name,
      kilobytes(minified),
      kilobytes(gzipped),
      (gzipped / base).toFixed(2),
    ]);
    const gzipped = weights.find(({ name }) => name === own.name)?.gzipped ?? Number.NaN;
    const verdict = compareWithTarget({ what: 'kB gzip, all in', maximum: 115 }, gzipped / 1_000);
    return [
      {
        title: 'connected getReturn',
        table: [['', 'minified', 'gzip', `x ${floor.name}`], ...rows],
        remarks: [verdict.text],
        data: { weights, verdicts: [verdict] },
      },
    ];
  },
};
