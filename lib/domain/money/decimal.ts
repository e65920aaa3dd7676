import { exponent } from './currency.ts';

type Money = { readonly amount: number; readonly currency: string };

/**
 * An amount as decimal text, such as Shopify's `MoneyV2`. Its number of digits does not depend on the currency ("1000.0"
 * JPY).
 */
export type DecimalMoney = { readonly amount: string; readonly currencyCode: string };

/** The maximum amount of the contract. */
export const largestAmount = 1_000_000_000_000;

/**
 * Converts an amount to integer minor units (ISO 4217), without a float.
 * Undefined if it is inexact: an unknown currency, a negative amount, or more digits than the currency has.
 * https://shopify.dev/docs/api/admin-graphql/latest/objects/MoneyV2
 */
export const minorUnits = ({ amount, currencyCode }: DecimalMoney): Money | undefined => {
  const digits = exponent(currencyCode);
  const [, whole = '', fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (digits === undefined || whole === '' || /[^0]/.test(fraction.slice(digits))) return undefined;
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return value > largestAmount ? undefined : { amount: Number(value), currency: currencyCode };
};

/** Writes an amount of minor units as decimal text with the digits of its currency; undefined for an unknown currency. */
export const decimalText = ({ amount, currency }: Money): string | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || digits === 0) return digits === undefined ? undefined : String(amount);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  return `${amount < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** Returns the sum of amounts in one currency; undefined if one is unreadable or in another currency. */
export const total = (amounts: readonly DecimalMoney[], currency: string): Money | undefined => {
  const read = amounts.map(minorUnits);
  let sum = 0;
  for (const money of read) {
    if (money === undefined || money.currency !== currency) return undefined;
    sum += money.amount;
  }
  return sum > largestAmount ? undefined : { amount: sum, currency };
};

/**
 * Converts a decimal text to integer minor units (ISO 4217), without a float.
 * It may be negative. Digits beyond those of the currency are rounded, half away from zero. Shops store more digits for
 * taxes and unit prices than a customer can pay. Undefined for no decimal, an unknown currency, or an amount beyond the
 * contract.
 */
export const minorOf = (value: unknown, currency: string): number | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || typeof value !== 'string') return undefined;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,20}))?$/.exec(value) ?? [];
  if (whole === '') return undefined;
  const truncated = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? truncated + 1n : truncated;
  if (rounded > largestAmount) return undefined;
  return Number(sign === '-' ? -rounded : rounded) || 0;
};

/** Returns the sum of amounts that `minorOf` reads; undefined if one is unreadable. */
export const sumOf = (values: readonly unknown[], currency: string): number | undefined => {
  let sum = 0;
  for (const value of values) {
    const amount = minorOf(value, currency);
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
};
