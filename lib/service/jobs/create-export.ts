import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ExportJob, ExportPartition, ExportRequest } from '../../store/jobs/job.ts';
import type { Session } from '../../store/engine/session.ts';
import { creationBounds, lowestReturnId, readOldestCreation, returnIdAt } from '../../store/returns/whole-returns.ts';
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

/** The number of workers of an export. */
const partCount = 8;

/** Divides the period of an export into equal parts, from the oldest return to the end. */
const partsOf = async (session: Session, { from, until }: ExportRequest): Promise<readonly ExportPartition[]> => {
  const end = Date.parse(until);
  const bounds = creationBounds(from === undefined ? undefined : Date.parse(from), end);
  const begin = Math.max((await readOldestCreation(session)) ?? end, from === undefined ? 0 : Date.parse(from));
  const length = Math.max(0, end - begin) / partCount;
  const borders = Array.from({ length: partCount - 1 }, (_, index) =>
    returnIdAt(Math.floor(begin + length * (index + 1))),
  );
  const lower = [bounds.from ?? lowestReturnId, ...borders];
  const upper = [...borders, bounds.before];
  return lower.map((id, shard) => ({
    shard,
    from: id,
    before: upper[shard] ?? '',
    done: false,
    examined: 0,
    files: [],
  }));
};

/**
 * Starts an export of returns. Each partition has a worker. A repeat of the request enqueues the unstarted partitions.
 */
export const createExport = async (
  input: Input<'createExport'>,
  call: Call,
): Promise<Result<Reply<Output<'createExport'>>>> =>
  beginJob('createExport', input, call, async (session, now) => {
    const request = requestOf(input, now);
    if (!request.ok) return request;
    const job: ExportJob = { ...newJob(call, now), kind: 'export', request: request.value };
    const parts = await partsOf(session, request.value);
    return ok({ job, parts, body: exportView(job, parts) });
  });
