import { defineConfig } from 'vitest/config';

/** Long runs, apart from `npm test`. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    maxConcurrency: 8,
  },
});
