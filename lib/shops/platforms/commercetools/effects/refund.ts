import type { JsonObject } from '../../../../runtime/json.ts';
import { sum } from '../../../../runtime/sum.ts';
import type { Wanted, WantedRefund, WantedReturn } from '../../effect.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { isOurNote, noteOf, type RepeatedPlan } from '../../shared/effects/repeated-plan.ts';
import { moneyOf, type OrderNode, type PaymentNode, type TransactionNode } from '../nodes.ts';
import { refundedMarks, type Update } from './goods.ts';

/*
 * The money of a refund, as a transaction that asks the payment service of the project for it. The reference of the
 * transaction has our key; a payment service may replace it later, so the amount is compared too.
 */

/** A refund transaction with its payment. */
type Refunding = { readonly externalId: string; readonly transaction: TransactionNode };

/** Returns the id under which the translator reports a transaction. */
export const transactionIdOf = (payment: PaymentNode, { id }: TransactionNode): string => `${payment.id}:${id}`;

const paymentsOf = ({ paymentInfo }: OrderNode): readonly PaymentNode[] =>
  (paymentInfo?.payments ?? []).flatMap(({ obj }) => obj ?? []);

const refundingsOf = (order: OrderNode): readonly Refunding[] =>
  paymentsOf(order).flatMap((payment) =>
    (payment.transactions ?? [])
      .filter(({ type }) => type === 'Refund')
      .map((transaction) => ({ externalId: transactionIdOf(payment, transaction), transaction })),
  );

const amountsIn = ({ transactions = [] }: PaymentNode, currency: string, type: string, states: readonly string[]) =>
  sum(
    transactions
      .filter((transaction) => transaction.type === type && states.includes(transaction.state))
      .map(({ amount }) => moneyOf(amount))
      .map((money) => (money?.currency === currency ? money.amount : 0)),
  );

/** What is left of a payment, once open refunds are paid. */
const leftOf = (payment: PaymentNode, currency: string): number =>
  amountsIn(payment, currency, 'Charge', ['Success']) -
  amountsIn(payment, currency, 'Chargeback', ['Success']) -
  amountsIn(payment, currency, 'Refund', ['Success', 'Pending', 'Initial']);

const seenOf = ({ externalId, transaction }: Refunding): JsonObject => ({
  transaction: externalId,
  state: transaction.state,
});

/** Finds the transaction of a refund, or why people must find it. */
const findRefunding = (
  order: OrderNode,
  { key, others }: Wanted,
  { amount }: WantedRefund,
): Refunding | RepeatedPlan<never> | undefined => {
  const refundings = refundingsOf(order);
  const ours = refundings.find(({ transaction }) => transaction.interactionId === noteOf(key));
  if (ours !== undefined) return ours;
  const equal = refundings.filter(({ externalId, transaction }) => {
    const money = moneyOf(transaction.amount);
    return (
      !isOurNote(transaction.interactionId) &&
      transaction.state !== 'Failure' &&
      others?.refunds.includes(externalId) !== true &&
      money?.amount === amount.amount &&
      money.currency === amount.currency
    );
  });
  const [only, ...more] = equal;
  if (only === undefined) return undefined;
  return others === undefined || more.length > 0
    ? blocked('refund_unclear', { transactions: equal.map(({ externalId }) => externalId) })
    : only;
};

/** Plans to mark the units of a paid refund, or ends it. */
const planMarks = (
  order: OrderNode,
  own: WantedReturn,
  refund: WantedRefund,
  paid: Refunding,
): RepeatedPlan<Update> => {
  const actions = refundedMarks(order, own, refund.lines);
  const { externalId, transaction } = paid;
  return actions.length === 0
    ? {
        kind: 'done',
        externalId,
        ...(isOurNote(transaction.interactionId) && { isOurs: true as const }),
        seen: seenOf(paid),
      }
    : {
        kind: 'open',
        request: { path: `orders/${order.id}`, version: order.version, actions, paid: externalId },
        repeat: 'safe',
      };
};

/** Plans the transaction of a refund, at the first payment that has enough left. */
const planTransaction = (order: OrderNode, { key }: Wanted, { amount }: WantedRefund): RepeatedPlan<Update> => {
  const left = paymentsOf(order).map((payment) => ({ payment, units: leftOf(payment, amount.currency) }));
  const paying = left.find(({ units }) => units >= amount.amount)?.payment;
  if (paying?.version === undefined) {
    const shop = sum(left.map(({ units }) => units));
    const reason = shop >= amount.amount ? 'several_payments' : 'refund_exceeds_payments';
    return blocked(reason, { ours: amount.amount, shop, currency: amount.currency });
  }
  const transaction = {
    type: 'Refund',
    state: 'Initial',
    amount: { centAmount: amount.amount, currencyCode: amount.currency },
    interactionId: noteOf(key),
  };
  return {
    kind: 'open',
    request: {
      path: `payments/${paying.id}`,
      version: paying.version,
      actions: [{ action: 'addTransaction', transaction }],
    },
    // Another payment may be chosen the next time, and the version of the first tells nothing then.
    repeat: left.length > 1 ? 'later' : 'safe',
  };
};

export const planRefund = (
  order: OrderNode,
  wanted: Wanted,
  own: WantedReturn,
  refund: WantedRefund,
): RepeatedPlan<Update> => {
  const { amount } = refund;
  const shopCurrency = order.totalPrice.currencyCode;
  if (amount.currency !== shopCurrency)
    return blocked('currency_differs', { ours: amount.currency, shop: shopCurrency });
  const found = findRefunding(order, wanted, refund);
  if (found === undefined) return planTransaction(order, wanted, refund);
  if ('kind' in found) return found;
  const { state } = found.transaction;
  if (state === 'Success') return planMarks(order, own, refund, found);
  return state === 'Failure'
    ? blocked('payment_failed', seenOf(found))
    : { kind: 'pending', externalId: found.externalId, seen: seenOf(found) };
};
