import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ExportJob, ExportPartition, ExportRequest } from '../../store/jobs/job.ts';
import { returnPartitionCount } from '../../store/returns/whole-returns.ts';
import { exportView } from '../../views/job-view.ts';
import { invalidRequest } from '../policies/known-policy.ts';
import { beginJob, newJob } from './begin-job.ts';

/** Returns the period of an export. It ends now at the latest. */
const requestOf = ({ format, from, until, status }: Input<'createExport'>, now: number): Result<ExportRequest> => {
  const end = Math.min(now, until === undefined ? now : Date.parse(until));
  if (from !== undefined && Date.parse(from) >= end)
    return fail(invalidRequest({ path: '/from', code: 'maximum', message: 'must be in the past and before `until`' }));
  return ok({
    format,
    // All instants in the store have the same length, so they compare as text.
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    until: new Date(end).toISOString(),
    ...(status !== undefined && { status }),
  });
};

/**
 * Starts an export of returns. Each partition has a worker. A repeat of the request enqueues the unstarted partitions.
 */
export const createExport = async (
  input: Input<'createExport'>,
  call: Call,
): Promise<Result<Reply<Output<'createExport'>>>> =>
  beginJob('createExport', input, call, async (_, now) => {
    const request = requestOf(input, now);
    if (!request.ok) return request;
    const job: ExportJob = { ...newJob(call, now), kind: 'export', request: request.value };
    const parts = Array.from(
      { length: returnPartitionCount },
      (_part, shard): ExportPartition => ({ shard, done: false, examined: 0, files: [] }),
    );
    return ok({ job, parts, body: exportView(job, parts) });
  });
