import { consumerRows } from './functions/consumers.ts';
import { existsIn, type FunctionRow, inBothModes, type Mode } from './functions/function-row.ts';
import { operationRows } from './functions/operations.ts';
import { scheduleRows } from './functions/schedules.ts';
import { listInboxBucket, receiveWebhook } from './permissions/inbox.ts';
import { arnOf, actionsOn } from './permissions/permission.ts';
import { readClientSecret, readWebhookSecrets, readShopTokens } from './permissions/secrets.ts';
import { getItems, onTable, query, queryIndex } from './permissions/table.ts';

/* The doctor reads settings, counts and keys of the deployment. It reads no return, delivery or event. */

const readQueue = (logicalId: string) => actionsOn('sqs', arnOf(logicalId))('GetQueueAttributes');

/** Table, queues, inbox and platforms. */
const examine = [
  readWebhookSecrets,
  readShopTokens,
  onTable('DescribeTable', 'DescribeTimeToLive', 'DescribeContinuousBackups'),
  ...['byDeadline', 'byStatus'].map((name) => queryIndex(name, 'DELIVERIES#*')),
  listInboxBucket,
  ...['InboxQueue', 'InboxDeadLetters', 'EventsQueue', 'EventsDeadLetters'].map(readQueue),
];

/** Also the other queues, and the positions of webhook subscriptions. */
const examineStandalone = [
  ...examine,
  ...['JobsQueue', 'JobsDeadLetters', 'OutboxQueue', 'OutboxDeadLetters', 'StreamDeadLetters'].map(readQueue),
  query('ENDPOINTS', 'LANES#*'),
  getItems('LOG#*', 'FEED#*'),
];

/*
 * The deployed functions: one row each. `npm run generate` writes from them the functions, roles, schedules and alarms
 * that serverless.yml includes. A row names its function by the file under functions/, in camel case.
 *
 * A role permits only the calls that its function needs in its mode. The local stack rejects other calls, and
 * test/build/roles-used.test.ts finds permissions without a use. Encryption needs no permission: AWS manages the keys
 * of table, buckets, queues and secrets. The shared tokens and the history keys may have a key of the customer.
 */

const otherRows = {
  receiveWebhook: {
    trigger: { kind: 'webhook' },
    permissions: inBothModes(receiveWebhook),
    reservedConcurrency: { 'Fn::If': ['ReservesHooks', { Ref: 'HooksConcurrency' }, { Ref: 'AWS::NoValue' }] },
  },

  docs: {
    trigger: { kind: 'web' },
    permissions: inBothModes([]),
    condition: 'ServesWeb',
  },

  doctor: {
    trigger: { kind: 'operator' },
    timeout: 30,
    environment: { EVENTS_QUEUE_URL: { Ref: 'EventsQueue' }, EVENTS_DLQ_URL: { Ref: 'EventsDeadLetters' } },
    environmentByMode: {
      standalone: {
        JOBS_DLQ_URL: { Ref: 'JobsDeadLetters' },
        OUTBOX_DLQ_URL: { Ref: 'OutboxDeadLetters' },
        STREAM_DLQ_URL: { Ref: 'StreamDeadLetters' },
      },
    },
    permissions: { connected: [readClientSecret, ...examine], standalone: examineStandalone },
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;

/** The rows of all functions, by name. */
export const functionRows: Readonly<Record<string, FunctionRow>> = {
  ...operationRows,
  ...consumerRows,
  ...scheduleRows,
  ...otherRows,
};

/** The rows of the functions that a mode has, in the order of the tables. */
export const rowsOf = (mode: Mode): readonly (readonly [name: string, row: FunctionRow])[] =>
  Object.entries(functionRows).filter(([, row]) => existsIn(row, mode));
