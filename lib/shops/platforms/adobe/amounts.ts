import type { Money } from '../../../contract/scalars.ts';
import { exponent } from '../../../domain/money/currency.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import { objectOf } from '../shared/fields/fields.ts';

/* Commerce's REST API and its events write a value in several forms: as number, or as text with four decimals. */

/** Returns the fields under extension_attributes. */
export const extensionOf = ({ extension_attributes: value }: JsonObject): JsonObject => objectOf(value);

/** The maximum of the contract. */
const maxUnits = 100_000;

/** Returns whole units; undefined for a fraction or a missing value. */
export const unitsOf = (value: unknown): number | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, digits] = /^(\d{1,6})(?:\.0{1,12})?$/.exec(String(value)) ?? [];
  return digits === undefined || Number(digits) > maxUnits ? undefined : Number(digits);
};

/** Formats an instant in the form that Commerce compares. */
export const asCommerceTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** Commerce stores four decimals of every amount. Amounts here are in ten-thousandths. */
const decimals = 4;

/**
 * Parses an amount that is a number or a text ("32444.000000").
 * It parses the text of a number, so no float arithmetic changes it. Further decimals are rounding remainders of
 * Commerce.
 */
export const amountOf = (value: unknown): bigint | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,14})(?:\.(\d{1,20}))?$/.exec(String(value)) ?? [];
  if (whole === '') return undefined;
  const truncated = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const rounded = Number(fraction[decimals] ?? '0') >= 5 ? truncated + 1n : truncated;
  return sign === '-' ? -rounded : rounded;
};

/** Returns the sum of amounts. Missing amounts count as zero. */
export const sumOf = (...values: readonly unknown[]): bigint =>
  values.reduce<bigint>((sum, value) => sum + (typeof value === 'bigint' ? value : (amountOf(value) ?? 0n)), 0n);

const textOf = (amount: bigint): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Converts an amount to minor units; undefined if it is negative or not exact in the currency. */
export const exactMoney = (amount: bigint, currency: string): Money | undefined =>
  minorUnits({ amount: textOf(amount), currencyCode: currency });

/** Rounds an amount to the nearest minor unit, half up: prices without tax have four decimals. */
export const roundedMoney = (amount: bigint, currency: string): Money | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || amount < 0n) return undefined;
  const step = 10n ** BigInt(Math.max(0, decimals - digits));
  return exactMoney(((amount + step / 2n) / step) * step, currency);
};
