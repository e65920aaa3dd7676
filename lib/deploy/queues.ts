import type { Mode } from './functions/function-row.ts';

/** A queue with its dead-letter queue and the alarm on that. */
export type QueueRow = {
  readonly modes: readonly Mode[];
  /** The description of the alarm that fires when a message is in the dead-letter queue. */
  readonly alarm: string;
  /** Absent where no queue feeds the dead-letter queue. */
  readonly queue?: {
    /** Seconds that a message waits at most. @default 14 days */
    readonly retention?: number;
    /** A message goes to the dead-letter queue after so many receives. */
    readonly maxReceives: number;
  };
};

/**
 * The queues. `Inbox` makes InboxQueue, InboxDeadLetters and InboxDeadLettersAlarm. The visibility timeout follows from the
 * function that reads the queue.
 */
export const queues = {
  Inbox: {
    modes: ['connected', 'standalone'],
    alarm: "A delivery was given up; its reason stands in the message's attributes and in its inbox row",
    // INBOX_MAX_RECEIVES of serverless.yml ends a delivery before. This limit catches functions that die.
    queue: { maxReceives: 450 },
  },
  // Platforms that send by AWS instead of HTTP, such as commercetools, send here. So does a redrive.
  Events: {
    modes: ['connected', 'standalone'],
    alarm: 'An event was taken by no platform, or not stored; the log of receiveEvents says why',
    // An hour: a secret may not exist yet, or the store may be down.
    queue: { maxReceives: 60 },
  },
  Jobs: {
    modes: ['standalone'],
    alarm: 'A job was given up; it says why, and in which of its parts',
    // Once more than JOBS_MAX_ATTEMPTS: the last attempt ends the job where the others died.
    queue: { maxReceives: 4 },
  },
  Outbox: {
    modes: ['standalone'],
    alarm: 'Webhooks could not be worked on; the log says why. What is due is woken every minute all the same',
    // Four days: a schedule finds subscriptions without a message. Repeated deliveries wait here.
    queue: { maxReceives: 5, retention: 345_600 },
  },
  // It holds the positions of stream records that were given up. The table holds their content.
  Stream: {
    modes: ['standalone'],
    alarm: 'Records of the stream were given up; repairEvents carries what they told of, its log says what it cannot',
  },
} as const satisfies Readonly<Record<string, QueueRow>>;
