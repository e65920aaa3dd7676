import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { reachedFrom } from '../../lib/tools/build/import-graph.ts';

/**
 * What a test file needs. `pure` needs nothing. `engine` starts a DynamoDB engine of its own. `bundles` needs a build of
 * both modes. `stack` also needs the stack that all files share. `last` needs the output of all other files.
 */
export type Need = 'pure' | 'engine' | 'bundles' | 'stack' | 'last';

/** The modules that state a need, for the files that reach them by imports. The first that is reached counts. */
const stated: Readonly<Record<Exclude<Need, 'pure'>, readonly string[]>> = {
  last: ['test/support/emitted/whole-run.ts'],
  stack: ['test/support/stack.ts'],
  bundles: ['test/support/bundles.ts', 'lib/tools/local/bundles.ts', 'lib/tools/local/stack.ts'],
  engine: ['lib/tools/local/engine/engine.ts'],
};

/** Returns what a test file needs. */
const needOf = (file: string): Need => {
  const reached = reachedFrom(file);
  const found = Object.entries(stated).find(([, modules]) => modules.some((module) => reached.has(resolve(module))));
  return (found?.[0] ?? 'pure') as Need;
};

/** Returns the test files whose path contains one of these texts, or all. */
export const testFiles = (texts: readonly string[] = []): readonly string[] =>
  globSync('test/**/*.test.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => texts.length === 0 || texts.some((text) => resolve(file).includes(text.replace(/^\.\//, ''))))
    .toSorted();

/** Returns test files by what they need. */
export const byNeed = (files: readonly string[]): Readonly<Record<Need, readonly string[]>> => {
  const needs: Record<Need, string[]> = { pure: [], engine: [], bundles: [], stack: [], last: [] };
  for (const file of files) needs[needOf(file)].push(file);
  return needs;
};
