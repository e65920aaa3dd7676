import type { Job, JobPartitionOf } from '../../store/jobs/job.ts';
import type { Session } from '../../store/engine/session.ts';

/** The state of a partition after a worker: done, with work left, or without work for it. */
export type PartOutcome = 'done' | 'unfinished' | 'over';

/** An open partition for a worker. */
export type OpenPart<Kind extends Job['kind']> = {
  readonly job: Extract<Job, { kind: Kind }>;
  readonly part: JobPartitionOf<Kind>;
  /** Epoch milliseconds. Then the worker hands over to its successor. */
  readonly stopAt: number;
  /** Whether the job is still open. */
  readonly isOpen: () => Promise<boolean>;
  /**
   * Saves the progress.
   * Returns whether the worker may continue: the job is open, and no other worker has written the partition.
   */
  readonly save: (part: JobPartitionOf<Kind>) => Promise<boolean>;
};

/** Processes a partition of one kind of job. A repetition from the last saved state gives the same result. */
export type PartWorker<Kind extends Job['kind']> = (session: Session, open: OpenPart<Kind>) => Promise<PartOutcome>;

/** Thrown if a job is too large as requested. The job fails at once and permanently. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Thrown if a command of a bulk job cannot run now. */
export class CommandUnavailable extends Error {
  override readonly name = 'CommandUnavailable';
}
