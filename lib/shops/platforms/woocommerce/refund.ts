import { ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { wholeOf } from '../../../runtime/exact-json.ts';
import { idOf, objectsOf, optional, utcInstant } from '../shared/fields/fields.ts';
import type { RemoteRefund } from '../shared/sync/remote-return.ts';

/** The order of a refund, its lines, and the currency of its payment. */
export type RefundedOrder = {
  readonly platform: string;
  readonly orderId: string;
  readonly currency: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
};

type Line = NonNullable<RemoteRefund['lines']>[number];

/** Returns the id of the order's line, fee or shipping line that an item of a refund is for. */
export const refundedItem = (item: JsonObject): string | undefined =>
  idOf(objectsOf(item['meta_data']).find(({ key }) => key === '_refunded_item_id')?.['value']);

/** Returns a line, which may have no units. A refund has negative units and totals of each line, without tax. */
const lineOf = (item: JsonObject, currency: string): Line | undefined => {
  const orderLineId = refundedItem(item);
  const quantity = -(wholeOf(item['quantity']) ?? 0);
  if (orderLineId === undefined || quantity < 0) return undefined;
  const gross = sumOf([item['total'], item['total_tax']], currency);
  const tax = minorOf(item['total_tax'], currency);
  const isConsistent = gross !== undefined && tax !== undefined && gross <= 0 && tax <= 0 && tax >= gross;
  return {
    orderLineId,
    quantity,
    ...(isConsistent && { amount: { amount: -gross || 0, currency }, tax: { amount: -tax || 0, currency } }),
  };
};

/** Merges lines of the order, each once. A line has an amount if all its parts have one. */
const mergeLines = (lines: readonly Line[]): readonly Line[] =>
  Array.from(
    Map.groupBy(lines, ({ orderLineId }) => orderLineId),
    ([orderLineId, parts]) => {
      const sumOfKnown = (read: (part: Line) => number | undefined): number | undefined =>
        parts.reduce<number | undefined>((total, part) => {
          const value = read(part);
          return total === undefined || value === undefined ? undefined : total + value;
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

/**
 * Returns a line. A line with money alone is a part of the price of all its units, which the customer keeps. It needs an
 * amount.
 */
const asKept = ({ quantity, ...line }: Line, sold: RefundedOrder['lines']): readonly Line[] => {
  if (quantity > 0) return [{ ...line, quantity }];
  const units = sold.find(({ lineId }) => lineId === line.orderLineId)?.quantity ?? 0;
  return units > 0 && (line.amount?.amount ?? 0) > 0 ? [{ ...line, quantity: units, kept: true }] : [];
};

/**
 * Limits the parts of a refund to its amount.
 * A refund may be less than its parts, because of a fee. Then the lines share it.
 */
const limitToAmount = (
  paid: number,
  lines: readonly Line[],
  shipping: number,
  sold: RefundedOrder['lines'],
): Pick<RemoteRefund, 'lines'> => {
  const linesTotal = sum(lines.map(({ amount }) => amount?.amount ?? 0));
  const fit =
    linesTotal + shipping <= paid ? lines : lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
  const known = fit.flatMap((line) => asKept(line, sold));
  return known.length > 0 ? { lines: known } : {};
};

/** Returns the refunded shipping, in minor units; undefined if it is unknown. */
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
 * Returns a refund of an order.
 * Undefined for one without money: only goods were restocked.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-refund-properties
 */
export const refundOf = (
  refund: JsonObject,
  { platform, orderId, currency, lines: sold }: RefundedOrder,
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
    ...limitToAmount(amount, lines, shipping, sold),
    ...(shipping > 0 && shipping <= amount && { shipping: { amount: shipping, currency } }),
  });
};
