import { inboxOperations } from '../../../contract/inbox/sync.ts';
import { purgeInbox, reconcilePlatforms, sweepInbox } from '../permissions/inbox.ts';
import { readTrees } from '../permissions/anchors.ts';
import { repairEvents, notifySubscriptions } from '../permissions/outbox.ts';
import {
  readClientSecret,
  readSharedTokens,
  readSigningSecret,
  refreshSharedTokens,
  sharedTokenCondition,
} from '../permissions/secrets.ts';
import {
  anchorChains,
  applyRetention,
  countReturns,
  readCounters,
  storeRecountPosition,
} from '../permissions/schedules.ts';
import {
  command,
  getItem,
  getReturn,
  indexCustomers,
  useCheckpoint,
  matchWithdrawals,
  query,
  queryIndex,
  queryByCreation,
  queryByDeadline,
  queryByUpdate,
  queryChangedWithdrawals,
  queryWithdrawals,
  readPolicies,
  remindReceipts,
  storeIntents,
  getSummaries,
  transact,
  verifyWithdrawal,
  writeBackCondition,
  writePolicies,
} from '../permissions/table.ts';
import { onWriteBack } from '../permissions/write-back.ts';
import { inBothModes, type FunctionRow } from './function-row.ts';

/*
 * The functions of the schedules. A row makes the function, its schedule, and its alarms on errors and missing runs. The
 * file is long because it is one table: a reader compares the times, the limits and the alarms of all schedules here.
 */

/** How often the shared tokens are renewed. */
const sharedTokenMinutes = 5;

export const scheduleRows = {
  activatePolicies: {
    trigger: { kind: 'schedule', expression: 'cron(2/5 * * * ? *)', retries: 'none' },
    timeout: 60,
    permissions: { standalone: [readPolicies, writePolicies] },
    alarm: {
      description: 'policy.superseded events are late; policy decisions are not affected; the log says why',
      period: 900,
      evaluationPeriods: 2,
    },
  },

  anchorChains: {
    // The first run of a day begins a tree. The other runs continue it.
    trigger: { kind: 'schedule', expression: 'cron(20 * * * ? *)', retries: 'none' },
    timeout: 300,
    permissions: { standalone: anchorChains },
    alarm: {
      description: 'Histories are not anchored; the log says why',
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  applyRetention: {
    trigger: { kind: 'schedule', expression: 'cron(40 * * * ? *)', retries: 'none' },
    timeout: 300,
    permissions: { standalone: applyRetention },
    alarm: {
      description: 'Personal data or orders outlive their retention period; the log says why',
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  dailySummary: {
    trigger: { kind: 'schedule', expression: 'cron(10 0 * * ? *)', retries: 'twice' },
    timeout: 120,
    // Only the standalone mode has events.
    environmentByMode: { connected: { SUMMARY_EVENTS: 'off' }, standalone: { SUMMARY_EVENTS: 'on' } },
    permissions: {
      connected: [useCheckpoint, readClientSecret, ...readSharedTokens('SharedAdminToken')],
      standalone: [useCheckpoint, transact('SUMMARY#*', 'UNLISTED'), readCounters, queryByUpdate],
    },
    alarm: {
      description: 'The daily summary of yesterday is missing; the next run catches up',
      period: 3600,
      evaluationPeriods: 1,
    },
  },

  expireReturns: {
    trigger: { kind: 'schedule', expression: 'cron(1/5 * * * ? *)', retries: 'none' },
    timeout: 120,
    permissions: {
      connected: [useCheckpoint, readClientSecret, ...readSharedTokens('SharedReadToken', 'SharedWriteToken')],
      standalone: [...command, storeIntents, useCheckpoint, getSummaries, queryByDeadline, readSigningSecret],
    },
    alarm: {
      description: 'Overdue returns do not expire; the log names the returns and the reasons',
      period: 900,
      evaluationPeriods: 2,
    },
  },

  matchWithdrawals: {
    trigger: { kind: 'schedule', expression: 'rate(2 minutes)', retries: 'none' },
    timeout: 120,
    permissions: { standalone: [...matchWithdrawals, storeIntents] },
    alarm: {
      description: 'Withdrawals are not matched to their orders; the log names the withdrawals and the reasons',
      period: 600,
      evaluationPeriods: 2,
    },
  },

  purgeInbox: {
    trigger: { kind: 'schedule', expression: 'cron(30 3 * * ? *)', retries: 'twice' },
    timeout: 300,
    permissions: inBothModes(purgeInbox),
    needs: inboxOperations,
    alarm: {
      description: 'Deliveries older than 30 days are not deleted; the log says why',
      period: 3600,
      evaluationPeriods: 1,
    },
  },

  reconcilePlatforms: {
    trigger: {
      kind: 'schedule',
      // AWS rejects `1 minutes`.
      expression: {
        'Fn::If': ['ReconcilesEachMinute', 'rate(1 minute)', { 'Fn::Sub': 'rate(${ReconcileMinutes} minutes)' }],
      },
      // Three intervals, within a day: the limit of ReconcileMinutes ensures that.
      heartbeat: { period: 180, evaluationPeriods: { Ref: 'ReconcileMinutes' } },
      retries: 'none',
    },
    timeout: 120,
    // The first read of a shop goes back this far.
    environment: { RECONCILE_FIRST_HOURS: { Ref: 'ReconcileFirstHours' } },
    permissions: inBothModes(reconcilePlatforms),
    needs: inboxOperations,
    alarm: {
      description: 'Shops are not reconciled; the log names the shops and the reasons',
      // A shop may be unavailable for a while.
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  recountReturns: {
    trigger: { kind: 'schedule', expression: 'rate(1 hour)', retries: 'none' },
    timeout: 120,
    permissions: { standalone: [...countReturns, storeRecountPosition, queryByUpdate] },
    alarm: {
      description: 'The counters of the statistics are not checked; the log says why',
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  refreshToken: {
    // A retry would only burden an unavailable token endpoint.
    trigger: { kind: 'schedule', expression: `rate(${sharedTokenMinutes} minutes)`, retries: 'none' },
    timeout: 30,
    environment: { SHARED_TOKEN_MINUTES: `${sharedTokenMinutes}` },
    condition: sharedTokenCondition,
    permissions: { connected: [readClientSecret, ...refreshSharedTokens] },
    alarm: {
      description: 'Shared tokens are not renewed; each container obtains its own; the log says why',
      period: 300,
      evaluationPeriods: 3,
    },
  },

  reindexReturns: {
    // It reads all returns once after a change of the indexes. Later runs read its checkpoint only, and returns that
    // have changed since the last run where the deployment searches customers.
    trigger: { kind: 'schedule', expression: 'rate(1 hour)', retries: 'none' },
    timeout: 300,
    permissions: {
      standalone: [
        useCheckpoint,
        queryByCreation,
        getSummaries,
        transact('RETURN#*', 'ORDERNUMBER#*'),
        ...indexCustomers,
      ],
    },
    alarm: {
      description: 'Returns are not written to the indexes of this version; lists may lack them; the log says why',
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  remindReceipts: {
    trigger: { kind: 'schedule', expression: 'cron(50 * * * ? *)', retries: 'none' },
    timeout: 120,
    permissions: { standalone: remindReceipts },
    alarm: {
      description: 'withdrawal.receipt_due reminders are late; the log names the withdrawals and the reasons',
      period: 3600,
      evaluationPeriods: 2,
    },
  },

  remindRefunds: {
    trigger: { kind: 'schedule', expression: 'cron(3/15 * * * ? *)', retries: 'none' },
    timeout: 120,
    permissions: {
      connected: [useCheckpoint, readClientSecret, ...readSharedTokens('SharedReadToken', 'SharedWriteToken')],
      standalone: [...command, useCheckpoint, ...getReturn, getSummaries, queryByDeadline, readSigningSecret],
    },
    alarm: {
      description: 'refund.due_soon and refund.overdue events are late; the log names the returns and the reasons',
      period: 1800,
      evaluationPeriods: 2,
    },
  },

  repairEvents: {
    trigger: { kind: 'schedule', expression: 'rate(10 minutes)', retries: 'none' },
    timeout: 120,
    permissions: { standalone: repairEvents },
    alarm: {
      description: 'Events that the stream gave up are not published; the log names the streams and the reasons',
      period: 600,
      evaluationPeriods: 3,
    },
  },

  sweepInbox: {
    trigger: { kind: 'schedule', expression: 'rate(2 minutes)', retries: 'none' },
    timeout: 60,
    permissions: inBothModes(sweepInbox),
    needs: inboxOperations,
    alarm: {
      description: 'Stored deliveries that missed the queue are not enqueued again; the log says why',
      period: 300,
      evaluationPeriods: 3,
    },
  },

  sweepIntents: {
    trigger: { kind: 'schedule', expression: 'rate(1 minute)', retries: 'none' },
    timeout: 60,
    condition: writeBackCondition,
    permissions: {
      standalone: [
        queryIndex('byDeadline', 'INTENTS#*'),
        queryIndex('byStatus', 'INTENTS#*'),
        onWriteBack('SendMessage'),
      ],
    },
    alarm: {
      description: 'Shops are not asked for what commands want there; the log says why',
      period: 300,
      evaluationPeriods: 3,
    },
  },

  verifyChains: {
    trigger: { kind: 'schedule', expression: 'cron(40 * * * ? *)', retries: 'none' },
    timeout: 300,
    permissions: {
      connected: [useCheckpoint, readClientSecret, ...readSharedTokens('SharedReadToken')],
      standalone: [
        getItem('RETURN#*'),
        query('RETURN#*'),
        useCheckpoint,
        queryByUpdate,
        queryByCreation,
        ...verifyWithdrawal,
        queryWithdrawals,
        queryChangedWithdrawals,
        ...readTrees,
        readSigningSecret,
      ],
    },
    alarm: {
      description: 'Some histories could not be verified; the log names the returns, the withdrawals and the reasons',
      period: 3600,
      evaluationPeriods: 1,
    },
  },

  wakeEndpoints: {
    trigger: { kind: 'schedule', expression: 'rate(1 minute)', retries: 'none' },
    timeout: 30,
    permissions: { standalone: notifySubscriptions },
    alarm: {
      severity: 'critical',
      description: 'Subscriptions with due webhooks, or with a lost worker, are not enqueued; the log says why',
      period: 300,
      evaluationPeriods: 3,
    },
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;
