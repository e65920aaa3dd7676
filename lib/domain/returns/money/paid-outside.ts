import type { Instant, Money } from '../model/order.ts';
import type { Refund } from '../model/refund.ts';
import { sum } from '../units-by-line.ts';

/*
 * A refund that is begun here may be paid in the shop. The shop then reports it as a refund of its own. This rule finds
 * out whether both are the same payment, so that it is not booked twice.
 */

/** A refund as a platform reports it. */
export type PlatformRefund = {
  /** The id of the refund at the platform. */
  readonly externalId: string;
  readonly amount: Money;
  readonly occurredAt: Instant;
  /** The refunded units. Absent if the platform states none. */
  readonly lines?: readonly LineUnits[];
  readonly providerRef?: string;
};

type LineUnits = { readonly orderLineId: string; readonly quantity: number };

/** The statuses of a refund whose money may still move. A failed one may be paid again. */
const openStatuses: ReadonlySet<Refund['status']> = new Set(['pending', 'submitted', 'unknown', 'failed']);

const unitsOf = (lines: readonly LineUnits[], orderLineId: string): number =>
  sum(lines.filter((line) => line.orderLineId === orderLineId).map(({ quantity }) => quantity));

const isSameUnits = (ours: readonly LineUnits[], theirs: readonly LineUnits[]): boolean =>
  [...ours, ...theirs].every(({ orderLineId }) => unitsOf(ours, orderLineId) === unitsOf(theirs, orderLineId));

/** Whether the payer has reported the payment under another reference. A failed payment was followed by another one. */
const isOtherPayment = ({ providerRef, status }: Refund, paid: PlatformRefund): boolean =>
  status !== 'failed' &&
  providerRef !== undefined &&
  paid.providerRef !== undefined &&
  providerRef !== paid.providerRef;

/** Returns an instant up to its seconds, because platforms report whole ones. */
const secondOf = (at: Instant): string => at.slice(0, '2026-11-21T08:00:00'.length);

/** Whether a refund is a part of the money for goods without units. A shop pays it for lines that it names. */
const isPart = ({ breakdown: { lines, other } }: Refund): boolean => lines.length === 0 && other.amount > 0;

const isPaidBy = (refund: Refund, paid: PlatformRefund): boolean =>
  openStatuses.has(refund.status) &&
  secondOf(refund.recordedAt) <= secondOf(paid.occurredAt) &&
  (paid.lines === undefined ||
    isPart(refund) ||
    isSameUnits([...refund.breakdown.lines, ...(refund.breakdown.reductions ?? [])], paid.lines)) &&
  !isOtherPayment(refund, paid);

/** Whether the payer has reported the id of the platform's refund as the reference of the payment. */
const isNamedBy = ({ providerRef, status }: Refund, { externalId }: PlatformRefund): boolean =>
  providerRef === externalId && (openStatuses.has(status) || status === 'succeeded');

/**
 * Returns the refund of ours that a refund of the platform has paid; undefined if it is another payment.
 * Both have the same amount. Either ours has the platform's id as its reference. Or ours is open, was begun earlier, and
 * is for the same units, if both state any. Of several equal ones the latest is paid. So an earlier one is left
 * for an earlier payment, whichever is reported first.
 *
 * @param refunds the refunds of the return that the platform names, or of all returns of the order if it names none
 */
export const findPaidRefund = (refunds: readonly Refund[], paid: PlatformRefund): Refund | undefined => {
  const { amount, currency } = paid.amount;
  const equal = refunds.filter(
    (refund) =>
      refund.external === undefined &&
      refund.settledBy === undefined &&
      refund.amount.amount === amount &&
      refund.amount.currency === currency,
  );
  const named = equal.find((refund) => isNamedBy(refund, paid));
  if (named !== undefined) return named;
  const open = equal.filter((refund) => isPaidBy(refund, paid));
  return open.reduce<Refund | undefined>(
    (latest, refund) => (latest === undefined || latest.recordedAt < refund.recordedAt ? refund : latest),
    undefined,
  );
};
