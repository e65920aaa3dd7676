import type { JsonObject } from '../../runtime/json.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import { unitsOf, wholeNumber, wholeSum } from './numbers.ts';

/*
 * The amount paid for an item, in hundredths. `sellingPrice` is a rounded unit price: three units for 100.00 are sold
 * at 33.33, and only `priceDefinition.total` has the 100.00. Prices never include taxes. Where the law requires tax in
 * prices, VTEX reports none.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 */

/** The sale price of one item. */
export type ItemPrice = {
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discount: number;
  readonly total: number;
  /** For all units; undefined if it is inexact. */
  readonly tax: number | undefined;
};

/** Returns the exact total. The reference spells the field in the plural, orders in the singular. */
const totalOf = (fields: JsonObject, quantity: number): number | undefined => {
  const total = wholeNumber(
    objectOf(fields['priceDefinition'])['total'] ?? objectOf(fields['priceDefinitions'])['total'],
  );
  const each = wholeNumber(fields['sellingPrice']);
  return total ?? (each === undefined ? undefined : wholeNumber(each * quantity));
};

/** Returns the tax of all units. `tax` is per unit; tax services use price tags instead, for all units. */
const taxOf = (fields: JsonObject, quantity: number): number | undefined => {
  const each = wholeNumber(fields['tax']);
  if (each !== 0) return each === undefined ? undefined : wholeNumber(each * quantity);
  const tags = objectsOf(fields['priceTags']).filter(({ name }) => typeof name === 'string' && name.includes('TAXHUB'));
  return tags.some(({ isPercentual }) => isPercentual === true) ? undefined : wholeSum(tags.map(({ value }) => value));
};

/** Reads an item; undefined if its price is unreadable. Undefined units count as zero. */
export const itemPriceOf = (fields: JsonObject): ItemPrice | undefined => {
  const quantity = unitsOf(fields['quantity']);
  if (quantity === undefined) return undefined;
  const total = totalOf(fields, quantity);
  if (total === undefined || total < 0) return undefined;
  const tax = taxOf(fields, quantity);
  const listed = wholeNumber(fields['price']) ?? 0;
  // The total of weighed goods, or of raised prices, may exceed the list price.
  const unitPrice = Math.max(listed, quantity === 0 ? 0 : Math.ceil(total / quantity));
  const discount = unitPrice * quantity - total;
  return Number.isSafeInteger(discount)
    ? { quantity, unitPrice, discount, total, tax: tax !== undefined && tax >= 0 ? tax : undefined }
    : undefined;
};
