import type { Money } from '../../contract/scalars.ts';
import { minorUnits } from '../shared/fields/money.ts';
import { wholeNumber } from './numbers.ts';

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
