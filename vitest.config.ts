import { configDefaults, defineConfig } from 'vitest/config';
import { recordErrors } from './test/support/emitted/record-errors.ts';
import { runScope } from './test/support/run-scope.ts';
import { filesLeftToSoak } from './test/support/soak-files.ts';

/** Look back on what the other tests have done. Groups are counted from 1: on one worker, group 0 runs last. */
const last = ['test/build/roles-used.test.ts', 'test/build/nothing-leaked.test.ts'];

const left = filesLeftToSoak(process.argv.slice(2), process.env['EVERY_CASE']);

const shared = {
  // They end a test that hangs, also on a machine that has much else to do.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // A busy machine is slower, and not wrong.
  expect: { poll: { timeout: 120_000 } },
};

/** Where a part of `npm run coverage` leaves what it saw, to be merged with the others. */
const blobFile = process.env['VITEST_BLOB'];
const blob: readonly ['blob', { outputFile: string }][] =
  blobFile === undefined ? [] : [['blob', { outputFile: blobFile }]];

export default defineConfig({
  test: {
    // Most of the time is spent waiting: on two CPUs the default would be one worker.
    maxWorkers: 4,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: [process.env['TEST_REPORTER'] ?? 'default', './test/support/count-reporter.ts', runScope(), ...blob],
    projects: [
      {
        plugins: [recordErrors()],
        test: {
          ...shared,
          // Files share a process and our modules in it: a process for each costs more than most of them do.
          name: 'light',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...last, ...left],
          isolate: false,
          setupFiles: ['test/support/emitted/setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...shared, name: 'last', include: last, sequence: { groupOrder: 2 } } },
    ],
    coverage: {
      provider: 'v8',
      include: ['lib/returns/**', 'lib/money/**', 'lib/oauth/**', 'lib/platforms/**'],
      reporter: ['text-summary'],
      thresholds: { lines: 95, branches: 85 },
    },
  },
});
