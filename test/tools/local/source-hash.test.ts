import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { sourceFiles } from '../../../lib/tools/local/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

describe('source hash', () => {
  test.each(modes)('covers every source of a bundle of the %s mode', async (mode) => {
    const { metafile } = await build({
      entryPoints: functionFiles(offers[mode]).map(({ file }) => file),
      outdir: 'unwritten',
      write: false,
      metafile: true,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // Shared code of functions is written once.
      splitting: true,
      conditions: [mode, 'module'],
      packages: 'external',
      external: ['#contract/*', '#validators/*'],
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.length).toBeGreaterThan(200);
    expect(new Set(sourceFiles())).toEqual(new Set([...sourceFiles(), ...inputs]));
  });

  test('covers the sources of the build, and none of the local stack or of a stage', () => {
    const files = sourceFiles();
    const build = ['lib/tools/build/build.ts', 'lib/tools/build/slim/plugin.ts', 'serverless.yml', 'package-lock.json'];
    const console = ['main.tsx', 'icon.svg', 'styles/base.css'].map((file) => `lib/console/${file}`);
    expect(files).toEqual(expect.arrayContaining([...build, ...console]));
    expect(files.filter((file) => /^lib\/tools\/(local|deploy\/stages)\//.test(file))).toEqual([]);
  });
});
