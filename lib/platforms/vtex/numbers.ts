import type { Money } from '../../contract/scalars.ts';
import { minorUnits } from '../shared/fields/decimal.ts';
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
