import type { Happening } from '../events/happening.ts';
import type { ErasureJob, ErasurePart } from '../store/jobs/job.ts';

/** That somebody was erased, and how much of them; not who. */
export const erasedHappening = (job: ErasureJob, { erased, returns }: ErasurePart, at: string): Happening => ({
  sequence: 1,
  type: 'privacy.erased',
  at,
  actor: { clientId: job.createdBy.clientId },
  data: { jobId: job.id, ...erased, returns },
  causationId: job.id,
  correlationId: job.id,
});
