import type { JsonObject } from '../../../runtime/json.ts';
import { clip, idOf, objectOf } from '../shared/fields/fields.ts';
import { type PaymentFacts, paymentsOf } from '../shared/fields/payments.ts';
import { amountOf, extensionOf, roundedMoney } from './amounts.ts';

/** An amount that Commerce leaves out, or sets to null, while it is zero. Undefined if it is unreadable. */
const paidIn = (value: unknown): bigint | undefined => amountOf(value ?? 0);

/** The tenders beside the payment. Commerce subtracts them from the grand total. */
const credits = [
  { field: 'gift_cards_amount', method: 'gift_card' },
  { field: 'customer_balance_amount', method: 'store_credit' },
  { field: 'reward_currency_amount', method: 'reward_points' },
] as const;

/**
 * Returns the payments, and whether they are all.
 * They are if the payment has what the order says is paid, and no cancellation has given a tender back.
 */
export const paymentFacts = (order: JsonObject, currency: string): PaymentFacts => {
  const { entity_id: entityId, method, amount_paid: amountPaid } = objectOf(order['payment']);
  const [id, extension] = [idOf(entityId), extensionOf(order)];
  const name = clip(method, 100);
  const others = credits.map((credit) => ({
    id: credit.method,
    method: credit.method,
    amount: paidIn(extension[credit.field]),
  }));
  const tenders = [
    ...(id === undefined || name === undefined ? [] : [{ id, method: name, amount: paidIn(amountPaid) }]),
    ...others,
  ];
  const read = tenders.map((tender) => ({
    ...tender,
    paid: tender.amount === undefined ? undefined : roundedMoney(tender.amount, currency),
  }));
  const isGivenBack = order['state'] === 'canceled' && others.some(({ amount }) => amount !== 0n);
  const areAll =
    tenders.length > others.length &&
    read.every(({ paid }) => paid !== undefined) &&
    paidIn(order['total_paid']) === paidIn(amountPaid) &&
    !isGivenBack;
  return paymentsOf(
    read.flatMap(({ id: tenderId, method: tender, paid }) =>
      paid === undefined || paid.amount === 0 ? [] : [{ id: tenderId, method: tender, paid }],
    ),
    areAll,
  );
};
