import { exponent } from '../../../money/currency.ts';
import { largestAmount } from './money.ts';

/**
 * A decimal text in integer minor units (ISO 4217), negative or not, without going through a float. Digits beyond those
 * of the currency are rounded, half away from zero: shops keep more of them for taxes and for prices per unit than a
 * customer can pay. Nothing when it cannot be told: no decimal, an unknown currency, or beyond what the contract carries.
 */
export const minorOf = (value: unknown, currency: string): number | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || typeof value !== 'string') return undefined;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,20}))?$/.exec(value) ?? [];
  if (whole === '') return undefined;
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? kept + 1n : kept;
  if (rounded > largestAmount) return undefined;
  return Number(sign === '-' ? -rounded : rounded) || 0;
};

/** The sum of amounts as `minorOf` reads them; nothing when one of them cannot be told. */
export const sumOf = (values: readonly unknown[], currency: string): number | undefined => {
  let sum = 0;
  for (const value of values) {
    const amount = minorOf(value, currency);
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
};
