import type { JsonObject } from '../../runtime/json.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import { unitsOf, wholeNumber, wholeSum } from './numbers.ts';

/*
 * What was paid for an item, in hundredths. `sellingPrice` is a rounded price of one unit: three units for 100.00 are
 * sold at 33.33, and only `priceDefinition.total` tells the 100.00. Taxes are never inside prices: where the law wants
 * them there, VTEX knows of none.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 */

/** What one item was sold for. */
export type ItemPrice = {
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discount: number;
  readonly total: number;
  /** For all units; nothing where it cannot be told exactly. */
  readonly tax: number | undefined;
};

/** The reference spells it in the plural, and orders in the singular. */
const totalOf = (fields: JsonObject, quantity: number): number | undefined => {
  const told = wholeNumber(
    objectOf(fields['priceDefinition'])['total'] ?? objectOf(fields['priceDefinitions'])['total'],
  );
  const each = wholeNumber(fields['sellingPrice']);
  return told ?? (each === undefined ? undefined : wholeNumber(each * quantity));
};

/** Of a unit in `tax`; tax services write it into price tags instead, for all units. */
const taxOf = (fields: JsonObject, quantity: number): number | undefined => {
  const each = wholeNumber(fields['tax']);
  if (each !== 0) return each === undefined ? undefined : wholeNumber(each * quantity);
  const tags = objectsOf(fields['priceTags']).filter(({ name }) => typeof name === 'string' && name.includes('TAXHUB'));
  return tags.some(({ isPercentual }) => isPercentual === true) ? undefined : wholeSum(tags.map(({ value }) => value));
};

/** Reads an item; nothing where its price is unreadable, and undefined units are none. */
export const itemPriceOf = (fields: JsonObject): ItemPrice | undefined => {
  const quantity = unitsOf(fields['quantity']);
  if (quantity === undefined) return undefined;
  const total = totalOf(fields, quantity);
  if (total === undefined || total < 0) return undefined;
  const tax = taxOf(fields, quantity);
  const listed = wholeNumber(fields['price']) ?? 0;
  // Prices of goods that are weighed, and prices that were raised, may come to more than their list price does.
  const unitPrice = Math.max(listed, quantity === 0 ? 0 : Math.ceil(total / quantity));
  const discount = unitPrice * quantity - total;
  return Number.isSafeInteger(discount)
    ? { quantity, unitPrice, discount, total, tax: tax !== undefined && tax >= 0 ? tax : undefined }
    : undefined;
};
