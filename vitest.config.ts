import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { recordErrors } from './test/support/emitted/record-errors.ts';
import { coveredBy } from './test/support/left-to-all.ts';
import { byNeed, type Need, testFiles } from './test/support/projects.ts';
import { StackFirst } from './test/support/stack-first.ts';

const operands = process.argv.slice(3).filter((argument) => !argument.startsWith('-'));
const everyCase = process.env['EVERY_CASE'] === '1';

const { last, ...others } = byNeed(testFiles(operands).filter((file) => everyCase || coveredBy[file] === undefined));

/** What a run starts before its first test: what the most demanding file needs. */
const setups: Readonly<Record<keyof typeof others, readonly string[]>> = {
  pure: [],
  engine: [],
  bundles: ['test/support/bundles-setup.ts'],
  stack: ['test/support/stack-setup.ts'],
};
const need = (['stack', 'bundles', 'engine'] as const).find((name) => others[name].length > 0) ?? 'pure';

/** Returns a project. Its files share a process: one for each costs more than most files. */
const project = (
  name: Need,
  include: readonly string[],
  globalSetup: readonly string[] = [],
): TestProjectInlineConfiguration => ({
  // Otherwise vitest reads this file again for each project, and with it the imports of all tests.
  extends: false,
  plugins: [recordErrors()],
  // Functions in the process of a test are those of the standalone mode.
  ssr: { resolve: { conditions: ['standalone', 'node', 'development|production'] } },
  test: {
    name,
    include: [...include],
    isolate: false,
    // On two CPUs the default would be one worker, and a third costs CPU without saving time.
    maxWorkers: availableParallelism() > 2 ? 3 : 2,
    globalSetup: [...globalSetup],
    setupFiles: ['test/support/emitted/setup.ts'],
    sequence: { groupOrder: name === 'last' ? 2 : 1 },
    // They end a test that hangs, also on a machine that has much else to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A busy machine is slower, and not wrong.
    expect: { poll: { timeout: 120_000 } },
  },
});

/** Where a part of `npm run coverage` leaves what it saw, to be merged with the others. */
const blobFile = process.env['VITEST_BLOB'];
const blob: readonly ['blob', { outputFile: string }][] =
  blobFile === undefined ? [] : [['blob', { outputFile: blobFile }]];

// Only after a whole run is there something to look back on.
const isWhole = operands.length === 0 && !process.argv.some((argument) => argument.startsWith('--testNamePattern'));

const projects = [
  // Files with different needs share processes: each process of each project loads all modules again.
  project(need, Object.values(others).flat(), setups[need]),
  project('last', isWhole ? last : []),
].filter(({ test }) => test?.include?.length !== 0);

export default defineConfig({
  test: {
    reporters: [process.env['TEST_REPORTER'] ?? 'default', './test/support/count-reporter.ts', ...blob],
    projects,
    sequence: { sequencer: StackFirst },
    coverage: {
      provider: 'v8',
      include: ['lib/domain/returns/**', 'lib/domain/money/**', 'lib/access/oauth/**', 'lib/shops/platforms/**'],
      reporter: ['text-summary'],
      thresholds: { lines: 95, branches: 85 },
    },
  },
});
