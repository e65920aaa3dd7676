import { ok } from '../../contract/result.ts';
import { readWholeJob } from '../../store/jobs/jobs.ts';
import type { Call } from '../../contract/port.ts';
import { callWorkers } from './call-workers.ts';
import { withStore } from '../../execution/execute.ts';
import { isUnbegun } from '../../views/job-view.ts';

/**
 * Sends for the workers of a job that was asked for, or asked for again: for those parts that none has begun. The job is
 * stored: whatever becomes of this, it is what was asked for.
 */
export const sendForWorkers = async (call: Call, jobId: string): Promise<void> => {
  await withStore(call, async (session) => {
    const found = await readWholeJob(session, jobId, Date.now());
    const unbegun = found?.job.value.status === 'open' ? found.parts.filter(isUnbegun) : [];
    const shards = unbegun.map(({ value }) => value.shard);
    await callWorkers(session, call, jobId, shards);
    return ok(null);
  });
};
