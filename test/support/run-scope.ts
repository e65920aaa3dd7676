import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import { filesLeftToSoak } from './soak-files.ts';
import './stack.ts';

/**
 * Tells the tests, as `wholeRun`, whether all that calls AWS through the stack is in this run: only then what no call
 * has used is used by none. And as `allFiles`, whether it is every test: only then everything of every kind was emitted.
 */
export const runScope = (): Reporter => {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => void (vitest = started),
    onTestRunStart: (specifications) => {
      const files = new Set(specifications.map(({ moduleId }) => relative(process.cwd(), moduleId)));
      const left = new Set(filesLeftToSoak(process.argv.slice(2), process.env['EVERY_CASE']));
      const project = vitest?.getRootProject();
      const holds = (...patterns: readonly string[]): boolean =>
        globSync(patterns).every((file) => files.has(file) || left.has(file)) &&
        project?.config.testNamePattern === undefined;
      project?.provide(
        'wholeRun',
        holds('test/{contract,doctor,webhooks}/**/*.test.ts', 'test/runtime/shared-token.test.ts'),
      );
      project?.provide('allFiles', holds('test/**/*.test.ts'));
    },
  };
};
