import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCheckedTerms } from '../../../lib/tools/build/generated.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { compileCache } from '../../support/bundles.ts';

/** Holidays of a law that do not fit into the environment of a function. */
const holidays = Array.from({ length: 300 }, (_, day) =>
  new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10),
);
const long = { fees: { restockingBps: 750 }, statutoryRules: { 'EU 2011/83': { holidays } } };

let root: string;
let terms: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'terms-'));
  terms = join(root, 'terms');
  await mkdir(terms);
  await writeFile(join(terms, 'long.json'), JSON.stringify(long));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A sample writes only the files of terms: the run's own build has generated all. */
const writing = (): string => {
  const [folder, from] = [JSON.stringify(join(root, 'dist')), JSON.stringify(terms)];
  return runsEveryCase()
    ? `import { writeGenerated } from './lib/tools/build/generated.ts';
      await writeGenerated(${folder}, ${from});`
    : `import { readTermsFiles, writeTermsFiles } from './lib/tools/build/terms-files.ts';
      await writeTermsFiles(${folder}, readTermsFiles(${from}));`;
};

describe('file of terms', () => {
  it('is in the bundle, which finds it by the name in RETURN_TERMS', async () => {
    // As `npm run build` does it: in its own process.
    const built = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { bundle } from './lib/tools/build/bundle.ts';
        import { offers } from './lib/tools/template/offer.ts';
        ${writing()}
        await bundle(offers.standalone, { root: ${JSON.stringify(root)}, entries: { 'config/index': 'lib/service/operations/decisions/terms-config.ts' } });`,
      ],
      { env: { ...process.env, NODE_COMPILE_CACHE: compileCache() }, encoding: 'utf8' },
    );
    expect(built).toMatchObject({ status: 0, stderr: '' });
    const module = pathToFileURL(join(root, 'dist/standalone/config/index.mjs')).href;
    const run = (name: string) =>
      spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `const { termsConfig } = await import(${JSON.stringify(module)});
          const { terms, statutoryRules } = termsConfig();
          const { holidays } = statutoryRules.find(({ law }) => law === 'EU 2011/83');
          console.log(JSON.stringify([terms.fees.restockingBps, holidays.length]));`,
        ],
        { env: { RETURN_TERMS: name }, encoding: 'utf8' },
      );
    expect(JSON.stringify(long).length).toBeGreaterThan(2_048);
    expect(JSON.parse(run('long.json').stdout)).toEqual([750, holidays.length]);
    const absent = run('lomg.json');
    expect(absent.status).not.toBe(0);
    expect(absent.stderr).toContain(
      'environment variable RETURN_TERMS: names no file in lib/tools/deploy/terms; the files are long.json. Did you mean long.json?',
    );
  });

  it('fails the build with its name and the wrong field', async () => {
    const wrong = join(root, 'wrong');
    await mkdir(wrong);
    await writeFile(join(wrong, 'spain.json'), '{"fees":{"restockingBsp":1}}');
    expect(() => readCheckedTerms(wrong)).toThrow(
      `${join(wrong, 'spain.json')}: /fees/restockingBsp is not a known term`,
    );
    await writeFile(join(wrong, 'france.json'), '{');
    expect(() => readCheckedTerms(wrong)).toThrow(`${join(wrong, 'france.json')} is not JSON`);
  });

  it('may be absent', () => {
    expect(readCheckedTerms(join(root, 'nowhere'))).toEqual(new Map());
  });
});
