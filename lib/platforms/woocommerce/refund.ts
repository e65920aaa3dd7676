import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { sum } from '../../runtime/sum.ts';
import type { ShopFailure } from '../platform.ts';
import { minorOf, sumOf, wholeOf } from '../shared/fields/decimal.ts';
import { idOf, objectsOf, optional, utcInstant } from '../shared/fields/fields.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';

/** Whose money it is: the order, and the currency that it was paid in. */
export type RefundedOrder = { readonly platform: string; readonly orderId: string; readonly currency: string };

type Line = NonNullable<RemoteRefund['lines']>[number];

const refundedItem = (item: JsonObject): string | undefined =>
  idOf(objectsOf(item['meta_data']).find(({ key }) => key === '_refunded_item_id')?.['value']);

/** A refund tells what it took away: of each line units and totals below zero, without their tax. */
const lineOf = (item: JsonObject, currency: string): Line | undefined => {
  const orderLineId = refundedItem(item);
  const quantity = -(wholeOf(item['quantity']) ?? 0);
  // Money for a line without units of it stays with the refund as a whole.
  if (orderLineId === undefined || quantity < 1) return undefined;
  const gross = sumOf([item['total'], item['total_tax']], currency);
  const tax = minorOf(item['total_tax'], currency);
  const isTold = gross !== undefined && tax !== undefined && gross <= 0 && tax <= 0 && tax >= gross;
  return {
    orderLineId,
    quantity,
    ...(isTold && { amount: { amount: -gross || 0, currency }, tax: { amount: -tax || 0, currency } }),
  };
};

/** Lines of the order, each once; a line's amount is told where that of all its parts is. */
const mergeLines = (lines: readonly Line[]): readonly Line[] =>
  Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([orderLineId, parts]) => {
      const sumOfKnown = (read: (part: Line) => number | undefined): number | undefined =>
        parts.reduce<number | undefined>((total, part) => {
          const one = read(part);
          return total === undefined || one === undefined ? undefined : total + one;
        }, 0);
      const currency = parts[0]?.amount?.currency ?? '';
      const [amount, tax] = [sumOfKnown((part) => part.amount?.amount), sumOfKnown((part) => part.tax?.amount)];
      return {
        orderLineId,
        quantity: sum(parts.map(({ quantity }) => quantity)),
        ...(amount !== undefined &&
          tax !== undefined && { amount: { amount, currency }, tax: { amount: tax, currency } }),
      };
    },
  );

/** A refund may be less than what it is for, as when a fee was kept: then its parts share it. */
const limitToAmount = (paid: number, lines: readonly Line[], shipping: number): Pick<RemoteRefund, 'lines'> => {
  const told = sum(lines.map(({ amount }) => amount?.amount ?? 0));
  const fit = told + shipping <= paid ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  return fit.length > 0 ? { lines: [...fit] } : {};
};

/** What of the shipping was given back, in minor units; nothing where it cannot be told. */
export const shippingOf = (refund: JsonObject, currency: string): number | undefined => {
  const sum = sumOf(
    objectsOf(refund['shipping_lines']).flatMap(({ total, total_tax: tax }) => [total, tax ?? '0']),
    currency,
  );
  return sum === undefined || sum > 0 ? undefined : -sum || 0;
};

const methodOf = (refunded: unknown): RemoteRefund['method'] =>
  typeof refunded === 'boolean' ? (refunded ? 'original_payment' : 'manual') : undefined;

/**
 * A refund of an order as it is recorded here. Undefined for one that gave no money: goods were only put back.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-refund-properties
 */
export const refundOf = (
  refund: JsonObject,
  { platform, orderId, currency }: RefundedOrder,
): Result<RemoteRefund | undefined, ShopFailure> => {
  const externalId = idOf(refund['id']);
  const amount = minorOf(refund['amount'], currency);
  const occurredAt = utcInstant(refund['date_created_gmt']);
  if (externalId === undefined || amount === undefined || amount < 0 || occurredAt === undefined)
    return permanentFailure('refund_unreadable');
  if (amount === 0) return ok(undefined);
  const shipping = shippingOf(refund, currency) ?? 0;
  const lines = mergeLines(objectsOf(refund['line_items']).flatMap((item) => lineOf(item, currency) ?? []));
  return ok({
    platform,
    orderId,
    externalId,
    amount: { amount, currency },
    occurredAt,
    ...optional('method', methodOf(refund['refunded_payment'])),
    ...limitToAmount(amount, lines, shipping),
    ...(shipping > 0 && shipping <= amount && { shipping: { amount: shipping, currency } }),
  });
};
