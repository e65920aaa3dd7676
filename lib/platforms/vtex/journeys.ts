import { objectOf, objectsOf, optional } from '../shared/fields/fields.ts';
import { sum } from '../../runtime/sum.ts';
import type { Order } from './order.ts';
import { latest, utcInstant } from '../shared/fields/instants.ts';
import { unitsOf } from './numbers.ts';

/** How far the units of an item have come. */
export type Journey = {
  readonly fulfilledQuantity?: number;
  readonly deliveries?: { readonly quantity: number; readonly at: string }[];
  readonly shippedAt?: string;
};

/**
 * The way of an item's units to the customer, by the invoices of what was sold. One that does not name its items is for
 * all that was ordered, once all of it is invoiced.
 */
export const journeyOf = ({ packages, fields }: Order, place: number, quantity: number): Journey => {
  const sold = packages.filter(({ type }) => type === undefined || type === null || type === 'Output');
  const isAll = fields['status'] === 'invoiced' && sold.length === 1;
  const parts = sold.map((one) => {
    const items = objectsOf(one['items']);
    const units = sum(
      items.filter(({ itemIndex }) => itemIndex === place).map((item) => unitsOf(item['quantity']) ?? 0),
    );
    const courier = objectOf(one['courierStatus']);
    return {
      isUntold: items.length === 0,
      units: items.length === 0 && isAll ? quantity : units,
      shippedAt: utcInstant(one['issuanceDate']),
      deliveredAt: courier['finished'] === true ? utcInstant(courier['deliveredDate']) : undefined,
    };
  });
  if (!isAll && parts.some(({ isUntold }) => isUntold)) return {};
  let left = quantity;
  const sent = parts
    .map((part) => {
      const units = Math.min(part.units, left);
      left -= units;
      return { ...part, units };
    })
    .filter(({ units }) => units > 0);
  const deliveries = sent.flatMap(({ units, deliveredAt }) =>
    deliveredAt === undefined ? [] : [{ quantity: units, at: deliveredAt }],
  );
  return {
    fulfilledQuantity: quantity - left,
    ...(deliveries.length > 0 && { deliveries: deliveries.slice(0, 50) }),
    // The last parcel: a window that runs from shipping must not end early for it.
    ...optional('shippedAt', latest(sent.map(({ shippedAt }) => shippedAt))),
  };
};
