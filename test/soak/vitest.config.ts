import { defineConfig } from 'vitest/config';
import { recordErrors } from '../support/emitted/record-errors.ts';

/** Long runs, separate from `npm test`. */
export default defineConfig({
  plugins: [recordErrors()],
  test: {
    include: ['test/soak/**/*.soak.ts'],
    globalSetup: ['test/support/stack-setup.ts'],
    // vitest runs the teardown of the first file last.
    setupFiles: ['test/support/emitted/searched.ts', 'test/support/emitted/setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    maxConcurrency: 8,
  },
});
