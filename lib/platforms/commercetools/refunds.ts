import { ok, type Result } from '../../contract/result.ts';
import type { SeenRefund } from '../follow/seen.ts';
import { instant } from '../read/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { eachPart, type EachRead } from '../ask/each-part.ts';
import { permanent } from '../ask/shop-failure.ts';
import { moneyOf } from './amounts.ts';
import type { OrderNode, PaymentNode, TransactionNode } from './nodes.ts';

const refundOf = (
  orderId: string,
  payment: PaymentNode,
  { id, amount, timestamp }: TransactionNode,
): SeenRefund | undefined => {
  const money = moneyOf(amount);
  const occurredAt = instant(timestamp) ?? instant(payment.createdAt);
  if (money === undefined || occurredAt === undefined) return undefined;
  // Nobody says among what a transaction's id is unique: its payment's stands beside it.
  const externalId = `${payment.id}:${id}`;
  return { platform: 'commercetools', orderId, externalId, amount: money, method: 'original_payment', occurredAt };
};

/**
 * What was given back for an order: transactions that refund and have succeeded. Those that wait or failed moved no
 * money. A payment that could not be read, because it was deleted since, tells of none.
 * https://docs.commercetools.com/api/projects/payments#transactiontype
 */
export const refundsOf = ({ id: orderId, paymentInfo }: OrderNode): Result<EachRead<SeenRefund>, ShopFailure> => {
  const given = (paymentInfo?.payments ?? []).flatMap(({ obj: payment }) =>
    payment === undefined
      ? []
      : (payment.transactions ?? [])
          .filter(({ type, state, amount }) => type === 'Refund' && state === 'Success' && amount.centAmount !== 0)
          .map((transaction) => ({ payment, transaction })),
  );
  return eachPart(given, ({ payment, transaction }) => {
    const refund = refundOf(orderId, payment, transaction);
    return refund === undefined ? permanent('refund_unreadable') : ok(refund);
  });
};
