import { errorName, log } from '../../runtime/log.ts';
import { enqueueWorkers } from '../../jobs/queue.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Call } from '../../contract/port.ts';

/**
 * Sends for workers. What is stored counts, and not whether they were told: where that fails, whoever reads the job a
 * minute later, or repeats the request that made it, sends for them again.
 */
export const enqueueJobWorkers = async (
  { signal }: Session,
  { traceId }: Call,
  jobId: string,
  shards: readonly number[],
): Promise<void> => {
  try {
    await enqueueWorkers(jobId, shards, signal);
  } catch (error) {
    log('warn', 'job not announced', { traceId, jobId, error: errorName(error) });
  }
};
