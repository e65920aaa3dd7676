import { ok, type Result } from '../../../runtime/result.ts';
import { sha256 } from '../../../runtime/hash.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, objectOf, objectsOf, optional, utcInstant, webAddress } from '../shared/fields/fields.ts';
import { readEach, type PartialRead } from '../shared/http/read-each.ts';
import type { RemoteParcel, RemoteRefund } from '../shared/sync/remote-return.ts';
import { moneyOf, unitsOf } from './numbers.ts';
import { itemAt, type Order } from './order.ts';

/** An invoice of returned goods. */
export type ReturnInvoice = {
  readonly number: string;
  /** Absent if it refunded nothing. */
  readonly refund?: RemoteRefund;
  readonly parcel?: RemoteParcel;
};

/** Returns an invoice number as an id of the contract: some countries use slashes and spaces in it. */
export const invoiceId = (number: string): string =>
  /^(?!\.{1,2}$)[\x21-\x2e\x30-\x7e]{1,100}$/.test(number) ? number : sha256(number, 'base64url');

/** Returns the restitution, which orders spell in two forms. Returns outside VTEX's own form have none. */
const restitutionOf = (fields: JsonObject): JsonObject | undefined => {
  const { Refund: upper, refund: lower } = objectOf(fields['restitutions']);
  const found = objectOf(upper ?? lower);
  return Object.keys(found).length === 0 ? undefined : found;
};

type Line = NonNullable<RemoteRefund['lines']>[number];

/** Returns the units of the invoice. Empty if one is unknown, because the rest would share its money. */
const linesOf = (order: Order, fields: JsonObject, restitution: JsonObject | undefined): Line[] => {
  const packed = objectsOf(fields['items']);
  const named = packed.length > 0 ? packed : objectsOf(restitution?.['items']);
  const units = new Map<string, number>();
  for (const line of named) {
    const item = itemAt(order, line['itemIndex'], line['id']);
    const quantity = unitsOf(line['quantity']);
    if (item === undefined || quantity === undefined) return [];
    units.set(item.lineId, (units.get(item.lineId) ?? 0) + quantity);
  }
  return Array.from(units, ([orderLineId, quantity]) => ({ orderLineId, quantity })).filter(
    ({ quantity }) => quantity > 0 && quantity <= 100_000,
  );
};

/** Whether the customer paid by bank slip, which cannot be refunded. The shop must pay by other means. */
const isPaidBySlip = ({ fields }: Order): boolean => {
  const payments = objectsOf(objectOf(fields['paymentData'])['transactions']).flatMap((transaction) =>
    objectsOf(transaction['payments']),
  );
  return payments.length > 0 && payments.every(({ group }) => group === 'bankInvoice');
};

const refundOf = (order: Order, number: string, fields: JsonObject): Result<RemoteRefund | undefined, ShopFailure> => {
  const restitution = restitutionOf(fields);
  if (restitution === undefined && isPaidBySlip(order)) return ok(undefined);
  // A restitution without a value may mean a refund below the invoice.
  const amount = moneyOf(restitution === undefined ? fields['invoiceValue'] : restitution['value'], order.currency);
  const occurredAt = utcInstant(fields['issuanceDate']);
  if (amount === undefined || occurredAt === undefined) return permanentFailure('refund_unreadable');
  if (amount.amount === 0) return ok(undefined);
  const giftCard = restitution?.['giftCardData'];
  const lines = linesOf(order, fields, restitution);
  return ok({
    platform: order.platform,
    orderId: order.orderId,
    externalId: invoiceId(number),
    amount,
    method: giftCard === undefined || giftCard === null ? 'original_payment' : 'gift_card',
    occurredAt,
    ...(lines.length > 0 && { lines }),
  });
};

const parcelOf = (fields: JsonObject): RemoteParcel | undefined => {
  const trackingNumber = clip(fields['trackingNumber'], 100);
  return trackingNumber === undefined
    ? undefined
    : {
        trackingNumber,
        ...optional('carrier', clip(fields['courier'], 100)),
        ...optional('trackingUrl', webAddress(fields['trackingUrl'])),
      };
};

/**
 * Returns the invoices of returned goods.
 * VTEX refunds the payment by such an invoice. The amount is in `restitutions`, or else is the value of the invoice.
 * https://developers.vtex.com/docs/api-reference/orders-api#post-/api/oms/pvt/orders/-orderId-/invoice
 * https://help.vtex.com/en/docs/tutorials/how-do-reversals-work-when-an-item-is-returned
 */
export const returnInvoices = (order: Order): Result<PartialRead<ReturnInvoice>, ShopFailure> =>
  readEach(
    order.packages.filter(({ type }) => type === 'Input'),
    (fields) => {
      const { invoiceNumber: number } = fields;
      if (typeof number !== 'string' || number.trim() === '') return permanentFailure('refund_unreadable');
      const refund = refundOf(order, number, fields);
      return refund.ok
        ? ok({ number, ...optional('refund', refund.value), ...optional('parcel', parcelOf(fields)) })
        : refund;
    },
  );
