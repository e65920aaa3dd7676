import type { Money } from '../../../contract/scalars.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';

/*
 * The return app's words for the status of a request, by ours. The steps after a verified package are in the request's
 * `refundData`, not in its status.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md
 */
export const statuses: Readonly<Record<string, RemoteReturn['status']>> = {
  new: 'requested',
  processing: 'approved',
  pickedUpFromClient: 'approved',
  pendingVerification: 'approved',
  packageVerified: 'approved',
  amountRefunded: 'completed',
  denied: 'rejected',
  cancelled: 'cancelled',
};

/** Statuses that follow the arrival of the goods. */
export const arrivedStatuses: ReadonlySet<unknown> = new Set([
  'pendingVerification',
  'packageVerified',
  'amountRefunded',
]);

/** Statuses that follow the inspection of the goods. */
export const verifiedStatuses: ReadonlySet<unknown> = new Set(['packageVerified', 'amountRefunded']);

/** The refund methods; `sameAsPurchase` and `card` refund the original payment. */
export const methods: Readonly<Record<string, RemoteRefund['method']>> = {
  bank: 'bank_transfer',
  giftCard: 'gift_card',
};

/** Returns a number that is exact: a larger one has lost its last digits. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** Returns units from zero to the maximum of the contract. */
export const unitsOf = (value: unknown): number | undefined => {
  const number = wholeNumber(value);
  return number !== undefined && number >= 0 && number <= 100_000 ? number : undefined;
};

/** Returns the sum of integers; undefined if a value is none. */
export const wholeSum = (values: readonly unknown[]): number | undefined => {
  let sum = 0;
  for (const value of values) {
    const number = wholeNumber(value);
    if (number === undefined) return undefined;
    sum += number;
  }
  return wholeNumber(sum);
};

/**
 * Converts an amount of VTEX.
 * It is an integer of hundredths of the main unit, even if the currency has no such parts. For example, 1999000 is
 * 19990 CLP. Undefined if it is negative, no integer, or more exact than the currency.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 */
export const moneyOf = (hundredths: unknown, currency: string): Money | undefined => {
  const number = wholeNumber(hundredths);
  if (number === undefined || number < 0) return undefined;
  const digits = String(number).padStart(3, '0');
  return minorUnits({ amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`, currencyCode: currency });
};

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
  /** The parts of the tax. VTEX reports no rates. */
  readonly taxes: readonly unknown[];
};

/** Returns the exact total. The reference spells the field in the plural, orders in the singular. */
const totalOf = (fields: JsonObject, quantity: number): number | undefined => {
  const total = wholeNumber(
    objectOf(fields['priceDefinition'])['total'] ?? objectOf(fields['priceDefinitions'])['total'],
  );
  const price = wholeNumber(fields['sellingPrice']);
  return total ?? (price === undefined ? undefined : wholeNumber(price * quantity));
};

/** Returns the tax of all units. `tax` is per unit; tax services use price tags instead, for all units. */
const taxOf = (fields: JsonObject, quantity: number): Pick<ItemPrice, 'tax' | 'taxes'> => {
  const perUnit = wholeNumber(fields['tax']);
  if (perUnit !== 0) return { tax: perUnit === undefined ? undefined : wholeNumber(perUnit * quantity), taxes: [] };
  const tags = objectsOf(fields['priceTags']).filter(({ name }) => typeof name === 'string' && name.includes('TAXHUB'));
  const taxes = tags.map(({ value }) => value);
  return { tax: tags.some(({ isPercentual }) => isPercentual === true) ? undefined : wholeSum(taxes), taxes };
};

/** Reads an item; undefined if its price is unreadable. Undefined units count as zero. */
export const itemPriceOf = (fields: JsonObject): ItemPrice | undefined => {
  const quantity = unitsOf(fields['quantity']);
  if (quantity === undefined) return undefined;
  const total = totalOf(fields, quantity);
  if (total === undefined || total < 0) return undefined;
  const { tax, taxes } = taxOf(fields, quantity);
  const listed = wholeNumber(fields['price']) ?? 0;
  // The total of weighed goods, or of raised prices, may exceed the list price.
  const unitPrice = Math.max(listed, quantity === 0 ? 0 : Math.ceil(total / quantity));
  const discount = unitPrice * quantity - total;
  return Number.isSafeInteger(discount)
    ? { quantity, unitPrice, discount, total, tax: tax !== undefined && tax >= 0 ? tax : undefined, taxes }
    : undefined;
};
