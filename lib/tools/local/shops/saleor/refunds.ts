/*
 * Refunds of Saleor 3.21: a grant reserves an amount of a transaction, and a request lets the payment app pay it. The app
 * reports its outcome later, as an event of the transaction.
 */

/** A node of the API. */
export type Json = Readonly<Record<string, unknown>>;

type Money = { readonly amount: number; readonly currency: string };

export type Event = { readonly id: string; readonly type: string; readonly amount: Money } & Json;

export type Transaction = {
  readonly id: string;
  readonly chargedAmount?: Money;
  readonly events: readonly Event[];
} & Json;

export type Grant = {
  readonly id: string;
  readonly status: string;
  readonly amount: Money;
  readonly transactionId?: string;
  readonly lines: readonly { readonly quantity: number; readonly orderLine: { readonly id: string } }[];
  readonly transactionEvents: readonly Event[];
} & Json;

export type Order = {
  readonly id: string;
  readonly updatedAt: string;
  readonly lines: readonly ({ readonly id: string; readonly quantity: number } & Json)[];
  readonly transactions: readonly Transaction[];
  readonly grantedRefunds: readonly Grant[];
} & Json;

export type GrantInput = {
  readonly amount: number;
  readonly reason?: string;
  readonly lines?: readonly { readonly id: string; readonly quantity: number }[];
  readonly grantRefundForShipping?: boolean;
  readonly transactionId: string;
};

const cents = (value: number): number => Math.round(value * 100);
const error = (code: string) => ({ errors: [{ code, message: code }] });

/** Grants a refund. It fails with a code above what is left of the transaction, the units or the shipping. */
export const grantRefund = (order: Order, input: GrantInput, of: { readonly id: string; readonly now: string }) => {
  const { amount, lines = [], transactionId, grantRefundForShipping: isForShipping = false, reason = '' } = input;
  const transaction = order.transactions.find(({ id }) => id === transactionId);
  const currency = transaction?.chargedAmount?.currency ?? '';
  if (transaction === undefined) return error('NOT_FOUND');
  const granted = order.grantedRefunds.filter(({ status }) => status !== 'FAILURE');
  const open = granted
    .filter(({ status }) => status !== 'SUCCESS')
    .reduce((sum, grant) => sum + cents(grant.amount.amount), 0);
  if (cents(amount) > cents(transaction.chargedAmount?.amount ?? 0) - open)
    return error('AMOUNT_GREATER_THAN_AVAILABLE');
  if (isForShipping && granted.some((grant) => grant['shippingCostsIncluded'] === true))
    return error('SHIPPING_COSTS_ALREADY_GRANTED');
  const unitsOf = (id: string): number =>
    granted
      .flatMap((grant) => grant.lines)
      .reduce((sum, line) => sum + (line.orderLine.id === id ? line.quantity : 0), 0);
  const isAbove = lines.some(
    ({ id, quantity }) => quantity + unitsOf(id) > (order.lines.find((line) => line.id === id)?.quantity ?? 0),
  );
  if (isAbove) return error('QUANTITY_GREATER_THAN_AVAILABLE');
  const grant: Grant = {
    id: of.id,
    reason,
    createdAt: of.now,
    updatedAt: of.now,
    status: 'NONE',
    amount: { amount, currency },
    transactionId,
    shippingCostsIncluded: isForShipping,
    lines: lines.map(({ id, quantity }) => ({ id: of.id, quantity, orderLine: { id } })),
    transactionEvents: [],
  };
  return { order: { ...order, grantedRefunds: [...order.grantedRefunds, grant] }, grantedRefund: grant, errors: [] };
};

/** Returns why a grant cannot be requested. */
export const requestError = ({ status }: Grant): string | undefined =>
  ({ PENDING: 'REFUND_IS_PENDING', SUCCESS: 'REFUND_ALREADY_PROCESSED' })[status];

/** Returns an order after an event of one of its grants. */
export const withEvent = (order: Order, grantId: string, status: string, event: Event): Order => {
  const grant = order.grantedRefunds.find(({ id }) => id === grantId);
  const isPaid = event.type === 'REFUND_SUCCESS';
  return {
    ...order,
    grantedRefunds: order.grantedRefunds.map((candidate) =>
      candidate === grant
        ? {
            ...candidate,
            status,
            updatedAt: event['createdAt'],
            transactionEvents: [...candidate.transactionEvents, event],
          }
        : candidate,
    ),
    transactions: order.transactions.map((transaction) => {
      if (transaction.id !== grant?.transactionId) return transaction;
      const { chargedAmount, events } = transaction;
      const left = cents(chargedAmount?.amount ?? 0) - (isPaid ? cents(event.amount.amount) : 0);
      return {
        ...transaction,
        events: [...events, event],
        ...(chargedAmount !== undefined && { chargedAmount: { ...chargedAmount, amount: left / 100 } }),
      };
    }),
  };
};
