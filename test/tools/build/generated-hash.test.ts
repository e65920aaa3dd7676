import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sample } from '../../support/samples.ts';

const generated = ['dist/contract/openapi.json', 'dist/contract/validators/approve.js', 'dist/lint/layers.json'];

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'returns-generated-'));
  for (const file of ['lib/texts.json', ...generated]) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), '{}');
  }
});

afterEach(() => rm(folder, { recursive: true }));

/** Returns whether the generator was called, and the result. The sources are relative to the working directory. */
const run = (succeeds = true): { readonly called: boolean; readonly result: boolean } => {
  const script = `
    import { generateStale } from ${JSON.stringify(resolve('lib/tools/build/generated-hash.ts'))};
    let called = false;
    const result = generateStale(() => { called = true; return ${succeeds}; });
    console.log(JSON.stringify({ called, result }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as ReturnType<typeof run>;
};

describe('generateStale', () => {
  it('generates once, and again after a source has changed', async () => {
    expect(run()).toEqual({ called: true, result: true });
    expect(run()).toEqual({ called: false, result: true });
    await writeFile(join(folder, 'lib/texts.json'), '{"a":1}');
    expect(run()).toEqual({ called: true, result: true });
    expect(run()).toEqual({ called: false, result: true });
  });

  it.each(sample([...generated, 'dist/contract/inputs.sha256'], 4))(
    'generates again when %s is missing',
    async (file) => {
      run();
      await rm(join(folder, file));
      expect(run()).toEqual({ called: true, result: true });
    },
  );

  it('generates again after a failure', () => {
    expect(run(false)).toEqual({ called: true, result: false });
    expect(run()).toEqual({ called: true, result: true });
  });
});
