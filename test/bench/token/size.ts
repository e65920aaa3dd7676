import { dirname } from 'node:path';
import { weightOf } from '../../../lib/tools/build/weight.ts';
import { connectedPackages, connectedPeers } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import { floor, own } from './candidates.ts';

export const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** Measures the code that a container loads before its first answer. */
export const tokenSize: Bench = {
  summary: 'bytes of the connected getReturn',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'minified, and gzip -9, kB',
  run: async () => {
    const weights = [floor, own, ...connectedPeers].map(({ name, file }) => ({ name, ...weightOf(dirname(file)) }));
    const gzippedOf = (wanted: string) => weights.find(({ name }) => name === wanted)?.gzipped ?? Number.NaN;
    const rows = weights.map(({ name, minified, gzipped }) => [
      name,
      kilobytes(minified),
      kilobytes(gzipped),
      (gzipped / gzippedOf(floor.name)).toFixed(2),
    ]);
    return [
      {
        title: 'connected getReturn',
        table: [['', 'minified', 'gzip', `x ${floor.name}`], ...rows],
        remarks: [compareWithTarget({ what: 'kB gzip, all in', maximum: 115 }, gzippedOf(own.name) / 1_000)],
      },
    ];
  },
};
