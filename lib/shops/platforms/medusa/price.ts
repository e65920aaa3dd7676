import type { Money } from '../../../contract/scalars.ts';
import { exponent } from '../../../domain/money/currency.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { largestAmount } from '../../../domain/money/decimal.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import { rateOf as percentOf, type TaxLine, taxLine, taxesOf } from '../shared/fields/tax-lines.ts';

/*
 * Medusa stores prices and rates, and computes the rest with some twenty digits. The tax of a price that includes tax
 * has infinite digits. The same computation is done here, and rounded once.
 */

/** An exact number; `denominator` is above zero. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export const zero: Fraction = { numerator: 0n, denominator: 1n };
const unity: Fraction = { numerator: 1n, denominator: 1n };

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { ...b, numerator: -b.numerator });
export const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});
/** Divides `a` by `b`, which is above zero. */
export const dividedBy = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator,
  denominator: a.denominator * b.numerator,
});

/** Parses a JSON number, also `1e-7`; undefined for other values, and for unreasonably long ones. */
export const fractionOf = (value: unknown): Fraction | undefined => {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const [, sign = '', whole = '', digits = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(value) ?? [];
  if (whole === '') return undefined;
  const decimals = digits.length - Number(power);
  const scaled = BigInt(`${sign}${whole}${digits}`);
  return decimals >= 0
    ? { numerator: scaled, denominator: 10n ** BigInt(decimals) }
    : { numerator: scaled * 10n ** BigInt(-decimals), denominator: 1n };
};

/**
 * Rounds to the nearest minor unit, halves away from zero.
 * Undefined for a negative or too large amount, or an unknown currency.
 */
export const rounded = ({ numerator: above, denominator: below }: Fraction, currency: string): Money | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || above < 0n) return undefined;
  const amount = (above * 10n ** BigInt(digits) * 2n + below) / (below * 2n);
  return amount > largestAmount ? undefined : { amount: Number(amount), currency };
};

/** A priced thing: an item of an order, or a shipping method. */
export type Priced = {
  /** The price of all units. */
  readonly price: Fraction;
  readonly taxIncluded: boolean;
  readonly node: JsonObject;
};

/** The discount, the tax and the amount paid. */
export type Paid = {
  /** With tax if the price includes tax. */
  readonly discount: Money | undefined;
  readonly tax: Money | undefined;
  /** The tax by rate, if each rounded amount is exact. */
  readonly taxes: TaxLine[] | undefined;
  /** With tax. */
  readonly total: Money | undefined;
  /** The total without discounts. */
  readonly undiscounted: Money | undefined;
};

const hundred: Fraction = { numerator: 100n, denominator: 1n };

/** Returns the sum of all tax rates in percent; undefined if one is unreadable. */
const rateOf = ({ tax_lines: lines }: JsonObject): Fraction | undefined => {
  let sum = zero;
  for (const { rate } of objectsOf(lines)) {
    const read = fractionOf(rate);
    if (read === undefined || read.numerator < 0n) return undefined;
    sum = plus(sum, dividedBy(read, hundred));
  }
  return sum;
};

/** Returns the tax of a net amount at each rate. */
const taxLinesOf = ({ tax_lines: lines }: JsonObject, net: Fraction, currency: string) =>
  objectsOf(lines).map(({ rate }) => {
    const read = fractionOf(rate);
    return taxLine(read && rounded(times(net, dividedBy(read, hundred)), currency), percentOf(rate));
  });

/** Returns the sum of the discounts, without tax. */
const reliefOf = ({ adjustments }: JsonObject, withTax: Fraction): Fraction | undefined => {
  let sum = zero;
  for (const { amount, is_tax_inclusive: taxIncluded } of objectsOf(adjustments)) {
    const read = fractionOf(amount);
    if (read === undefined || read.numerator < 0n) return undefined;
    sum = plus(sum, taxIncluded === true ? dividedBy(read, withTax) : read);
  }
  return sum;
};

/**
 * Computes the amount paid as Medusa does, from the price, the adjustments and the tax lines.
 * The totals in the response are no use, because they exclude returned units.
 * https://docs.medusajs.com/resources/commerce-modules/order/tax-lines
 *
 * @returns fields are undefined if unknown
 */
export const paidFor = ({ price, taxIncluded, node }: Priced, currency: string): Paid => {
  const rate = rateOf(node);
  const withTax = plus(unity, rate ?? zero);
  const relief = rate && reliefOf(node, withTax);
  if (rate === undefined || relief === undefined)
    return { discount: undefined, tax: undefined, taxes: undefined, total: undefined, undiscounted: undefined };
  const net = taxIncluded ? dividedBy(price, withTax) : price;
  const paid = minus(net, relief);
  const tax = rounded(times(paid, rate), currency);
  return {
    discount: rounded(taxIncluded ? times(relief, withTax) : relief, currency),
    tax,
    taxes: taxesOf(taxLinesOf(node, paid, currency), tax),
    total: rounded(times(paid, withTax), currency),
    undiscounted: rounded(times(net, withTax), currency),
  };
};
