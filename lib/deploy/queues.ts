import type { Mode } from './functions/function-row.ts';

/** A queue with its dead-letter queue and the alarm on that. */
export type QueueRow = {
  readonly modes: readonly Mode[];
  /** The description of the alarm that fires when a message is in the dead-letter queue. */
  readonly alarm: string;
  /** Absent when the dead-letter queue belongs to no queue. */
  readonly queue?: {
    /** Seconds that a message waits at most. @default 14 days */
    readonly retention?: number;
    /** A message goes to the dead-letter queue after so many receives. */
    readonly maxReceives: number;
  };
};

/**
 * The queues. `Inbox` makes InboxQueue, InboxDeadLetters and InboxDeadLettersAlarm. The visibility timeout follows from
 * the function that reads the queue.
 */
export const queues = {
  Inbox: {
    modes: ['connected', 'standalone'],
    alarm: 'A delivery failed; the attributes of the message and the inbox row have the reason',
    // INBOX_MAX_RECEIVES of serverless.yml fails a delivery earlier. This limit catches workers that die.
    queue: { maxReceives: 450 },
  },
  // Platforms that send by AWS instead of HTTP, such as commercetools, send here. So does a redrive.
  Events: {
    modes: ['connected', 'standalone'],
    alarm: 'No platform accepted an event, or the inbox did not store it; the log of receiveEvents says why',
    // An hour: a secret may not exist yet, or the store may be down.
    queue: { maxReceives: 60 },
  },
  Jobs: {
    modes: ['standalone'],
    alarm: 'A job failed; the job has the code and the partition',
    // One more than JOBS_MAX_ATTEMPTS: the last attempt fails the job if the workers before it died.
    queue: { maxReceives: 4 },
  },
  Outbox: {
    modes: ['standalone'],
    alarm:
      'deliverEvents could not process a message; the log says why; wakeEndpoints still enqueues due webhooks every minute',
    // Four days: a schedule finds subscriptions without a message. Repeated deliveries wait here.
    queue: { maxReceives: 5, retention: 345_600 },
  },
  // It holds the positions of failed stream records. The table holds their content.
  Stream: {
    modes: ['standalone'],
    alarm:
      'Stream records were given up; repairEvents and recountReturns repair the gaps, and log what they cannot repair',
  },
} as const satisfies Readonly<Record<string, QueueRow>>;
