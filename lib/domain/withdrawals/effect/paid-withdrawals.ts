import type { Instant, Order } from '../../returns/model/order.ts';
import { orderAmountLeft } from '../../returns/money/amounts.ts';
import { refundedWithdrawn } from '../../returns/money/line-units.ts';
import { type Ledger, ledgerLine } from '../../returns/money/order-ledger.ts';
import type { WithdrawalEvent } from '../history/entry.ts';
import { openRefundDueBy, type Withdrawal } from '../model/withdrawal.ts';

/** A withdrawal whose held units are now paid, and its event. */
type PaidWithdrawal = { readonly state: Withdrawal; readonly event: WithdrawalEvent };

/**
 * Returns the withdrawals whose held units are now paid. The shop pays outside of the service, and the ledger of the
 * order shows what it paid. Refunds cover the units of a line in the order in which withdrawals took them. A refund of
 * all money of the order covers all, whether it names units or not.
 *
 * @param held the withdrawals that hold units of the order, in the sequence of its ledger
 * @param paidAt the time of the last refund
 */
export const paidWithdrawals = (
  held: readonly Withdrawal[],
  { order, ledger }: { readonly order: Order; readonly ledger: Ledger },
  paidAt: Instant,
): readonly PaidWithdrawal[] => {
  const isAllPaid = orderAmountLeft(order, ledger) === 0n;
  const before = new Map<string, number>();
  return held.flatMap((state) => {
    const isCovered = (state.cancelled ?? []).map(({ orderLineId, quantity }) => {
      const units = (before.get(orderLineId) ?? 0) + quantity;
      before.set(orderLineId, units);
      return units <= refundedWithdrawn(ledgerLine(ledger, orderLineId));
    });
    return openRefundDueBy(state) !== undefined && (isAllPaid || isCovered.every(Boolean))
      ? [{ state, event: { type: 'withdrawal.refunded', data: { withdrawalId: state.id, paidAt } } as const }]
      : [];
  });
};
