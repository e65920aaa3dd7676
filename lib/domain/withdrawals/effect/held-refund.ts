import type { StatutoryRule } from '../../policies/law/statutory-rules.ts';
import { refundClock } from '../../policies/law/withdrawal-window.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import { findOrderLine, orderAmountLeft, worthOf } from '../../returns/money/amounts.ts';
import type { LineUnits } from '../../returns/money/line-units.ts';
import type { Ledger } from '../../returns/money/order-ledger.ts';
import type { WithdrawalEvent } from '../history/entry.ts';
import type { Withdrawal } from '../model/withdrawal.ts';
import { isWholeOrder } from './effect-of-match.ts';
import { lawsOfLines } from './return-terms.ts';

/** An order with the account of its refunds. */
type OrderAccount = { readonly order: Order; readonly ledger: Ledger };

/** Whether nothing is left to pay for units of an order: they are free, or all money of the order is back. */
const isNothingLeft = ({ order, ledger }: OrderAccount, lines: readonly LineUnits[]): boolean =>
  orderAmountLeft(order, ledger) === 0n ||
  lines.every(({ orderLineId, quantity }) => {
    const line = findOrderLine(order, orderLineId);
    return line === undefined || worthOf(line, ledger, quantity).gross === 0n;
  });

/**
 * Returns when the shop must have paid for units that a withdrawal holds before their shipment: the first time of the
 * laws of these lines. No goods come back, so the shop waits for nothing. It is undefined when no law sets a time, or
 * nothing is left to pay.
 *
 * @param lines the held units
 */
export const heldRefundDueBy = (
  rules: readonly StatutoryRule[],
  account: OrderAccount,
  lines: readonly LineUnits[],
  declaredAt: Instant,
): Instant | undefined =>
  isNothingLeft(account, lines)
    ? undefined
    : lawsOfLines(rules, account.order, lines, declaredAt)
        .flatMap((rule) => refundClock(rule, account.order, declaredAt)?.due ?? [])
        .toSorted()[0];

/**
 * Returns the event that sets the due date of held units whose order was not paid when they were held; none without such
 * units. The time of the law counts from the declaration, so a late payment may have to go back at once.
 */
export const laterRefundDue = (
  rules: readonly StatutoryRule[],
  account: OrderAccount,
  { id: withdrawalId, match, cancelled = [], refund, declaredAt }: Withdrawal,
): readonly WithdrawalEvent[] => {
  if (match === undefined || cancelled.length === 0 || refund !== undefined) return [];
  const refundDueBy = heldRefundDueBy(rules, account, cancelled, declaredAt);
  if (refundDueBy === undefined) return [];
  const wholeOrder = isWholeOrder(account.order, account.ledger);
  const data = { withdrawalId, order: match.order, lines: cancelled, wholeOrder, refundDueBy };
  return [{ type: 'withdrawal.cancellation_due', data }];
};
