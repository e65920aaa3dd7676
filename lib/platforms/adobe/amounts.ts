import type { Money } from '../../contract/scalars.ts';
import { exponent } from '../../money/currency.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { minorUnits } from '../shared/fields/decimal.ts';
import { objectOf } from '../shared/fields/fields.ts';

/*
 * Commerce's REST API and its events write one thing in several ways: numbers as numbers or as texts with four decimals.
 */

/** What is told under extension_attributes. */
export const extensionOf = ({ extension_attributes: value }: JsonObject): JsonObject => objectOf(value);

/** As many as the contract carries. */
const maxUnits = 100_000;

/** Whole units; nothing for a part of one, or for none told. */
export const unitsOf = (value: unknown): number | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, digits] = /^(\d{1,6})(?:\.0{1,12})?$/.exec(String(value)) ?? [];
  return digits === undefined || Number(digits) > maxUnits ? undefined : Number(digits);
};

/** An instant as Commerce compares it. */
export const asCommerceTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** Commerce keeps four decimals of every amount: here an amount is that many ten-thousandths. */
const decimals = 4;

/**
 * An amount, whether it was written as a number or as a text ("32444.000000"). The text of a number is what Commerce wrote,
 * so no arithmetic is done on it as one. Beyond four decimals is what its own arithmetic has left over.
 */
export const amountOf = (value: unknown): bigint | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,14})(?:\.(\d{1,20}))?$/.exec(String(value)) ?? [];
  if (whole === '') return undefined;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const rounded = Number(fraction[decimals] ?? '0') >= 5 ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
};

/** The sum of amounts that are told; those that are not count nothing. */
export const sumOf = (...values: readonly unknown[]): bigint =>
  values.reduce<bigint>((sum, value) => sum + (typeof value === 'bigint' ? value : (amountOf(value) ?? 0n)), 0n);

const textOf = (amount: bigint): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** An amount in minor units; nothing for one below zero, or one that the currency cannot hold. */
export const exactMoney = (amount: bigint, currency: string): Money | undefined =>
  minorUnits({ amount: textOf(amount), currencyCode: currency });

/** As `exactly`, but to the nearest minor unit, half up: prices without tax have four decimals. */
export const roundedMoney = (amount: bigint, currency: string): Money | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || amount < 0n) return undefined;
  const step = 10n ** BigInt(Math.max(0, decimals - digits));
  return exactMoney(((amount + step / 2n) / step) * step, currency);
};
