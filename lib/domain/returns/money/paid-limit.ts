import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Money } from '../model/order.ts';
import type { UnversionedReturn } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';
import type { Situation } from '../situation.ts';
import { orderPriceLeft } from './amounts.ts';
import { itemsToPay, openSetOff } from './differences.ts';
import { paymentsLeft } from './payments.ts';

/* The limits of a refund: what was paid for the order, and what its payments have left. */

/** Fails a refund above what it may pay. */
export const failCeiling = (detail: string, errors: readonly FieldError[]) =>
  fail({ code: 'refund_exceeds_ceiling', detail, errors });

/** The amounts of a refund, in minor units: goods without fees and without what pays new items. */
export type RefundSums = Readonly<Record<'goods' | 'shipping' | 'charges', number>>;

const failPaidExceeded = (path: string, maximum: number) =>
  failCeiling('The refunds of the order would exceed what was paid for it.', [
    { path, code: 'maximum', message: `must be at most ${maximum}` },
  ]);

type Facts = Pick<Situation, 'order' | 'ledger'> & { readonly state: UnversionedReturn };

/**
 * Returns what the refunds of an order left of its price for a return, in minor units. What the customer owes for dearer
 * items takes its part first.
 */
export const priceLeftFor = ({ state, order, ledger }: Facts): number =>
  Math.max(0, Number(orderPriceLeft(order, ledger)) - openSetOff(state));

/**
 * Limits a refund to the rest of the order's money. Money given for the order and for none of its returns counts as
 * given for these goods. It counts only as far as the total would otherwise exceed what was paid.
 */
export const limitToPaid = (
  facts: Facts,
  wanted: { readonly shipping?: Money; readonly charges?: Money },
  { goods, shipping, charges }: RefundSums,
): Result<Pick<RefundSums, 'shipping' | 'charges'> & { readonly assigned: number }> => {
  const left = priceLeftFor(facts);
  const assigned = Math.min(goods, Math.max(0, goods + shipping + charges - left));
  const leftForExtras = left - (goods - assigned);
  const shippingNow = Math.min(shipping, leftForExtras);
  const chargesNow = Math.min(charges, leftForExtras - shippingNow);
  if (wanted.shipping !== undefined && shippingNow < shipping) return failPaidExceeded('/shipping/amount', shippingNow);
  if (wanted.charges !== undefined && chargesNow < charges) return failPaidExceeded('/charges/amount', chargesNow);
  return ok({ assigned, shipping: shippingNow, charges: chargesNow });
};

/**
 * Returns what the payments of an order have left for a refund of a return, in minor units. What the customer owes for
 * new items takes its part first.
 */
export const paymentsLeftFor = ({ state, order, ledger }: Facts): number => {
  const left = paymentsLeft(order, ledger);
  return left === undefined ? Infinity : Math.max(0, left - itemsToPay(state));
};

/** Returns what refunds of a return may still give of what was paid for its order, in minor units. */
export const amountLeftFor = (facts: Facts): number => Math.min(priceLeftFor(facts), paymentsLeftFor(facts));

/**
 * Rejects a refund above what the payments of its order have left. A part of it may be paid.
 *
 * @param total in minor units, without payments on top
 */
export const checkPayments = (situation: Facts, total: number): Result<null> => {
  const left = paymentsLeftFor(situation);
  if (total <= left) return ok(null);
  const detail =
    left === 0
      ? 'The payments of the order have nothing left to refund. Register the payments of the order, if it has others.'
      : `The payments of the order have ${left} minor units left. Refund a part by \`amount\`, or register the other payments of the order.`;
  const errors = [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${left}` }];
  return fail({ code: 'refund_exceeds_payments', detail, errors });
};
