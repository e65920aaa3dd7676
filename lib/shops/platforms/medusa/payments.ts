import type { JsonObject } from '../../../runtime/json.ts';
import { clip, objectsOf } from '../shared/fields/fields.ts';
import { type PaymentFacts, paymentsOf } from '../shared/fields/payments.ts';
import { idIn, type OrderReading, paymentsOf as paymentNodes, textIn } from './order.ts';
import { type Fraction, fractionOf, plus, rounded, zero } from './price.ts';

const readPayment = ({ id, provider_id: provider, currency_code: code, captures }: JsonObject, currency: string) => {
  const amounts = objectsOf(captures).map(({ amount }) => fractionOf(amount));
  const sum = amounts.reduce<Fraction>((total, amount) => plus(total, amount ?? zero), zero);
  const [known, ownCurrency] = [idIn(id), textIn(code)?.toUpperCase() ?? ''];
  const paid = rounded(sum, ownCurrency);
  const isExact = Array.isArray(captures) && !amounts.includes(undefined) && paid !== undefined;
  return {
    isWhole: isExact && known !== undefined && ownCurrency === currency,
    payment:
      known === undefined || !paid?.amount ? undefined : { id: known, method: clip(provider, 100) ?? 'unknown', paid },
  };
};

/**
 * Whether a credit line may have paid for the order, as a gift card of a plugin does. Medusa also writes one for a refund
 * of more than it owes: this one refers to the payments, unless the refund has a reason.
 */
const isTender = ({ reference }: JsonObject): boolean => reference !== 'payment_collection';

/**
 * Returns the captured payments, and whether they are all that was paid. An order with another credit line may have a
 * payment that is unknown.
 */
export const paymentFacts = ({ order, currency }: OrderReading): PaymentFacts => {
  const read = paymentNodes(order).map((payment) => readPayment(payment, currency));
  const areAll =
    Array.isArray(order['payment_collections']) &&
    read.every(({ isWhole }) => isWhole) &&
    !objectsOf(order['credit_lines']).some(isTender);
  return paymentsOf(
    read.flatMap(({ payment }) => payment ?? []),
    areAll,
  );
};
