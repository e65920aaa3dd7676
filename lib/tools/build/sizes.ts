import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { offers } from '../template/offer.ts';
import { weigh, type Weight } from './weight.ts';

/*
 * Prints the size of every function, with whole packages and as deployed. Run `npm run generate` first.
 */

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
const shown = (weight: Weight | undefined): string =>
  weight === undefined ? '' : `${kilobytes(weight.minified)} / ${kilobytes(weight.gzipped)}`;

console.log('minified / gzip -9, kB'.padEnd(28), 'whole'.padStart(16), 'slim'.padStart(16));
const directory = await mkdtemp(join(tmpdir(), 'sizes-'));
try {
  for (const offer of Object.values(offers)) {
    const { mode } = offer;
    const [whole, slim] = [join(directory, mode, 'whole'), join(directory, mode, 'slim')];
    await Promise.all([bundle(offer, { whole: true, outdir: whole }), bundle(offer, { outdir: slim })]);
    const before = weigh(whole);
    for (const [name, after] of weigh(slim)) {
      console.log(`${mode} ${name}`.padEnd(28), shown(before.get(name)).padStart(16), shown(after).padStart(16));
    }
  }
} finally {
  await rm(directory, { recursive: true });
}
