import type { Instant, Money, OrderRef } from './order.ts';
import type { Unversioned } from './return.ts';

/** Something about the shop's own facts that cannot be right, or goes beyond what was agreed. */
export type Discrepancy = { readonly code: string; readonly at: Instant; readonly detail: string };

/** How a refund goes beyond what was agreed. */
export type Excess = readonly [code: string, detail: string];

/** What a refund gave for units of an order line, tax inside `gross`. */
export type RefundedLine = {
  readonly orderLineId: string;
  readonly quantity: number;
  readonly gross: Money;
  readonly tax: Money;
};

/** What a refund gave for units of a line of the return, tax inside. */
export type ReturnLineShare = { readonly lineId: string; readonly quantity: number; readonly gross: Money };

export type Refund = {
  readonly id: string;
  readonly order: OrderRef;
  /** The refund as the platform knows it. */
  readonly external: { readonly platform: string; readonly id: string };
  readonly returnId?: string;
  readonly method: 'original_payment' | 'store_credit' | 'gift_card' | 'bank_transfer' | 'manual';
  readonly amount: Money;
  /** What of it was for which lines of the return. */
  readonly returnLines: readonly ReturnLineShare[];
  readonly breakdown: { readonly lines: readonly RefundedLine[]; readonly shipping: Money; readonly other: Money };
  readonly status: 'pending' | 'submitted' | 'succeeded' | 'failed' | 'unknown' | 'reversed' | 'cancelled';
  readonly providerRef?: string;
  /** When the money moved. */
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly discrepancies: readonly Discrepancy[];
};

/** Refunds that count: all but those that never moved money or gave it back. */
export const liveRefunds = ({ refunds }: Pick<Unversioned, 'refunds'>): readonly Refund[] =>
  refunds.filter(({ status }) => status !== 'cancelled' && status !== 'reversed');

const sum = (amounts: readonly Money[]): number => amounts.reduce((total, { amount }) => total + amount, 0);

/** How far the customer has the money for the goods back, shipping apart: an axis of its own beside the status, which tells of the goods. */
export const refundStatus = (
  state: Pick<Unversioned, 'refunds' | 'lines'>,
): 'none' | 'partially_refunded' | 'refunded' => {
  const refunds = liveRefunds(state);
  if (refunds.length === 0) return 'none';
  const refunded = sum(refunds.map(({ amount }) => amount)) - sum(refunds.map(({ breakdown }) => breakdown.shipping));
  return refunded < sum(state.lines.map(({ amounts }) => amounts.maxRefundable)) ? 'partially_refunded' : 'refunded';
};
