import type { Money } from '../../contract/scalars.ts';
import { exponent } from '../../money/currency.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { largestAmount } from '../shared/fields/decimal.ts';
import { objectsOf } from '../shared/fields/fields.ts';

/*
 * Medusa stores what a price and a rate are, and works out the rest with some twenty digits: what a line was taxed with has
 * no end where its price holds the tax. The same is done here, and rounded once.
 */

/** An exact number; `below` is above zero. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export const zero: Fraction = { numerator: 0n, denominator: 1n };
const one: Fraction = { numerator: 1n, denominator: 1n };

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { ...b, numerator: -b.numerator });
export const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});
/** `b` is above zero. */
export const dividedBy = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator,
  denominator: a.denominator * b.numerator,
});

/** A number of JSON, `1e-7` too; nothing for other things, and for one so long that nobody means it. */
export const fractionOf = (value: unknown): Fraction | undefined => {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const [, sign = '', whole = '', digits = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(value) ?? [];
  if (whole === '') return undefined;
  const places = digits.length - Number(power);
  const scaled = BigInt(`${sign}${whole}${digits}`);
  return places >= 0
    ? { numerator: scaled, denominator: 10n ** BigInt(places) }
    : { numerator: scaled * 10n ** BigInt(-places), denominator: 1n };
};

/** To the nearest minor unit, halves away from zero; nothing for money below zero, too much of it or no known currency. */
export const rounded = ({ numerator: above, denominator: below }: Fraction, currency: string): Money | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || above < 0n) return undefined;
  const amount = (above * 10n ** BigInt(digits) * 2n + below) / (below * 2n);
  return amount > largestAmount ? undefined : { amount: Number(amount), currency };
};

/** What is priced: an item of an order, or a way of shipping it. */
export type Priced = {
  /** For all its units. */
  readonly price: Fraction;
  readonly taxIncluded: boolean;
  readonly node: JsonObject;
};

/** What of it was a discount, what tax, and what was paid in the end. */
export type Paid = {
  /** Tax inside where the price has it inside. */
  readonly discount: Money | undefined;
  readonly tax: Money | undefined;
  /** Tax inside. */
  readonly total: Money | undefined;
  /** The same without discounts. */
  readonly undiscounted: Money | undefined;
};

const hundred: Fraction = { numerator: 100n, denominator: 1n };

/** Percents of all the taxes together, or nothing where one cannot be read. */
const rateOf = ({ tax_lines: lines }: JsonObject): Fraction | undefined => {
  let sum = zero;
  for (const { rate } of objectsOf(lines)) {
    const read = fractionOf(rate);
    if (read === undefined || read.numerator < 0n) return undefined;
    sum = plus(sum, dividedBy(read, hundred));
  }
  return sum;
};

/** All that was taken off, without tax. */
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
 * What was paid of a price, as Medusa works it out: from the price, the adjustments and the tax lines. The totals that it
 * sends along cannot be taken: they are of the units that have not come back yet.
 * https://docs.medusajs.com/resources/commerce-modules/order/tax-lines
 *
 * @returns fields are absent that cannot be told
 */
export const paidFor = ({ price, taxIncluded, node }: Priced, currency: string): Paid => {
  const rate = rateOf(node);
  const withTax = plus(one, rate ?? zero);
  const relief = rate && reliefOf(node, withTax);
  if (rate === undefined || relief === undefined)
    return { discount: undefined, tax: undefined, total: undefined, undiscounted: undefined };
  const net = taxIncluded ? dividedBy(price, withTax) : price;
  const paid = minus(net, relief);
  return {
    discount: rounded(taxIncluded ? times(relief, withTax) : relief, currency),
    tax: rounded(times(paid, rate), currency),
    total: rounded(times(paid, withTax), currency),
    undiscounted: rounded(times(net, withTax), currency),
  };
};
