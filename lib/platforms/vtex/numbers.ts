import type { Money } from '../../contract/scalars.ts';
import { minorUnits } from '../shared/fields/decimal.ts';
import type { RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';

/*
 * The return app's words for the life of a request, in ours. What comes after a verified package is in the request's
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

/** Statuses that a request has only once its goods were there. */
export const arrivedStatuses: ReadonlySet<unknown> = new Set([
  'pendingVerification',
  'packageVerified',
  'amountRefunded',
]);

/** Statuses that a request has only once somebody has looked at its goods. */
export const verifiedStatuses: ReadonlySet<unknown> = new Set(['packageVerified', 'amountRefunded']);

/** How the customer wants the money; `sameAsPurchase` and `card` go the way that it came. */
export const methods: Readonly<Record<string, RemoteRefund['method']>> = {
  bank: 'bank_transfer',
  giftCard: 'gift_card',
};

/** A number that is exactly what was sent: a larger one has lost its last digits. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** Units, none or more, up to the most that the contract carries. */
export const unitsOf = (value: unknown): number | undefined => {
  const number = wholeNumber(value);
  return number !== undefined && number >= 0 && number <= 100_000 ? number : undefined;
};

/** The sum of whole numbers; nothing when one of them is none. */
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
 * An amount as VTEX tells it: a whole number of hundredths of the currency's main unit, also where the currency has no
 * such parts (1999000 is 19990 CLP). Nothing when it is negative, no whole number, or more exact than the currency.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 */
export const moneyOf = (hundredths: unknown, currency: string): Money | undefined => {
  const number = wholeNumber(hundredths);
  if (number === undefined || number < 0) return undefined;
  const digits = String(number).padStart(3, '0');
  return minorUnits({ amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`, currencyCode: currency });
};
