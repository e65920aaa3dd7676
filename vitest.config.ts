import { configDefaults, defineConfig } from 'vitest/config';
import { seenErrors } from './test/support/emitted/seen-errors.ts';
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
  env: {
    TABLE_NAME: 'unit',
    // An engine beside busy processes is slow. A test of a store that hangs ends by the deadline of its call.
    STORE_ATTEMPT_MS: '600000',
    SIGNING_SECRET_ID: 'unit',
    HISTORY_KEYS_ID: 'history-keys',
    EVIDENCE_BUCKET: 'unit',
    EXPORT_BUCKET: 'unit',
    SERVICE_URL: 'https://service.invalid',
    AUTH_URL: 'https://identity.invalid',
    CLIENT_SECRET_ID: 'unit',
    PLATFORM_SECRETS: 'unit',
    INBOX_QUEUE_URL: 'https://queue.invalid/inbox',
    INBOX_DLQ_URL: 'https://queue.invalid/dead',
    INBOX_BUCKET: 'unit',
    INBOX_MAX_RECEIVES: '3',
    RECONCILE_FIRST_HOURS: '24',
    JOBS_QUEUE_URL: 'https://queue.invalid/jobs',
    JOBS_MAX_ATTEMPTS: '3',
    EVENT_BUS_NAME: 'unit',
    EVENT_SOURCE: 'urn:returns:unit',
    EVENT_TYPE_PREFIX: 'com.example.returns',
    OUTBOX_QUEUE_URL: 'https://queue.invalid/outbox',
    TOKEN_ISSUER: 'https://identity.invalid',
    LOG_LEVEL: 'debug',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  },
};

/** Files that can share a process and our modules in it: a process for each would cost more than most of them do. */
const light = [
  'test/*.test.ts',
  'test/{bench,build,client,concurrency,contract,crash,deploy,direct,doctor,events,http,local,long,money,net,oauth,policies,returns,runtime,secrets,texts,webhooks}/**/*.test.ts',
  'test/platforms/*.test.ts',
];

/** Files that tell the process where its AWS is, which modules of ours ask once: they share it, but not our modules. */
const anew = [
  'test/{backend,inbox,jobs,outbox,retention,schedules,statistics,store}/**/*.test.ts',
  'test/platforms/asked/**/*.test.ts',
  'test/doctor/deployed/**/*.test.ts',
];

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
        plugins: [seenErrors()],
        test: {
          ...shared,
          name: 'light',
          include: light,
          exclude: [...configDefaults.exclude, ...last, ...anew, ...left],
          isolate: false,
          setupFiles: ['test/support/emitted/setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [seenErrors()],
        test: {
          ...shared,
          name: 'anew',
          include: anew,
          exclude: [...configDefaults.exclude, ...left],
          isolate: false,
          setupFiles: ['test/support/anew.ts'],
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
