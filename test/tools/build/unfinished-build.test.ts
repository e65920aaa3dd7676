import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sample } from '../../support/samples.ts';

/** Runs the build in a folder whose only source is a stub with an open place. */
const build = async (...args: readonly string[]) => {
  const cwd = await mkdtemp(join(tmpdir(), 'returns-build-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await mkdir(join(cwd, 'lib/contract'), { recursive: true });
  await writeFile(join(cwd, 'lib/contract/pause.ts'), "export const summary = fillIn('the summary');\n");
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('lib/tools/build/build.ts'), ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('build with an unfinished operation', () => {
  const calls: readonly [string, readonly string[]][] = [
    ['npm run build', []],
    ['npm start', ['--root', 'built']],
    ['npm run generate', ['--contract', '--sources']],
    ['npm test', ['--contract']],
  ];

  it.each(sample(calls, 2))('lists what is missing, without a stack trace: %s', async (_, args) => {
    expect(await build(...args)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'fill in: lib/contract/pause.ts:1 the summary\n' +
        'Nothing is generated. Complete the files in lib, then run `npm run generate` again.\n',
    });
  });
});
