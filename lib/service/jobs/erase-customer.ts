import { ulid } from 'ulid';
import { basePath } from '../../contract/operation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { ErasureJob, ErasurePart, ErasureSubject } from '../../store/jobs/job.ts';
import { writeNewJob } from '../../store/jobs/jobs.ts';
import { countOpenJob } from './count-open-job.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { actorOf } from '../../execution/circumstances.ts';
import { execute } from '../../execution/execute.ts';
import { erasureView } from '../../views/job-view.ts';
import { invalidRequest } from '../policies/policy-failures.ts';
import { sendForWorkers } from './send-for-workers.ts';

/** Who is meant: a guess at it could erase another. */
const subjectOf = ({ platform, customerId, orderId }: Input<'eraseCustomer'>): Result<ErasureSubject> => {
  if (customerId === undefined && orderId === undefined)
    return fail(
      invalidRequest({
        path: '/customerId',
        code: 'required',
        message: 'is required, or `orderId` where the shop names no customer of the order',
      }),
    );
  if (orderId === undefined) return ok({ platform, customerId: customerId ?? '' });
  return customerId === undefined
    ? ok({ platform, orderId })
    : fail(invalidRequest({ path: '/orderId', code: 'unexpected', message: 'must be absent beside `customerId`' }));
};

const begin = async (input: Input<'eraseCustomer'>, call: Call): Promise<Result<Reply<Output<'eraseCustomer'>>>> =>
  execute('eraseCustomer', input, call, async (session) => {
    const subject = subjectOf(input);
    if (!subject.ok) return subject;
    const now = Date.now();
    const at = new Date(now).toISOString();
    const job: ErasureJob = {
      id: `job_${ulid(now)}`,
      kind: 'erasure',
      status: 'open',
      request: { ...subject.value, countOnly: input.countOnly === true },
      createdAt: at,
      createdBy: actorOf(call),
      updatedAt: at,
    };
    const part: ErasurePart = {
      shard: 0,
      done: false,
      pass: 1,
      found: 0,
      erased: { persons: 0, texts: 0, files: 0, deliveries: 0 },
      returns: 0,
    };
    const counted = await countOpenJob(session, job);
    if (!counted.ok) return counted;
    return ok({
      reply: { status: 201, body: erasureView(job, part), location: `${basePath}/jobs/${job.id}` },
      writes: [...writeNewJob(job, [part]), counted.value],
    });
  });

/** Begins to erase what is kept of a person. A worker does it; a repeat of the request sends for one that has not begun. */
export const eraseCustomer = async (
  input: Input<'eraseCustomer'>,
  call: Call,
): Promise<Result<Reply<Output<'eraseCustomer'>>>> => {
  const begun = await begin(input, call);
  if (begun.ok && !call.dryRun) await sendForWorkers(call, begun.value.body.jobId);
  return begun;
};
