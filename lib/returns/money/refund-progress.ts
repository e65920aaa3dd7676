import type { Attempt, Refund, RefundResult } from '../model/refund.ts';

/** What a refund that was booked may be told of. */
export type RefundTold = Exclude<Refund['status'], 'pending'>;

/** How a refund goes on (contract section 4). */
export const nextOf: Readonly<Record<Refund['status'], readonly RefundTold[]>> = {
  pending: ['submitted', 'cancelled'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  failed: ['submitted', 'cancelled'],
  succeeded: ['reversed'],
  reversed: [],
  cancelled: [],
};

/** Whether more can be told of a refund: one that was recorded as a fact stays what it is. */
export const mayBeTold = ({ external, status }: Refund): boolean => external === undefined && nextOf[status].length > 0;

const attemptsAfter = (
  attempts: readonly Attempt[],
  status: RefundTold,
  { occurredAt, providerRef, code }: RefundResult,
): readonly Attempt[] => {
  const told = {
    ...(providerRef === undefined ? {} : { providerRef }),
    ...(code === undefined ? {} : { code }),
  };
  const last = attempts.at(-1);
  switch (status) {
    case 'submitted':
      return [...attempts, { status, submittedAt: occurredAt, ...told }];
    case 'succeeded':
    case 'failed':
    case 'unknown':
      return last === undefined ? [] : [...attempts.slice(0, -1), { ...last, status, settledAt: occurredAt, ...told }];
    case 'reversed':
    case 'cancelled':
      return attempts;
  }
};

/** A refund once it is told what became of it. */
export const withResult = (refund: Refund, status: RefundTold, result: RefundResult): Refund => ({
  ...refund,
  status,
  attempts: attemptsAfter(refund.attempts, status, result),
  ...(result.providerRef === undefined ? {} : { providerRef: result.providerRef }),
  ...(status === 'succeeded' ? { occurredAt: result.occurredAt } : {}),
});
