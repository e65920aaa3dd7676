import { decimalOf, paidForOrder, thousandths, worthOf } from './amounts.ts';
import type { Books } from './books.ts';
import type { ShopOrder } from './orders.ts';
import type { ShopRefund } from './returns.ts';

/* What is left to return, and to refund, of an order of the shop. */

/** Returns the units of a fulfillment line that are in no return. */
const freeUnits = ({ returns }: Books, unitId: string, quantity: number): number =>
  [...returns.values()]
    .filter(({ status }) => status !== 'CANCELED' && status !== 'DECLINED')
    .flatMap(({ lines }) => lines)
    .filter((line) => line.unitId === unitId)
    .reduce((left, line) => left - line.quantity, quantity);

/** Returns the units of an order that can still be returned, by fulfillment. */
export const returnableIn = (books: Books, { fulfillments }: ShopOrder) =>
  fulfillments
    .filter(({ status }) => status === 'SUCCESS')
    .map(({ id, units }) => ({
      id,
      units: units
        .map((unit) => ({ unit, free: freeUnits(books, unit.id, unit.quantity) }))
        .filter(({ free }) => free > 0),
    }));

const refundsOf = ({ refunds }: Books, orderId: string): readonly ShopRefund[] =>
  [...refunds.values()].filter((refund) => refund.orderId === orderId);

export const refundedUnits = (books: Books, orderId: string, lineId: string): number =>
  refundsOf(books, orderId)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.lineId === lineId)
    .reduce((units, { quantity }) => units + quantity, 0);

/** What is left of the payments of an order. */
export const refundableIn = (books: Books, order: ShopOrder): number =>
  refundsOf(books, order.id)
    .filter(({ status }) => status !== 'FAILURE')
    .reduce((left, { amount }) => left - thousandths(amount ?? '0.0'), paidForOrder(order));

type Units = readonly { readonly lineId: string; readonly quantity: number }[];

/** What the shop would pay for units and shipping. */
export const worthIn = (books: Books, order: ShopOrder, units: Units, shipping: string | undefined): number =>
  units.reduce(
    (total, { lineId, quantity }) => total + worthOf(order, lineId, refundedUnits(books, order.id, lineId), quantity),
    thousandths(shipping ?? '0.0'),
  );

export const refundLines = (books: Books, order: ShopOrder, units: Units): ShopRefund['lines'] =>
  units.map(({ lineId, quantity }) => ({
    lineId,
    quantity,
    subtotal: decimalOf(worthOf(order, lineId, refundedUnits(books, order.id, lineId), quantity)),
    tax: '0.0',
  }));
