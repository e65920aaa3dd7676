import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sample, inSoak } from '../../support/samples.ts';

const generated = ['dist/contract/openapi.json', 'dist/contract/validators/approve.js', 'dist/lint/layers.json'];
const hashFile = 'dist/contract/inputs.sha256';

let folder = '';

/** Runs a call of the module, and returns its result. The sources are relative to the working directory. */
const run = (call: string): unknown => {
  const script = `
    import { areGeneratedCurrent, hashInputs } from ${JSON.stringify(resolve('lib/tools/build/generated-hash.ts'))};
    console.log(JSON.stringify(${call}));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as unknown;
};

const isCurrent = (): unknown => run("areGeneratedCurrent('dist')");

/** Stores the hash as the generator does. */
const storeHash = async (): Promise<void> => writeFile(join(folder, hashFile), String(run('hashInputs()')));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'returns-generated-'));
  for (const file of ['lib/texts.json', ...generated]) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), '{}');
  }
});

afterEach(() => rm(folder, { recursive: true }));

describe('areGeneratedCurrent', () => {
  it.each(inSoak('returns true until a source changes'))('%s', async () => {
    await storeHash();
    expect(isCurrent()).toBe(true);
    await writeFile(join(folder, 'lib/texts.json'), '{"a":1}');
    expect(isCurrent()).toBe(false);
    await storeHash();
    expect(isCurrent()).toBe(true);
  });

  it.each(sample([...generated, hashFile], 4))('returns false when %s is missing', async (file) => {
    await storeHash();
    await rm(join(folder, file));
    expect(isCurrent()).toBe(false);
  });

  it('returns false before the generator has stored a hash', () => {
    expect(isCurrent()).toBe(false);
  });
});
