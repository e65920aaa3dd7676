import { ulid } from 'ulid';
import { basePath } from '../../contract/operation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { ExportJob, ExportPart, ExportRequest } from '../../store/jobs/job.ts';
import { writeNewJob } from '../../store/jobs/jobs.ts';
import { countOpenJob } from './count-open-job.ts';
import { returnShards } from '../../store/returns/whole-returns.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { actorOf } from '../../execution/circumstances.ts';
import { execute } from '../../execution/execute.ts';
import { exportView } from '../../views/job-view.ts';
import { invalidRequest } from '../policies/policy-failures.ts';
import { sendForWorkers } from './send-for-workers.ts';

/** Until when returns are exported, now at the latest, and from when on. */
const requestOf = ({ format, from, until, status }: Input<'createExport'>, now: number): Result<ExportRequest> => {
  const end = Math.min(now, until === undefined ? now : Date.parse(until));
  if (from !== undefined && Date.parse(from) >= end)
    return fail(invalidRequest({ path: '/from', code: 'maximum', message: 'must be before `until`, and past' }));
  return ok({
    format,
    // Instants of ours all have the same length: as text they compare as times.
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    until: new Date(end).toISOString(),
    ...(status !== undefined && { status }),
  });
};

const begin = async (input: Input<'createExport'>, call: Call): Promise<Result<Reply<Output<'createExport'>>>> =>
  execute('createExport', input, call, async (session) => {
    const now = Date.now();
    const request = requestOf(input, now);
    if (!request.ok) return request;
    const at = new Date(now).toISOString();
    const job: ExportJob = {
      id: `job_${ulid(now)}`,
      kind: 'export',
      status: 'open',
      request: request.value,
      createdAt: at,
      createdBy: actorOf(call),
      updatedAt: at,
    };
    const parts = Array.from(
      { length: returnShards },
      (_, shard): ExportPart => ({
        shard,
        done: false,
        examined: 0,
        files: [],
      }),
    );
    const counted = await countOpenJob(session, job);
    if (!counted.ok) return counted;
    return ok({
      reply: { status: 201, body: exportView(job, parts), location: `${basePath}/jobs/${job.id}` },
      writes: [...writeNewJob(job, parts), counted.value],
    });
  });

/**
 * Begins to write returns into files. Workers do it, one for each shard of them; a repeat of the request sends for those
 * that have not begun.
 */
export const createExport = async (
  input: Input<'createExport'>,
  call: Call,
): Promise<Result<Reply<Output<'createExport'>>>> => {
  const begun = await begin(input, call);
  if (begun.ok && !call.dryRun) await sendForWorkers(call, begun.value.body.jobId);
  return begun;
};
