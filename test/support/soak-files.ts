/**
 * Test files that `npm test` leaves to `npm run soak -- every-case`, and the tests in `npm test` that cover their
 * subject. A file that is named on the command line still runs.
 */
const coveredBy: Readonly<Record<string, string>> = {
  'test/bench/container.test.ts': 'a tool of the bench: no deployed code',
  'test/bench/policy/same-verdict.test.ts': 'a peer of the bench: no deployed code',
  'test/bench/token/ours.test.ts': 'test/oauth runs the same client against the same faults',
  'test/build/openapi-linter.test.ts': '`npm run check` lints the document by the same rules',
  'test/build/slim.test.ts': 'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/build/slim-functions.test.ts': 'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/build/slim-undici.test.ts': 'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/chaos/chaos.test.ts': 'a tool of the long runs: no deployed code',
  'test/cli/interrupt.test.ts': 'terminal.test.ts interrupts a confirmation; commands.test.ts runs the binary',
  'test/build/environment.test.ts': 'from-cold.ts starts containers with the environment of the template',
  'test/cli/jobs.test.ts': 'test/cli/commands.test.ts runs the binary; test/contract/jobs.test.ts runs jobs',
  'test/cli/profiles.test.ts': 'test/cli/commands.test.ts runs the binary with a profile; usage.test.ts has its errors',
  'test/cli/wire.test.ts': 'test/cli/commands.test.ts runs the binary; test/client has the same faults at the wire',
  'test/client/package.test.ts': 'api-faults.test.ts and its neighbours; the build compiles the package',
  'test/contract/analytics.test.ts': 'test/statistics counts; generated.test.ts asks over HTTP',
  'test/contract/generated-faults.test.ts': 'generated.test.ts and generated-requests.test.ts run the same checks',
  'test/contract/messy-return.test.ts': 'refunds.test.ts, receipts.test.ts and the model in test/returns',
  'test/contract/list-overdue.test.ts': 'list-returns.test.ts and list-sorted.test.ts',
  'test/crash/crash.test.ts': 'lost-replies.test.ts, store-failures.test.ts and test/store/replay.test.ts',
  'test/crash/restore.test.ts':
    'test/build/account.test.ts has the template of an adopted table; `npm run soak -- restore`',
  'test/deploy/aws-check.test.ts': 'a command for a deployed stage: no deployed code',
  'test/deploy/deploy-command.test.ts':
    'check.test.ts, stage-file.test.ts and smoke.test.ts; the run packages both modes',
  'test/direct/state-machine.test.ts': 'operations.test.ts invokes every operation directly',
  'test/direct/state-machine-retry.test.ts': 'lost-replies.test.ts repeats commands whose answer was lost',
  'test/doctor/cli.test.ts': 'test/doctor/function.test.ts runs the same checks; start.test.ts runs commands',
  'test/doctor/token.test.ts': 'test/oauth; function.test.ts runs the same checks',
  'test/inbox/large-bodies.test.ts': 'test/webhooks/large-bodies.test.ts',
  'test/jobs/erasure-counts.test.ts': 'erasure.test.ts erases and counts the same items on one page',
  'test/jobs/export.test.ts': 'test/contract/jobs.test.ts exports returns; test/jobs/export-withdrawals.test.ts',
  'test/jobs/export-histories.test.ts': 'test/contract/jobs.test.ts exports histories',
  'test/local/existing-table.test.ts': 'check-account.test.ts and account.test.ts; `npm run drill` adopts tables',
  'test/local/follow-request.test.ts':
    'test/http/operation.test.ts and test/runtime write the same lines with their trace',
  'test/local/death.test.ts': 'start.test.ts ends a stack by SIGTERM',
  'test/local/queue-poller.test.ts': 'an emulator; tests on a stack receive from its queues',
  'test/local/reindex.test.ts': 'tables.test.ts and test/schedules/reindex-returns.test.ts',
  'test/local/stack.test.ts': 'start.test.ts starts a stack, runs the demo and ends both',
  'test/local/stream-poller.test.ts': 'an emulator; the demo in start.test.ts receives an event that comes from it',
  'test/long/busy.test.ts': 'a tool of the long runs: no deployed code',
  'test/long/run.test.ts': 'a tool of the long runs: no deployed code',
  'test/oauth/outage.test.ts': 'test/runtime/outages.test.ts and token-endpoint-faults.test.ts',
  'test/outbox/from-stream.test.ts': 'on-stack.test.ts, publish-events.test.ts and test/statistics',
  'test/outbox/rehearsal.test.ts': 'publish-events.test.ts and repair-events.test.ts',
  'test/outbox/run-subscription-changes.test.ts': 'run-subscription.test.ts',
  'test/policies/holidays.test.ts':
    'rights.test.ts and statutory-floor.test.ts read the table; only `npm run holidays` changes it',
  'test/runtime/freezes.test.ts': 'test/oauth/frozen.test.ts freezes the same client',
  'test/runtime/leaks.test.ts':
    'test/client/access-events.test.ts; nothing-leaked.test.ts searches all that the run emits',
  'test/runtime/runtime.test.ts': 'the container of the tests: no deployed code',
  'test/runtime/shared-token.test.ts': 'test/oauth/shared-token.test.ts and refresh-shared-token.test.ts',
  'test/runtime/warm.test.ts': 'from-cold.ts invokes each container twice',
  'test/schedules/both-modes.test.ts':
    'test/schedules runs each schedule in standalone mode; from-cold.ts runs a sample in connected mode',
  'test/verify/receipt-files.test.ts': 'test/withdrawals verifies receipts; the command is that of verified exports',
  'test/withdrawals/thousand-declarations.test.ts':
    'test/contract/withdrawals.test.ts and withdrawal-effect.test.ts; test/withdrawals has the properties',
  'test/webhooks/withdrawals.test.ts': 'test/inbox/one-withdrawal.test.ts and test/platforms read the same reports',
  'test/webhooks/lives.test.ts': 'platforms.test.ts, shopify.test.ts and replays.test.ts',
  'test/webhooks/reconcile.test.ts': 'test/inbox/reconcile.test.ts',
  'test/webhooks/redrive.test.ts': 'dead-letters.test.ts lists and redrives; direct/operations.test.ts redrives',
  'test/webhooks/storm.test.ts': 'replays.test.ts delivers late, twice and out of order',
};

/**
 * Returns the files that a run of vitest leaves out: none where the command line names files, or where every case runs.
 *
 * @param args of the command line, from the command of vitest on
 * @param everyCase EVERY_CASE of the environment
 */
export const filesLeftToSoak = (args: readonly string[], everyCase: string | undefined): readonly string[] => {
  const namesFiles = args.slice(1).some((arg) => !arg.startsWith('-'));
  return everyCase === '1' || namesFiles ? [] : Object.keys(coveredBy);
};
