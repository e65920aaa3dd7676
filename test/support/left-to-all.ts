/**
 * Test files that `npm test` leaves to `npm run test:all`, and the tests in `npm test` that cover their subject. A file
 * that is named on the command line still runs.
 */
export const coveredBy: Readonly<Record<string, string>> = {
  'test/runtime/init.test.ts': 'from-cold.ts starts containers; the stack loads every bundle',
  'test/adapters/built.test.ts':
    'bol.test.ts and recordings.test.ts replay exchanges; connected.test.ts runs zips in the client of the runtime',
  'test/adapters/devolucoes/deadlines.test.ts': 'command.test.ts has the end of a deadline, and loses answers',
  'test/contract/bulk.test.ts': 'test/service/jobs/bulk.test.ts',
  'test/tools/guides/shell-blocks.test.ts':
    'start.test.ts runs the demo; direct/operations.test.ts calls each operation',
  'test/webhooks/shopify.test.ts':
    'platforms.test.ts delivers from each platform; test/shops/inbox and test/shops/platforms',
  'test/contract/examples.test.ts': 'generated.test.ts compares with the schemas; direct/operations.test.ts',
  'test/runtime/standalone.test.ts': 'connected.test.ts runs zips; the stack loads every bundle',
  'test/tools/local/dynamodb-local.test.ts': 'another engine; `npm run soak -- dynamodb-local`',
  'test/contract/lost-replies.test.ts': 'store-failures.test.ts and test/store/replay.test.ts',
  'test/concurrency/concurrency.test.ts': 'store-failures.test.ts and test/store have the same conflicts',
  'test/console/screens.test.ts': 'journeys.test.ts; test/console renders parts',
  'test/runtime/mutual-tls.test.ts': 'test/access/oauth/mutual-tls.test.ts and test/tools/doctor/tls.test.ts',
  'test/edge/authorizer/stack.test.ts': 'test/edge/authorizer/issuers.test.ts and attacks.test.ts',
  'test/runtime/scopes.test.ts': 'test/access/oauth and direct/operations.test.ts',
  'test/contract/jobs.test.ts': 'test/service/jobs runs each job; direct/operations.test.ts calls each operation',
  'test/tools/cli/commands.test.ts': 'usage.test.ts runs the binary; test/access/client has the same calls',
  'test/tools/local/start-seed.test.ts': 'start.test.ts runs the demo; start-waits.test.ts has the repeats',
  'test/tools/doctor/function.test.ts': 'test/tools/doctor runs each check',
  'test/runtime/outages.test.ts': 'test/access/oauth and token-endpoint-faults.test.ts',
  'test/service/schedules/reindex-returns.test.ts': 'test/tools/local/tables.test.ts and test/store',
  'test/webhooks/large-bodies.test.ts': 'test/shops/inbox/ingest-webhook.test.ts',
  'test/webhooks/replays.test.ts': 'test/shops/inbox has repeated deliveries; platforms.test.ts',
  'test/webhooks/unreadable-orders.test.ts': 'test/shops/platforms/api/odd-bodies.test.ts',
  'test/webhooks/commercetools.test.ts': 'platforms.test.ts and test/shops/inbox/ingest-events.test.ts',
  'test/contract/limits.test.ts': 'test/edge/http and generated.test.ts',
  'test/tools/guides/samples.test.ts': 'the compiler and test/access/client',
  'test/store/capacity.test.ts': '`npm run cost` and test/bench/commands',
  'test/domain/withdrawals/attacks/stored-attacks.test.ts':
    '`npm run soak -- withdrawal-attacks`; test/domain/withdrawals/history',
  'test/edge/backend/re-evaluate-returns.test.ts': 'contract/renewed-decisions.test.ts',
  'test/service/jobs/export-withdrawals.test.ts': 'test/domain/withdrawals has the rows and proofs',
  'test/tools/build/slim/shaken.test.ts': 'the stack loads every bundle',
  'test/tools/doctor/deployed/platforms.test.ts': 'test/tools/doctor/api.test.ts and test/shops/platforms',
  'test/tools/local/source-hash.test.ts': '`npm test` after each change builds what changed',
  'test/tools/build/terms-files.test.ts': 'test/domain/policies has the terms; the build checks each file',
  'test/contract/users.test.ts': 'test/edge/authorizer/users.test.ts; journeys.test.ts signs in',
  'test/tools/build/shared-token.test.ts': 'test/access/oauth/shared-token.test.ts and roles.test.ts',
  'test/service/outbox/list-events.test.ts': 'event-contract.test.ts and deliver-events.test.ts read the list',
  'test/tools/deploy/alarm-behaviour.test.ts': 'alarms.test.ts',
  'test/tools/build/openapi-linter.test.ts': '`npm run check` lints the document by the same rules',
  'test/tools/build/slim.test.ts': 'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/tools/build/slim-functions.test.ts':
    'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/tools/build/slim-undici.test.ts': 'slim-packages.test.ts holds the versions; tests on a stack run slim bundles',
  'test/chaos/chaos.test.ts': 'a tool of the long runs: no deployed code',
  'test/tools/cli/interrupt.test.ts': 'terminal.test.ts interrupts a confirmation',
  'test/tools/build/roles-used.test.ts': 'the guard of the stack denies what no role permits',
  'test/tools/build/environment.test.ts': 'from-cold.ts starts containers with the environment of the template',
  'test/tools/cli/jobs.test.ts': 'usage.test.ts runs the binary; test/service/jobs runs jobs',
  'test/tools/cli/profiles.test.ts': 'usage.test.ts has the errors of profiles',
  'test/tools/cli/wire.test.ts': 'test/access/client has the same faults at the wire',
  'test/tools/cli/fresh-clone.test.ts': 'usage.test.ts runs the binary; generated-hash.test.ts has missing files',
  'test/access/client/package.test.ts': 'api-faults.test.ts and its neighbours; the build compiles the package',
  'test/contract/analytics.test.ts': 'test/service/statistics counts; generated.test.ts asks over HTTP',
  'test/contract/generated-faults.test.ts': 'generated.test.ts runs the same checks',
  'test/contract/messy-return.test.ts': 'refunds.test.ts, receipts.test.ts and the model in test/domain/returns',
  'test/contract/list-overdue.test.ts': 'list-returns.test.ts and list-filters.test.ts',
  'test/crash/crash.test.ts': 'store-failures.test.ts and test/store/replay.test.ts',
  'test/crash/restore.test.ts':
    'test/tools/build/account.test.ts has the template of an adopted table; `npm run soak -- restore`',
  'test/tools/deploy/aws-check.test.ts': 'a command for a deployed stage: no deployed code',
  'test/tools/deploy/deploy-command.test.ts': 'check.test.ts and stage-file.test.ts; the run packages both modes',
  'test/direct/state-machine.test.ts': 'operations.test.ts invokes every operation directly',
  'test/direct/state-machine-retry.test.ts': 'store-failures.test.ts and test/store/replay.test.ts',
  'test/tools/doctor/cli.test.ts': 'test/tools/doctor runs each check; start.test.ts runs commands',
  'test/tools/doctor/token.test.ts': 'test/access/oauth has the same failures of the token endpoint',
  'test/shops/inbox/large-bodies.test.ts': 'test/shops/inbox/ingest-webhook.test.ts stores large bodies',
  'test/service/jobs/erasure-counts.test.ts': 'erasure.test.ts erases and counts the same items on one page',
  'test/service/jobs/export.test.ts': 'test/service/jobs/run-job.test.ts runs exports',
  'test/service/jobs/export-histories.test.ts': 'test/service/jobs/run-job.test.ts runs exports',
  'test/tools/local/stored-table.test.ts':
    'check-account.test.ts and account.test.ts; tables.test.ts changes indexes; `npm run drill` adopts tables',
  'test/tools/local/follow-request.test.ts':
    'test/edge/http/operation.test.ts and test/runtime write the same lines with their trace',
  'test/tools/local/sqs.test.ts': 'an emulator; tests on a stack receive from its queues',
  'test/tools/local/stack.test.ts': 'start.test.ts starts a stack, runs the demo and ends both',
  'test/tools/local/dynamodb-streams.test.ts':
    'an emulator; the demo in start.test.ts receives an event that comes from it',
  'test/long/busy.test.ts': 'a tool of the long runs: no deployed code',
  'test/long/run.test.ts': 'a tool of the long runs: no deployed code',
  'test/access/oauth/outage.test.ts': 'test/access/oauth/token-endpoint-faults.test.ts',
  'test/service/outbox/from-stream.test.ts': 'publish-events.test.ts and test/service/statistics',
  'test/service/outbox/rehearsal.test.ts': 'publish-events.test.ts and repair-events.test.ts',
  'test/service/outbox/run-subscription-changes.test.ts': 'run-subscription.test.ts',
  'test/domain/policies/holidays/holidays.test.ts':
    'end-of-withdrawal.test.ts compares the table with the same calendar; only `npm run holidays` changes it',
  'test/runtime/freezes.test.ts': 'test/access/oauth/frozen.test.ts freezes the same client',
  'test/runtime/leaks.test.ts':
    'test/access/client/access-events.test.ts; nothing-leaked.test.ts searches all that the run emits',
  'test/runtime/runtime.test.ts': 'the container of the tests: no deployed code',
  'test/runtime/shared-token.test.ts': 'test/access/oauth/shared-token.test.ts and refresh-shared-token.test.ts',
  'test/runtime/warm.test.ts': 'from-cold.ts invokes each container twice',
  'test/service/schedules/both-modes.test.ts':
    'test/service/schedules runs each schedule in standalone mode; from-cold.ts runs a sample in connected mode',
  'test/tools/verify/receipt-files.test.ts':
    'test/domain/withdrawals verifies receipts; the command is that of verified exports',
  'test/domain/withdrawals/thousand-declarations.test.ts':
    'test/contract/withdrawals.test.ts and withdrawal-effect.test.ts; test/domain/withdrawals has the properties',
  'test/webhooks/withdrawals.test.ts':
    'test/shops/inbox/one-withdrawal.test.ts and test/shops/platforms read the same reports',
  'test/webhooks/lives.test.ts': 'test/webhooks/platforms.test.ts; test/shops/inbox has repeated deliveries',
  'test/webhooks/reconcile.test.ts': 'test/shops/inbox/reconcile.test.ts',
  'test/webhooks/redrive.test.ts': 'direct/operations.test.ts lists and redrives',
  'test/webhooks/storm.test.ts': 'test/shops/inbox has late, repeated and unordered deliveries',
  'test/contract/generated-requests.test.ts':
    'the generator of the tests: generated.test.ts compares its requests with the answers',
  'test/service/schedules/anchors/stored-attacks.test.ts':
    'verify-history.test.ts detects each kind of attack; rolled-back.test.ts has the roots, the trees and an audit',
  'test/tools/local/event-bridge.test.ts': 'an emulator; the demo in start.test.ts receives events from it',
  'test/tools/local/s3.test.ts':
    'an emulator; attachments.test.ts, apply-retention.test.ts and anchor-chains.test.ts use its objects and locks',
  'test/tools/local/served-shops.test.ts':
    'a tool: no deployed code; test/shops/platforms/effects and webhooks/platforms.test.ts use the same shops',
  'test/tools/shops/connect.test.ts':
    'a command for a deployed stage: no deployed code; fields.test.ts, compare-policy.test.ts and store-entry.test.ts have its parts',
  'test/runtime/leftovers.test.ts': 'the container of the tests: no deployed code',
  'test/tools/adopt/compiles.test.ts': 'a tool; adopt-command.test.ts and its neighbours have the same proposals',
  'test/tools/build/adapter-files.test.ts':
    'a clean folder has no obsolete files; source-files.test.ts finds stale committed ones',
  'test/tools/conform/conform-command.test.ts': 'replay-recordings.test.ts and call-service.test.ts have the same rows',
  'test/adapters/devolucoes/repeats.test.ts':
    'command.test.ts has lost answers and repeats; operations.test.ts calls the deployment of the adapter',
  'test/adapters/devolucoes/client-package.test.ts':
    'test/tools/cli runs the commands; operations.test.ts calls the deployment of the adapter',
  'test/adapters/devolucoes/foreign-answers.test.ts':
    'test/adapters/recordings.test.ts replays answers; test/tools/conform has the odd ones',
  'test/adapters/devolucoes/mutual-tls.test.ts':
    'test/access/oauth/mutual-tls.test.ts and test/tools/doctor/tls.test.ts',
  'test/adapters/devolucoes/rejected.test.ts': 'test/adapters/recordings.test.ts replays a rejection of each operation',
  'test/webhooks/dead-letters.test.ts':
    'direct/operations.test.ts lists and redrives; test/shops/inbox and test/service have each handler',
  'test/webhooks/inbox.test.ts': 'test/shops/inbox/process.test.ts; direct/operations.test.ts calls each operation',
  'test/webhooks/events.test.ts': 'test/shops/inbox/ingest-events.test.ts',
  'test/edge/backend/count-views.test.ts': 'list-filters.test.ts counts the same returns',
  'test/edge/backend/list-walk.test.ts': 'list-filters.test.ts reads all pages of any filter',
  'test/edge/backend/history-keys.test.ts': 'test/service/schedules/anchors and contract/verify-history.test.ts',
  'test/edge/mcp/adversarial.test.ts': 'commands.test.ts has each forgery once',
  'test/edge/mcp/twins.test.ts': 'commands.test.ts and settings.test.ts call the same tools over HTTP',
  'test/contract/list-sorted.test.ts': 'list-filters.test.ts sorts by each field; list-returns.test.ts',
  'test/contract/platform-facts.test.ts': 'test/domain/returns/facts.test.ts; test/shops/platforms/effects',
  'test/contract/users-operations.test.ts': 'test/edge/authorizer/users.test.ts; journeys.test.ts signs in',
  'test/contract/list-order-numbers.test.ts': 'list-filters.test.ts; contract/search.test.ts',
  'test/service/outbox/on-stack.test.ts':
    'run-subscription.test.ts and deliver-events.test.ts; start.test.ts receives events',
  'test/service/write-back/from-stream.test.ts':
    'after-parking.test.ts and cancel-order.test.ts run intents; publish-events.test.ts reads the stream',
  'test/service/write-back/lives.test.ts': 'test/shops/platforms/effects has the same faults for each platform',
  'test/service/write-back/woocommerce-life.test.ts':
    'test/shops/platforms/effects/woocommerce.test.ts and after-parking.test.ts',
  'test/service/mails/from-event.test.ts': 'send-mails.test.ts; test/service/outbox/publish-events.test.ts',
  'test/service/schedules/anchor-withdrawals.test.ts': 'anchor-chains.test.ts anchors; test/domain/withdrawals proves',
  'test/service/schedules/verify-withdrawals.test.ts': 'verify-chains.test.ts; test/domain/withdrawals verifies',
  'test/runtime/foreign-service.test.ts': 'connected.test.ts runs zips; test/adapters/devolucoes/operations.test.ts',
  'test/runtime/metrics.test.ts': 'test/runtime/connected.test.ts; test/access/client/access-events.test.ts',
  'test/tools/deploy/smoke.test.ts': 'a command for a deployed stage: no deployed code',
  'test/tools/cli/webhooks-sign.test.ts': 'test/shops/platforms verifies each signature; usage.test.ts runs the binary',
  'test/tools/deploy/new-stage.test.ts':
    'a command for a deployed stage: no deployed code; check.test.ts and stage-file.test.ts',
  'test/tools/cli/import.test.ts': 'contract/import-return.test.ts imports; import-file.test.ts reads the columns',
  'test/tools/cli/secrets-rotate.test.ts':
    'rotate-client-secret.test.ts; test/access/oauth/rotation.test.ts has the warm container',
};
