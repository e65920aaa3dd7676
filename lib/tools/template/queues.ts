import { rowsOf } from './functions.ts';
import type { Mode, Severity, Trigger } from './functions/function-row.ts';
import type { Offer } from './offer.ts';
import { mailCondition } from './permissions/mails.ts';

/** A queue with its dead-letter queue, and their alarms. */
export type QueueRow = {
  readonly modes: readonly Mode[];
  /** The description of the alarm that fires when a message is in the dead-letter queue. */
  readonly alarm: string;
  /** The severity of that alarm. @default 'warning' */
  readonly severity?: Severity;
  /** The condition of the template without which the queues stay empty, and have no alarms. */
  readonly condition?: string;
  /** Absent when the dead-letter queue belongs to no queue. */
  readonly queue?: {
    /** Seconds that a message waits at most. @default 14 days */
    readonly retention?: number;
    /** A message goes to the dead-letter queue after so many receives. */
    readonly maxReceives: number;
    /** The alarm on the oldest message. It fires after `max` seconds. */
    readonly age: { readonly max: number; readonly severity: Severity; readonly alarm: string };
  };
};

/**
 * The queues. `Inbox` makes InboxQueue and InboxDeadLetters, with InboxAgeAlarm and InboxDeadLettersAlarm. The
 * visibility timeout follows from the function that reads the queue.
 */
const queues = {
  Inbox: {
    modes: ['connected', 'standalone'],
    alarm: 'A delivery failed; the attributes of the message and the inbox row have the reason',
    // INBOX_MAX_RECEIVES of serverless.yml fails a delivery earlier. This limit catches workers that die.
    queue: {
      maxReceives: 450,
      age: {
        max: 900,
        severity: 'critical',
        alarm: 'Deliveries of shops wait for more than 15 minutes; process is slow or does not run',
      },
    },
  },
  // Platforms that send by AWS instead of HTTP, such as commercetools, send here. So does a redrive.
  Events: {
    modes: ['connected', 'standalone'],
    alarm: 'No platform accepted an event, or the inbox did not store it; the log of receiveEvents says why',
    // An hour: a secret may not exist yet, or the store may be down.
    queue: {
      maxReceives: 60,
      age: {
        max: 900,
        severity: 'critical',
        alarm: 'Events of shops wait for more than 15 minutes; receiveEvents is slow or does not run',
      },
    },
  },
  Jobs: {
    modes: ['standalone'],
    alarm: 'A job failed; the job has the code and the partition',
    // One more than JOBS_MAX_ATTEMPTS: the last attempt fails the job if the workers before it died.
    queue: {
      maxReceives: 4,
      age: {
        max: 7_200,
        severity: 'warning',
        alarm: 'Exports, erasures or backtests wait for more than two hours; runJob is slow or does not run',
      },
    },
  },
  Outbox: {
    modes: ['standalone'],
    alarm:
      'deliverEvents could not process a message; the log says why; wakeEndpoints still enqueues due webhooks every minute',
    // Four days: a schedule finds subscriptions without a message. Repeated deliveries wait here.
    queue: {
      maxReceives: 5,
      retention: 345_600,
      age: {
        // A message may be delayed by 15 minutes.
        max: 3_600,
        severity: 'critical',
        alarm: 'Webhooks to your receivers wait for more than an hour; deliverEvents is slow or does not run',
      },
    },
  },
  WriteBack: {
    modes: ['standalone'],
    alarm:
      'writeBack could not process a message; the log says why; sweepIntents still enqueues due intents every minute',
    queue: {
      maxReceives: 5,
      age: {
        max: 900,
        severity: 'warning',
        alarm: 'Shops wait for more than 15 minutes for what commands want there; writeBack is slow or does not run',
      },
    },
  },
  Mails: {
    modes: ['standalone'],
    alarm: 'SES did not accept a mail for an hour, or the service did not make its text; the log of sendMails says why',
    condition: mailCondition,
    queue: {
      // The visibility timeout is three minutes: an hour.
      maxReceives: 20,
      age: {
        max: 900,
        severity: 'warning',
        alarm: 'Mails to customers wait for more than 15 minutes; sendMails is slow or does not run',
      },
    },
  },
  // It holds the positions of failed stream records. The table holds their content.
  Stream: {
    modes: ['standalone'],
    alarm:
      'Stream records were given up; repairEvents and recountReturns repair the gaps, and log what they cannot repair',
  },
} as const satisfies Readonly<Record<string, QueueRow>>;

const readsQueue = (trigger: Trigger, name: string): boolean => trigger.kind === 'queue' && trigger.queue === name;

/** The queues of a deployment, by name. With an adapter it has those that a function of it reads. */
export const queuesOf = (offer: Offer): readonly (readonly [name: string, row: QueueRow])[] =>
  Object.entries<QueueRow>(queues).filter(
    ([name, row]) =>
      row.modes.includes(offer.mode) &&
      (offer.adapter === undefined || rowsOf(offer).some(([, { trigger }]) => readsQueue(trigger, name))),
  );
