import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runNode } from '../command-line/run-node.ts';
import { readTemplate, type Template } from '../template/cloudformation/template.ts';
import { rowsOf } from '../template/functions.ts';
import type { Offer } from '../template/offer.ts';
import { packageFiles, packageOffer } from '../template/package/package-offer.ts';

/** A zip without files: the record of its end (APPNOTE.TXT of PKWARE, 4.3.16). */
const emptyZip = Buffer.from([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)]);

/**
 * Packages an offer with empty functions, and returns its template. A check of values needs no code, and the bundles
 * take most of the time.
 */
export const templateWithoutCode = async (offer: Offer): Promise<Template> => {
  const { adapter, folder } = offer;
  console.log('Reading the parameters, about 10 s.');
  const ofAdapter = adapter === undefined ? [] : ['--adapter', adapter.name];
  await runNode(['lib/tools/build/build.ts', '--contract', '--if-changed', ...ofAdapter]);
  const root = await mkdtemp(join(tmpdir(), 'returns-check-'));
  try {
    const zips = join(root, 'dist', folder);
    await mkdir(zips, { recursive: true });
    for (const generated of ['contract', 'deploy'])
      await symlink(resolve('dist', generated), join(root, 'dist', generated));
    await Promise.all(rowsOf(offer).map(async ([name]) => writeFile(join(zips, `${name}.zip`), emptyZip)));
    await packageOffer(root, offer);
    return await readTemplate(join(root, 'dist/package', folder, packageFiles.template));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
