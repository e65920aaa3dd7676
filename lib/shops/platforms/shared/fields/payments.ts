import type { OrderFacts } from '../../platform.ts';

export type PaymentFacts = Pick<OrderFacts, 'payments' | 'paymentsComplete'>;

type Payment = NonNullable<OrderFacts['payments']>[number];

/** The contract's limit. */
const maxPayments = 50;

/**
 * Returns the payments of an order, and whether they are all. It states both, because a fact that is left out stays as
 * an earlier reading had it. Payments that are unknown are left out.
 */
export const paymentsOf = (payments: readonly Payment[], areAll: boolean): PaymentFacts => {
  const isComplete = areAll && payments.length <= maxPayments;
  return {
    ...(isComplete || payments.length > 0 ? { payments: payments.slice(0, maxPayments) } : {}),
    paymentsComplete: isComplete,
  };
};
