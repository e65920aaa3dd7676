import type { Job, JobPartitionOf } from '../store/jobs/job.ts';
import type { Session } from '../store/engine/session.ts';

/** How a worker left its part: all of it done, some of it left to do, or nothing for it to do any more. */
export type PartOutcome = 'done' | 'unfinished' | 'over';

/** A part that a worker goes on with. */
export type OpenPart<Kind extends Job['kind']> = {
  readonly job: Extract<Job, { kind: Kind }>;
  readonly part: JobPartitionOf<Kind>;
  /** Epoch milliseconds: then it hands on. */
  readonly stopAt: number;
  /** Whether nobody has ended the job. */
  readonly isOpen: () => Promise<boolean>;
  /**
   * Writes how far the part is. Says whether the worker may go on: nobody has ended the job, and nobody else has
   * written the part.
   */
  readonly save: (part: JobPartitionOf<Kind>) => Promise<boolean>;
};

/** What a kind of jobs does of a part. Done again from what was saved last, it comes to the same. */
export type PartWorker<Kind extends Job['kind']> = (session: Session, open: OpenPart<Kind>) => Promise<PartOutcome>;

/** A job cannot be done as it was asked for: it fails at once, and for good. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
