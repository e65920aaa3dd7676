import type { Money } from '../../../contract/scalars.ts';
import { exponent } from '../../../money/currency.ts';

/** Shopify's `MoneyV2`: a decimal in text, whose number of digits says nothing of the currency ("1000.0" JPY). */
export type ShopMoney = { readonly amount: string; readonly currencyCode: string };

/** The largest amount that the contract carries. */
export const largestAmount = 1_000_000_000_000;

/**
 * An amount in integer minor units (ISO 4217), without going through a float. Nothing when it cannot be told exactly:
 * an unknown currency, a negative amount, or more digits than the currency has.
 * https://shopify.dev/docs/api/admin-graphql/latest/objects/MoneyV2
 */
export const minorUnits = ({ amount, currencyCode }: ShopMoney): Money | undefined => {
  const digits = exponent(currencyCode);
  const [, whole = '', fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (digits === undefined || whole === '' || /[^0]/.test(fraction.slice(digits))) return undefined;
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return value > largestAmount ? undefined : { amount: Number(value), currency: currencyCode };
};

/** The sum of amounts of one currency; nothing when one of them is unreadable or of another. */
export const total = (amounts: readonly ShopMoney[], currency: string): Money | undefined => {
  const read = amounts.map(minorUnits);
  let sum = 0;
  for (const money of read) {
    if (money === undefined || money.currency !== currency) return undefined;
    sum += money.amount;
  }
  return sum > largestAmount ? undefined : { amount: sum, currency };
};

/*
 * JSON whose numbers keep their digits: amounts that are written as floats, and ids beyond 2^53, lose some of them once
 * they are binary numbers.
 */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const keepDigits: Reviver = (_, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value);

/**
 * What a text says, with each number as the text that it was written in; undefined when it is not JSON.
 * https://tc39.es/proposal-json-parse-with-source/
 */
export const parseExactJson = (text: string): unknown => {
  try {
    // Some shops have a file with a mark of its byte order at its beginning, which PHP puts before every answer.
    return parse(text.replace(/^\uFEFF/, ''), keepDigits);
  } catch {
    return undefined;
  }
};

/** A whole number, negative or not, of JSON that was parsed so. */
export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,9}(?:\.0{1,12})?$/.test(value) ? Number(value) : undefined;

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
