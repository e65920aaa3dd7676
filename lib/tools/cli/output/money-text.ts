import { exponent } from '../../../domain/money/currency.ts';

type Money = { readonly amount: number; readonly currency: string };

/** Whether an object is an amount of the API, in minor units. */
export const isMoney = (value: object): value is Money =>
  Object.keys(value).length === 2 &&
  Number.isInteger((value as { amount?: unknown }).amount) &&
  typeof (value as { currency?: unknown }).currency === 'string';

/** Returns an amount in its major unit: `19.99 EUR`. The service has it in minor units. */
export const moneyText = ({ amount, currency }: Money): string => {
  const digits = exponent(currency);
  if (digits === undefined) return `${amount} minor units of ${currency}`;
  const [sign, units] = [amount < 0 ? '-' : '', String(Math.abs(amount)).padStart(digits + 1, '0')];
  const [whole, fraction] = [units.slice(0, units.length - digits), units.slice(units.length - digits)];
  return `${sign}${whole}${digits === 0 ? '' : `.${fraction}`} ${currency}`;
};
