import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['lib/tools/build/run-tests.ts', ...args], { encoding: 'utf8' });

describe('npm test', () => {
  it('runs nothing when a named path matches no test file', () => {
    const { status, stdout, stderr } = run('--no-check', 'test/tools/build/run-tests', 'test/nowhere');
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'no test file has test/nowhere in its path\nSee npm test -- --help.\n',
    });
  });
});
