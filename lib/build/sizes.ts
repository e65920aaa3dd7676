import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { ways } from './functions.ts';
import { weigh, type Weight } from './weight.ts';

/*
 * Prints what every function weighs, with its packages whole and as it is deployed. Needs what `npm run generate`
 * writes.
 */

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
const shown = (weight: Weight | undefined): string =>
  weight === undefined ? '' : `${kilobytes(weight.minified)} / ${kilobytes(weight.gzipped)}`;

console.log('minified / gzip -9, kB'.padEnd(28), 'whole'.padStart(16), 'slim'.padStart(16));
const directory = await mkdtemp(join(tmpdir(), 'sizes-'));
try {
  for (const way of ways) {
    const [whole, slim] = [join(directory, way, 'whole'), join(directory, way, 'slim')];
    await Promise.all([bundle(way, { whole: true, outdir: whole }), bundle(way, { outdir: slim })]);
    const before = weigh(whole);
    for (const [name, after] of weigh(slim)) {
      console.log(`${way} ${name}`.padEnd(28), shown(before.get(name)).padStart(16), shown(after).padStart(16));
    }
  }
} finally {
  await rm(directory, { recursive: true });
}
