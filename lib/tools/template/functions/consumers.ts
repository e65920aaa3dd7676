import { inboxOperations } from '../../../contract/inbox/sync.ts';
import { createNameKey, receiveEvents, processDeliveries } from '../permissions/inbox.ts';
import { runJobs } from '../permissions/jobs.ts';
import { mailCondition, mailConfigurationSet, sendMails } from '../permissions/mails.ts';
import { deliverEvents, onOutbox, publishEvents, readTableStream } from '../permissions/outbox.ts';
import { countReturns } from '../permissions/schedules.ts';
import { readSigningSecret } from '../permissions/secrets.ts';
import {
  command,
  createReturn,
  getItem,
  getReturn,
  getSummaries,
  queryByOrder,
  storeIntents,
  transact,
} from '../permissions/table.ts';
import { onWriteBack, readIntents, writeBackShops } from '../permissions/write-back.ts';
import { inBothModes, type FunctionRow } from './function-row.ts';
import { messageEnvironment, permissionsOfCalls } from './operations.ts';

/* The functions that a queue or the stream of the table feeds. */

/** The worker adds the reference of the shop to a return. It removes none. */
const linkReturn = [...command, getItem('EXTERNAL#*'), transact('EXTERNAL#*')];

/** The operations that the worker of write-back calls. */
const writeBackOperations = [
  'getReturn',
  'getWithdrawal',
  'listReturns',
  'recordRefundResult',
  'updateReturn',
] as const;

/**
 * The inbox sends no eligibility token, downloads no evidence, lists returns by their order alone, and changes no external
 * reference.
 */
const inboxCalls = permissionsOfCalls(inboxOperations, {
  createReturn,
  getReturn,
  listReturns: [queryByOrder, getSummaries, readSigningSecret],
  updateReturn: command,
});

export const consumerRows = {
  receiveEvents: {
    trigger: { kind: 'queue', queue: 'Events', batchSize: 10, maxConcurrency: 10 },
    permissions: inBothModes(receiveEvents),
    needs: inboxOperations,
  },

  process: {
    // A backlog must not become a storm for the shop and the service.
    trigger: { kind: 'queue', queue: 'Inbox', batchSize: 10, maxConcurrency: 10 },
    timeout: 60,
    permissions: {
      connected: [...processDeliveries, ...inboxCalls.connected],
      standalone: [...processDeliveries, createNameKey, readIntents, storeIntents, ...inboxCalls.standalone],
    },
  },

  runJob: {
    // A message is one partition of a job. Each has a worker of its own.
    trigger: { kind: 'queue', queue: 'Jobs', batchSize: 1, maxConcurrency: 16 },
    timeout: 30,
    permissions: { standalone: [...runJobs, storeIntents] },
    // It puts the rest of its work back into the queue.
    recursiveLoop: true,
  },

  deliverEvents: {
    /*
     * An endpoint has at most one worker for each of four groups of partitions. 50 endpoints have 200 workers, so a
     * slow endpoint takes no worker from another. The other 50 are for repeated deliveries.
     */
    trigger: { kind: 'queue', queue: 'Outbox', batchSize: 1, maxConcurrency: 250 },
    timeout: 90,
    permissions: { standalone: deliverEvents },
    // It puts the rest of its work back into the queue.
    recursiveLoop: true,
  },

  writeBack: {
    // Five shops at a time: a backlog must not become a storm for them.
    trigger: { kind: 'queue', queue: 'WriteBack', batchSize: 1, maxConcurrency: 5 },
    timeout: 90,
    permissions: {
      standalone: [
        ...writeBackShops,
        ...permissionsOfCalls(writeBackOperations, {
          updateReturn: linkReturn,
          getReturn,
          // One page of the list is enough.
          listReturns: [queryByOrder, getSummaries],
        }).standalone,
      ],
    },
  },

  sendMails: {
    // The least that SQS offers: a new account at SES may send one mail a second.
    trigger: { kind: 'queue', queue: 'Mails', batchSize: 1, maxConcurrency: 2 },
    timeout: 30,
    environment: {
      ...messageEnvironment,
      MAIL_SENDER: { Ref: 'MailSender' },
      MAIL_CONFIGURATION_SET: mailConfigurationSet,
      MAIL_LIMIT: { Ref: 'MailLimit' },
    },
    permissions: { standalone: sendMails },
    condition: mailCondition,
  },

  publishEvents: {
    trigger: {
      kind: 'stream',
      mapping: {
        /*
         * Publishers write to the same partition offsets. A batch of one second conflicts less often, and one publisher
         * at a time publishes more than a shard holds. Raise both above 1,000 events a second (lib/tools/guides/alarms.md).
         */
        BatchSize: 100,
        MaximumBatchingWindowInSeconds: 1,
        ParallelizationFactor: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        // repairEvents publishes records that fail for longer. The rest of the shard waits behind them.
        MaximumRetryAttempts: 8,
        MaximumRecordAgeInSeconds: 21_600,
      },
      filterPatterns: [
        { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'HISTORY#' }] } } } },
        // The list of streams has keys that begin like these, and is no stream.
        {
          eventName: ['INSERT'],
          dynamodb: { Keys: { pk: { S: [{ prefix: 'WRITEBACK#' }] }, sk: { S: [{ prefix: 'INTENT#' }] } } },
        },
      ],
    },
    timeout: 60,
    permissions: {
      standalone: [...publishEvents, ...readTableStream, onOutbox('SendMessage'), onWriteBack('SendMessage')],
    },
    alarm: {
      severity: 'critical',
      description: 'Events are published more than five minutes late; the log says why',
      metric: 'IteratorAge',
      period: 60,
      evaluationPeriods: 3,
      threshold: 300_000,
    },
  },

  countReturns: {
    trigger: {
      kind: 'stream',
      // A larger batch needs fewer writes to the counters.
      mapping: { BatchSize: 100, MaximumBatchingWindowInSeconds: 5, MaximumRetryAttempts: 10 },
      filterPatterns: [
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { Keys: { pk: { S: [{ prefix: 'RETURN#' }] }, sk: { S: ['SNAPSHOT'] } } },
        },
      ],
    },
    timeout: 60,
    permissions: { standalone: [...countReturns, ...readTableStream] },
    alarm: {
      description: 'Statistics are more than an hour late; the log says why',
      metric: 'IteratorAge',
      period: 300,
      evaluationPeriods: 3,
      threshold: 3_600_000,
    },
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;
