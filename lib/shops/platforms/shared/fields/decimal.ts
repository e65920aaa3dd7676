import type { Money } from '../../../../contract/scalars.ts';
import { exponent } from '../../../../domain/money/currency.ts';

/** Shopify's `MoneyV2`: a decimal text. Its number of digits does not depend on the currency ("1000.0" JPY). */
export type ShopMoney = { readonly amount: string; readonly currencyCode: string };

/** The maximum amount of the contract. */
export const largestAmount = 1_000_000_000_000;

/**
 * Converts an amount to integer minor units (ISO 4217), without a float.
 * Undefined if it is inexact: an unknown currency, a negative amount, or more digits than the currency has.
 * https://shopify.dev/docs/api/admin-graphql/latest/objects/MoneyV2
 */
export const minorUnits = ({ amount, currencyCode }: ShopMoney): Money | undefined => {
  const digits = exponent(currencyCode);
  const [, whole = '', fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (digits === undefined || whole === '' || /[^0]/.test(fraction.slice(digits))) return undefined;
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return value > largestAmount ? undefined : { amount: Number(value), currency: currencyCode };
};

/** Returns the sum of amounts in one currency; undefined if one is unreadable or in another currency. */
export const total = (amounts: readonly ShopMoney[], currency: string): Money | undefined => {
  const read = amounts.map(minorUnits);
  let sum = 0;
  for (const money of read) {
    if (money === undefined || money.currency !== currency) return undefined;
    sum += money.amount;
  }
  return sum > largestAmount ? undefined : { amount: sum, currency };
};

/* JSON with exact numbers. Amounts that are written as floats, and ids beyond 2^53, lose digits as binary numbers. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const withSourceDigits: Reviver = (_, value, { source }) =>
  typeof value === 'number' ? (source ?? String(value)) : value;

/**
 * Parses JSON with each number as its original text; undefined for other text.
 * https://tc39.es/proposal-json-parse-with-source/
 */
export const parseExactJson = (text: string): unknown => {
  try {
    // Some shops have a file with a byte order mark, which PHP puts before every response.
    return parse(text.replace(/^\uFEFF/, ''), withSourceDigits);
  } catch {
    return undefined;
  }
};

/** Returns an integer of JSON that was parsed so, also a negative one. */
export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,9}(?:\.0{1,12})?$/.test(value) ? Number(value) : undefined;

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
