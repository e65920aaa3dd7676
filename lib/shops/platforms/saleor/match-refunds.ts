import { instant } from '../shared/fields/fields.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';
import { moneyOf, refundedOnly, returnedStatuses, unitsByLine } from './amounts.ts';
import type { RefundRecord } from './refund-records.ts';
import type { FulfillmentNode, OrderNode } from './queries.ts';

/** Refunds by the fulfillment that they belong to, and refunds that belong to none. */
export type MatchedRefunds = {
  readonly ofReturns: ReadonlyMap<string, readonly RemoteRefund[]>;
  readonly others: readonly RemoteRefund[];
};

type RefundTarget = {
  readonly id: string;
  readonly at: string;
  readonly isReturn: boolean;
  readonly units: ReadonlyMap<string, number>;
  /** The refund amount that Saleor reports for it. */
  readonly reported?: number;
  readonly shipping?: RefundRecord['shipping'];
};

const refundTargetOf = (node: FulfillmentNode): readonly RefundTarget[] => {
  const { id, status, created, totalRefundedAmount: total, shippingRefundedAmount: part, lines } = node;
  const at = instant(created);
  if (at === undefined || !(returnedStatuses.has(status) || status === refundedOnly)) return [];
  const reported = total === null ? undefined : moneyOf(total)?.amount;
  const shipping = part === null ? undefined : moneyOf(part);
  const units = unitsByLine(lines);
  return [
    {
      id,
      at,
      // A fulfillment that was emptied since is no longer a return, but its refund exists.
      isReturn: returnedStatuses.has(status) && units.size > 0,
      units,
      ...(reported !== undefined && { reported }),
      ...(shipping !== undefined && { shipping }),
    },
  ];
};

const coversUnits = ({ units }: RefundTarget, wanted: ReadonlyMap<string, number>): boolean =>
  [...wanted].every(([line, quantity]) => quantity <= (units.get(line) ?? 0));

/** Whether a refund may belong to a fulfillment: it names it, or matches its units or amount. */
const canTakeRefund = (target: RefundTarget, { amount, units, fulfillmentId, at }: RefundRecord): boolean => {
  if (fulfillmentId !== undefined) return target.id === fulfillmentId;
  if (target.at > at) return false;
  return units === undefined ? target.reported === amount.amount : target.isReturn && coversUnits(target, units);
};

const refundOf = (
  orderId: string,
  refundRecord: RefundRecord,
  target: RefundTarget | undefined,
  isReturned: (line: string) => boolean,
): RemoteRefund => {
  const units = refundRecord.units ?? target?.units ?? new Map<string, number>();
  const shipping = refundRecord.shipping ?? (refundRecord.units === undefined ? target?.shipping : undefined);
  const lines = [...units].map(([orderLineId, quantity]) => ({ orderLineId, quantity }));
  // Units of a return are already counted there. With an unassigned refund they would be counted again.
  const namesLines = lines.length > 0 && (target !== undefined || !lines.some((line) => isReturned(line.orderLineId)));
  return {
    platform: 'saleor',
    orderId,
    externalId: refundRecord.id,
    amount: refundRecord.amount,
    method: 'original_payment',
    occurredAt: refundRecord.at,
    ...(namesLines && { lines }),
    ...(shipping !== undefined && shipping.amount > 0 && shipping.amount <= refundRecord.amount.amount && { shipping }),
    ...(refundRecord.providerRef !== undefined && { providerRef: refundRecord.providerRef }),
  };
};

/**
 * Assigns refunds to returns, which Saleor does not report.
 * A refund belongs to the oldest earlier return that has no refund yet and matches its units or amount. So later
 * returns and refunds do not change an assignment.
 */
export const matchRefunds = (order: OrderNode, refundRecords: readonly RefundRecord[]): MatchedRefunds => {
  const targets = order.fulfillments
    .flatMap(refundTargetOf)
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const isReturned = (line: string) => targets.some(({ isReturn, units }) => isReturn && units.has(line));
  const paid = new Set<string>();
  const ofReturns = new Map<string, RemoteRefund[]>();
  const others: RemoteRefund[] = [];
  for (const refundRecord of refundRecords) {
    const target = targets.find((candidate) => !paid.has(candidate.id) && canTakeRefund(candidate, refundRecord));
    const refund = refundOf(order.id, refundRecord, target, isReturned);
    if (target !== undefined) paid.add(target.id);
    if (target?.isReturn === true) ofReturns.set(target.id, [refund]);
    else others.push(refund);
  }
  return { ofReturns, others };
};
