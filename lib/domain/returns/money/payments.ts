import type { Money, Order } from '../model/order.ts';
import type { Refund, Tender } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import type { Ledger } from './order-ledger.ts';

/*
 * The payments of an order. They cap its refunds once the order states that it has all of them: a deposit, or an order
 * that is paid later, is refunded only as far as it is paid.
 */

type OrderPayments = Pick<Order, 'facts'>;

/** Returns what was paid for an order, in minor units; undefined while it may have other payments. */
export const paymentsTotal = ({ facts: { payments = [], paymentsComplete } }: OrderPayments): number | undefined =>
  paymentsComplete === true ? sum(payments.map(({ paid }) => paid.amount)) : undefined;

/** Returns what the payments of an order have left for refunds; undefined while it may have other payments. */
export const paymentsLeft = (order: OrderPayments, { given }: Ledger): number | undefined => {
  const total = paymentsTotal(order);
  return total === undefined ? undefined : Math.max(0, total - (given.money ?? 0));
};

/** What the payments of an order have left, in minor units. Null if the order states that it may have other payments. */
export type StatedPaymentsLeft = number | null;

/** Returns what an order states about its payments; undefined if nothing. */
export const statedPaymentsLeft = (order: OrderPayments, ledger: Ledger): StatedPaymentsLeft | undefined =>
  paymentsLeft(order, ledger) ?? (order.facts.paymentsComplete === false ? null : undefined);

/** Returns a return with what the payments of its order have left, if it is stated. */
export const withPaymentsLeft = <State extends UnversionedReturn>(
  state: State,
  left: StatedPaymentsLeft | undefined,
): State => {
  if (left === undefined) return state;
  const { paymentsLeft: _, ...others } = state;
  // The optional field alone is removed.
  return { ...others, ...(left !== null && { paymentsLeft: left }) } as State;
};

/**
 * Splits a refund over the payments of its order, in proportion to what each has left. A consumer gets the money back by
 * the means of payment that was used (Directive 2011/83/EU, article 13(1)). No payment gives back more than it has left,
 * and the parts add up to the refund. Money above all payments belongs to none.
 *
 * @param amount the refund in minor units, without payments on top
 * @returns nothing for another method, or while the order may have other payments
 */
export const splitByPayment = (
  { facts: { payments = [], paymentsComplete, currency } }: OrderPayments,
  { given }: Ledger,
  method: Refund['method'],
  amount: number,
): readonly Tender[] => {
  if (paymentsComplete !== true || method !== 'original_payment' || amount <= 0) return [];
  // A platform may list a payment in parts, such as two uses of a gift card.
  const open = Array.from(
    Map.groupBy(payments, ({ id }) => id),
    ([paymentId, parts]) => ({
      paymentId,
      method: parts[0]?.method ?? '',
      left: BigInt(Math.max(0, sum(parts.map(({ paid }) => paid.amount)) - (given[`tender/${paymentId}`] ?? 0))),
    }),
  );
  const whole = open.reduce((total, { left }) => total + left, 0n);
  if (whole === 0n) return [];
  const part = BigInt(amount) < whole ? BigInt(amount) : whole;
  let before = 0n;
  return open.flatMap(({ paymentId, method: of, left }): Tender[] => {
    const share = ((before + left) * part) / whole - (before * part) / whole;
    before += left;
    const money: Money = { amount: Number(share), currency };
    return share === 0n ? [] : [{ paymentId, method: of, amount: money }];
  });
};

/** Returns the tenders as a field of a refund; no field without any. */
export const tendersField = (tenders: readonly Tender[]): Pick<Refund, 'tenders'> =>
  tenders.length === 0 ? {} : { tenders };
