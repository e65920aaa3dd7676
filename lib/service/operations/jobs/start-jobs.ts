import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { withdrawalIdLike } from '../../../domain/returns/history/merkle.ts';
import type {
  ExportJob,
  ExportPartition,
  ExportRequest,
  ErasureJob,
  ErasurePartition,
  ErasureSubject,
} from '../../../store/jobs/job.ts';
import type { Session } from '../../../store/engine/session.ts';
import {
  creationBounds,
  lowestReturnId,
  readOldestCreation,
  returnIdAt,
} from '../../../store/returns/whole-returns.ts';
import { exportView, erasureView } from '../../views/job-view.ts';
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

/** The number of workers that read the returns of an export. Two more read its withdrawals: a job has at most ten. */
const partCount = 8;

/**
 * Divides the period of an export into equal parts, from the oldest return to the end. An export of histories has parts
 * of withdrawals too, because one tree anchors both. A withdrawal has no status of a return.
 */
const partsOf = async (
  session: Session,
  { format, from, until, status }: ExportRequest,
): Promise<readonly ExportPartition[]> => {
  const end = Date.parse(until);
  const bounds = creationBounds(from === undefined ? undefined : Date.parse(from), end);
  const begin = Math.max((await readOldestCreation(session)) ?? end, from === undefined ? 0 : Date.parse(from));
  const length = Math.max(0, end - begin) / partCount;
  const borders = Array.from({ length: partCount - 1 }, (_, index) =>
    returnIdAt(Math.floor(begin + length * (index + 1))),
  );
  const lower = [bounds.from ?? lowestReturnId, ...borders];
  const upper = [...borders, bounds.before];
  const ranges = lower.map((id, index) => ({ from: id, before: upper[index] ?? '' }));
  const half = partCount / 2;
  const ofWithdrawals = [0, half].map((first) => ({
    from: withdrawalIdLike(lower[first] ?? ''),
    before: withdrawalIdLike(upper[first + half - 1] ?? ''),
  }));
  const chosen = format === 'history' && status === undefined ? [...ranges, ...ofWithdrawals] : ranges;
  return chosen.map((range, shard) => ({ shard, ...range, done: false, examined: 0, files: [] }));
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

const failSubject = (path: string, code: string, message: string) => fail(invalidRequest({ path, code, message }));

/** Returns the data subject of an erasure. It must be explicit, because a guess could erase another person. */
const subjectOf = (input: Input<'eraseCustomer'>): Result<ErasureSubject> => {
  const { platform, customerId, orderId, withdrawalId, userId } = input;
  const ids = ['customerId', 'orderId', 'withdrawalId', 'userId'] as const;
  const [first, second] = ids.filter((name) => input[name] !== undefined);
  if (second !== undefined) return failSubject(`/${second}`, 'unexpected', 'must be absent when another id is present');
  if (platform !== undefined && (withdrawalId !== undefined || userId !== undefined))
    return failSubject('/platform', 'unexpected', `must be absent when \`${first}\` is present`);
  if (withdrawalId !== undefined) return ok({ withdrawalId });
  if (userId !== undefined) return ok({ userId });
  if (platform === undefined)
    return failSubject('/platform', 'required', 'is required, unless `withdrawalId` or `userId` is present');
  if (customerId !== undefined) return ok({ platform, customerId });
  return orderId === undefined
    ? failSubject('/customerId', 'required', 'is required, or `orderId` when the order has no customer id')
    : ok({ platform, orderId });
};

/** Starts the erasure of a person's data. One worker does it. A repeat of the request enqueues an unstarted one. */
export const eraseCustomer = async (
  input: Input<'eraseCustomer'>,
  call: Call,
): Promise<Result<Reply<Output<'eraseCustomer'>>>> =>
  beginJob('eraseCustomer', input, call, async (_, now) => {
    const subject = subjectOf(input);
    if (!subject.ok) return subject;
    const request = { ...subject.value, countOnly: input.countOnly === true };
    const job: ErasureJob = { ...newJob(call, now), kind: 'erasure', request };
    const part: ErasurePartition = {
      shard: 0,
      done: false,
      pass: 1,
      found: 0,
      erased: { persons: 0, texts: 0, files: 0, deliveries: 0 },
      returns: 0,
    };
    return ok({ job, parts: [part], body: erasureView(job, part) });
  });
