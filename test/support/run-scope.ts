import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import './stack.ts';

/**
 * Tells the tests, as `wholeRun`, whether all that calls AWS through the stack is in this run: only then what no call
 * has used is used by none.
 */
export const runScope = (): Reporter => {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => void (vitest = started),
    onTestRunStart: (specifications) => {
      const files = new Set(specifications.map(({ moduleId }) => relative(process.cwd(), moduleId)));
      const all = globSync('test/{contract,doctor,webhooks}/**/*.test.ts').every((file) => files.has(file));
      const project = vitest?.getRootProject();
      project?.provide('wholeRun', all && project.config.testNamePattern === undefined);
    },
  };
};
