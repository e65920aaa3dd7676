import type { Result } from '../../failure.ts';
import { ok } from '../../../../runtime/result.ts';
import type { Event } from '../../history/entry.ts';
import type { Order } from '../../model/order.ts';
import type { Refund } from '../../model/refund.ts';
import type { Return } from '../../model/return.ts';
import type { Ledger } from '../../money/order-ledger.ts';
import { findPaidRefund } from '../../money/paid-outside.ts';
import { applyResult } from '../../money/refund-status.ts';
import { toOutcome } from '../outcome.ts';
import type { RecordRefund } from './record-refund-result.ts';
import type { NewRefund, RecordedRefund, RefundOutcome } from './recorded-refund.ts';

/** Returns the refund as the platform's id leads to it. */
const asRecorded = (refund: Refund, order: Order, { externalId }: NewRefund, occurredAt: string): RecordedRefund => ({
  ...refund,
  external: { platform: order.platform, id: externalId },
  occurredAt: refund.occurredAt ?? occurredAt,
});

/**
 * Settles the refund of ours that the platform has paid. No money is booked, because ours has booked it.
 *
 * @param returns the return that the refund names, or all returns of the order if it names none
 * @returns undefined if the refund is another payment
 */
export const settleRefund = (
  order: Order,
  ledger: Ledger,
  returns: readonly Return[],
  command: RecordRefund,
  ids: NewRefund,
): Result<RefundOutcome> | undefined => {
  const paid = { ...command, externalId: ids.externalId };
  const refund = findPaidRefund(
    returns.flatMap(({ refunds }) => refunds),
    paid,
  );
  const state = returns.find(({ id }) => id === refund?.returnId);
  if (refund === undefined || state === undefined) return undefined;
  const { occurredAt, providerRef } = command;
  // The payer has reported the success with the platform's id.
  if (refund.status === 'succeeded')
    return ok({ refund: asRecorded(refund, order, ids, occurredAt), ledger, events: [], state });
  const result = {
    refundId: refund.id,
    occurredAt,
    ...(providerRef === undefined ? {} : { providerRef }),
    external: { platform: order.platform, id: ids.externalId },
  };
  const succeeded: Event = { type: 'refund.succeeded', data: result };
  const outcome = toOutcome({ state, order, ledger, now: ids.now }, [succeeded]);
  if (!outcome.ok) return outcome;
  const { settledBy: _, ...done } = applyResult(refund, 'succeeded', result);
  return ok({ refund: asRecorded(done, order, ids, occurredAt), ...outcome.value, state });
};
