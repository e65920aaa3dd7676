import { ok, type Result } from '../../contract/result.ts';
import { objectOf, objectsOf, optional } from '../shared/fields/fields.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { sum } from '../../runtime/sum.ts';
import { moneyOf } from './amounts.ts';
import { unitsOf, wholeNumber } from './numbers.ts';
import { invoiceId, type ReturnInvoice } from './invoices.ts';
import { itemAt, type Order } from './order.ts';
import type { ReturnRequest } from './return-request.ts';
import { methods } from './words.ts';

type Line = NonNullable<SeenRefund['lines']>[number];

/** The number that the app gives to the invoice by which it refunds a request. */
export const invoiceNumberOf = ({ id, fields }: ReturnRequest): string => {
  const { invoiceNumber } = objectOf(fields['refundData']);
  return typeof invoiceNumber === 'string' && invoiceNumber.trim() !== '' ? invoiceNumber : id;
};

/** The verified units with what was given for them: the price with its tax, less the fee for putting them back. */
const linesOf = ({ fields }: ReturnRequest, order: Order): Line[] => {
  const lines: Line[] = [];
  for (const one of objectsOf(objectOf(fields['refundData'])['items'])) {
    const quantity = unitsOf(one['quantity']);
    const item = itemAt(order, one['orderItemIndex'], one['id']);
    if (item === undefined || quantity === undefined) return [];
    const [price, fee = 0] = [wholeNumber(one['price']), wholeNumber(one['restockFee'])];
    const amount = price === undefined ? undefined : moneyOf(price * quantity - fee, order.currency);
    if (quantity > 0) lines.push({ orderLineId: item.lineId, quantity, ...optional('amount', amount) });
  }
  return lines;
};

/** What the amount was for, as far as it is not more than the amount. */
const fitting = (
  amount: SeenRefund['amount'],
  lines: readonly Line[],
  shipping: SeenRefund['shipping'],
): Pick<SeenRefund, 'lines' | 'shipping'> => {
  const forGoods = sum(lines.map(({ amount }) => amount?.amount ?? 0));
  const forShipping = shipping?.amount ?? 0;
  const isOnce = new Set(lines.map(({ orderLineId }) => orderLineId)).size === lines.length;
  const isWhole = isOnce && forGoods + forShipping <= amount.amount;
  const told = isWhole ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  return {
    ...(isOnce && told.length > 0 && { lines: [...told] }),
    ...(shipping !== undefined && forShipping > 0 && forShipping <= amount.amount && { shipping }),
  };
};

/**
 * The money that was given for a request. For cards the app writes an invoice into the order, by which VTEX refunds; for
 * a transfer or a gift card its status alone says that it was done.
 *
 * @param invoice the invoice in the order that has the request's number
 */
export const refundOf = (
  request: ReturnRequest,
  order: Order,
  invoice: ReturnInvoice | undefined,
): Result<SeenRefund | undefined, ShopFailure> => {
  const data = objectOf(request.fields['refundData']);
  const isPaid = request.status === 'amountRefunded';
  if (Object.keys(data).length === 0 || (invoice === undefined && !isPaid)) return ok(invoice?.refund);
  const amount = invoice?.refund?.amount ?? moneyOf(data['invoiceValue'], order.currency);
  const occurredAt =
    invoice?.refund?.occurredAt ?? request.steps.findLast(({ status }) => status === request.status)?.at;
  if (amount === undefined || occurredAt === undefined) return permanent('refund_unreadable');
  if (amount.amount === 0) return ok(undefined);
  const wanted = objectOf(request.fields['refundPaymentData'])['refundPaymentMethod'];
  const shipping = moneyOf(data['refundedShippingValue'], order.currency);
  return ok({
    platform: order.platform,
    orderId: order.orderId,
    externalId: invoiceId(invoiceNumberOf(request)),
    amount,
    method: methods[typeof wanted === 'string' ? wanted : ''] ?? invoice?.refund?.method ?? 'original_payment',
    occurredAt,
    ...fitting(amount, linesOf(request, order), shipping),
  });
};
