import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import '../../support/stack.ts';
import { compileCache } from '../../support/bundles.ts';

const run = promisify(execFile);

/** Programs that are not in the npm scripts, and a module for osls. They run when they are imported. */
const programs: ReadonlySet<string> = new Set([
  'lib/tools/build/build-all.ts',
  'lib/tools/template/package/linear-decycle.ts',
  'lib/tools/template/package/package.ts',
  'lib/tools/build/sizes.ts',
  'lib/tools/deploy/call-function.ts',
  'lib/tools/local/mode.ts',
]);

describe('modules of lib', () => {
  it('read no environment while they are imported', async () => {
    const scripts = readFileSync('package.json', 'utf8');
    const modules = globSync('lib/**/*.ts').filter(
      // The console runs in browsers.
      (file) => !/\.d\.ts$|^lib\/console\//.test(file) && !scripts.includes(file) && !programs.has(file),
    );
    const { stdout } = await run(
      process.execPath,
      ['--conditions=standalone', join(import.meta.dirname, 'environment/reads.ts'), ...modules],
      { env: { NODE_COMPILE_CACHE: compileCache() } },
    );
    expect(JSON.parse(stdout)).toEqual({});
  });
});
