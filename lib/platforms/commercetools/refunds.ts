import { ok, type Result } from '../../contract/result.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import { instant } from '../shared/fields/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { asPromised } from '../shared/http/as-promised.ts';
import { eachPart, type EachRead } from '../shared/http/each-part.ts';
import { permanent } from '../shared/http/shop-failure.ts';
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

const refundsIn = (paymentInfo: OrderNode['paymentInfo']) =>
  (paymentInfo?.payments ?? []).flatMap(({ obj: payment }) =>
    payment === undefined || payment === null
      ? []
      : (payment.transactions ?? [])
          .filter(({ type, state, amount }) => type === 'Refund' && state === 'Success' && amount?.centAmount !== 0)
          .map((transaction) => ({ payment, transaction })),
  );

/**
 * What was given back for an order: transactions that refund and have succeeded. Those that wait or failed moved no
 * money. A payment that could not be read, because it was deleted since, tells of none.
 * https://docs.commercetools.com/api/projects/payments#transactiontype
 */
export const refundsOf = ({ id: orderId, paymentInfo }: OrderNode): Result<EachRead<SeenRefund>, ShopFailure> => {
  const transactions = asPromised('refund_unreadable', () => ok(refundsIn(paymentInfo)));
  if (!transactions.ok) return ok({ read: [], unread: transactions.failure });
  return eachPart(transactions.value, ({ payment, transaction }) =>
    asPromised('refund_unreadable', () => {
      const refund = refundOf(orderId, payment, transaction);
      return refund === undefined ? permanent('refund_unreadable') : ok(refund);
    }),
  );
};
