import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ErasureJob, ErasurePartition, ErasureSubject } from '../../store/jobs/job.ts';
import { erasureView } from '../../views/job-view.ts';
import { invalidRequest } from '../policies/known-policy.ts';
import { beginJob, newJob } from './begin-job.ts';

/** Returns the data subject of an erasure. It must be explicit, because a guess could erase another person. */
const subjectOf = ({ platform, customerId, orderId }: Input<'eraseCustomer'>): Result<ErasureSubject> => {
  if (customerId === undefined && orderId === undefined)
    return fail(
      invalidRequest({
        path: '/customerId',
        code: 'required',
        message: 'is required, or `orderId` when the order has no customer id',
      }),
    );
  if (orderId === undefined) return ok({ platform, customerId: customerId ?? '' });
  return customerId === undefined
    ? ok({ platform, orderId })
    : fail(
        invalidRequest({
          path: '/orderId',
          code: 'unexpected',
          message: 'must be absent when `customerId` is present',
        }),
      );
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
