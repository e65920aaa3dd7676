import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import { filesLeftToSoak } from './soak-files.ts';
import './stack.ts';

/**
 * Provides the tests with `wholeRun`: whether the run includes every test that calls AWS through the stack. Only then
 * is an unused grant unused by all. It also provides `allFiles`: whether every test runs. Only then is output of every
 * kind recorded.
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
